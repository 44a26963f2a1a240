"""Org files -> their source and example blocks; running text is not read.

Syntax: https://orgmode.org/worg/org-syntax.html#Blocks.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from snippet_checker.documents.block import Block
from snippet_checker.documents.blocks import Blocks
from snippet_checker.text.lines import Line, dedented

_BEGIN = re.compile(
    r"\s*#\+begin_(?P<name>src|example)\b[^\S\n]*(?P<language>[\w+-]*)", re.IGNORECASE
)
_END = re.compile(r"\s*#\+end_(?P<name>src|example)\b", re.IGNORECASE)
_LITERAL = re.compile(r"\s*: ?(?=\S)")
_COMMENT = re.compile(r"\s*# ")


def read(path: str, lines: Sequence[Line]) -> Iterator[Block]:
    """The code blocks of an Org document, in their order."""
    blocks = Blocks(path)
    number = 0
    while number < len(lines):
        begin, literal = _BEGIN.match(lines[number].text), _LITERAL.match(lines[number].text)
        first = number = number + 1
        if begin is not None:
            while number < len(lines) and not _END.match(lines[number].text):
                number += 1
            yield from blocks.code(begin["language"], dedented(lines[first:number]))
            number += 1
        elif literal is not None:
            while number < len(lines) and _LITERAL.match(lines[number].text):
                number += 1
            yield from blocks.code(
                "", dedented([_shown(line) for line in lines[first - 1 : number]])
            )
        elif _COMMENT.match(lines[first - 1].text):
            blocks.add_comment(lines[first - 1])
    yield from blocks.rest()


def _shown(line: Line) -> Line:
    mark = _LITERAL.match(line.text)
    return line.cut(mark.end() if mark is not None else 0)
