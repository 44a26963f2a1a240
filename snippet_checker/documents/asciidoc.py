"""AsciiDoc -> its listing and literal blocks; running text is not read.

Syntax: https://docs.asciidoctor.org/asciidoc/latest/verbatim/source-blocks/.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from snippet_checker.documents.block import Block, BlockKind
from snippet_checker.documents.blocks import Blocks
from snippet_checker.text.lines import Line, dedented

_STYLE = re.compile(
    r"\[(?P<style>[\w-]*+)(?:[%.#][\w%.#-]*+)?(?:,\s*+(?P<language>[\w+-]++))?[^\]]*\]\s*+"
)
_DELIMITER = re.compile(r"(?P<sign>-{4,}|\.{4,}|`{3,}(?P<tag>[\w+-]*)(?:,.*)?|\+{4,}|/{4,})\s*")
_COMMENT = re.compile(r"//(?!/)")
_NOT_SHOWN = ("+", "/")


def read(path: str, lines: Sequence[Line]) -> Iterator[Block]:
    """The code blocks of an AsciiDoc document, in their order."""
    blocks = Blocks(path)
    language = ""
    number = 0
    while number < len(lines):
        line = lines[number]
        number += 1
        style, delimiter = _STYLE.fullmatch(line.text), _DELIMITER.fullmatch(line.text)
        if style is not None:
            is_code = style["style"] in ("", "source", "listing", "literal")
            language = (style["language"] or "") if is_code else language
        elif _COMMENT.match(line.text):
            blocks.add_comment(line)
        elif delimiter is not None:
            end = _end(lines, number, delimiter)
            if not line.text.startswith(_NOT_SHOWN):
                yield from blocks.code(delimiter["tag"] or language, dedented(lines[number:end]))
            language, number = "", end + 1
        elif line.text[:1].isspace() and line.text.strip() and _is_behind_blank(lines, number - 1):
            blank = (n for n in range(number, len(lines)) if not lines[n].text.strip())
            end = next(blank, len(lines))
            yield blocks.block(BlockKind.TEXT, dedented(lines[number - 1 : end]))
            number = end
        elif line.text.strip() and not line.text.startswith("."):  # a title stands between
            language = ""
    yield from blocks.rest()


def _end(lines: Sequence[Line], first: int, delimiter: re.Match[str]) -> int:
    """The line that closes a block: the same sign as often."""
    sign = delimiter["sign"]
    sign = sign.rstrip(delimiter["tag"]) if delimiter["tag"] else sign.partition(",")[0]
    closing = (n for n in range(first, len(lines)) if lines[n].text.strip() == sign)
    return next(closing, len(lines))


def _is_behind_blank(lines: Sequence[Line], number: int) -> bool:
    return number == 0 or not lines[number - 1].text.strip()
