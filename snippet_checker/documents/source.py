"""A file's lines with their places, and blocks cut out of them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from msgspec.structs import replace

from snippet_checker.documents.block import Block, BlockKind, Directive, DirectiveWord
from snippet_checker.text.lines import Line
from snippet_checker.text.places import Origin, Span

_COMMENT = re.compile(r"snippet-checker:\s*+(?P<words>.*)")
_WORD = re.compile(r"(?P<word>[a-z-]+)(?:=(?P<value>[^\s,;]+)|\[(?P<rule>[^\[\]]*)\])?[,;]?")
_SUPPRESSION = re.compile(r"\b(?:ignore(?:-file)?|expect)\[")
_CODE_COMMENT = re.compile(r"(?:^|\s)(?:#|//)\s*(?=snippet-checker:)")

_CODE_KINDS = frozenset(
    {
        BlockKind.YAML,
        BlockKind.SHELL,
        BlockKind.CONSOLE,
        BlockKind.PYTHON,
        BlockKind.JSON,
        BlockKind.TOML,
        BlockKind.DOTENV,
        BlockKind.DOCKERFILE,
        BlockKind.MAKEFILE,
        BlockKind.JUSTFILE,
        BlockKind.FOREIGN,
    }
)


def make_block(
    kind: BlockKind,
    path: str,
    lines: Sequence[Line],
    directives: Iterable[Directive] = (),
    *,
    whole_file: bool = False,
) -> Block:
    """A block of one text line for each of `lines`."""
    offset, origins = 0, []
    for line in lines:
        origins.append(Origin(offset, line.number, line.column))
        offset += len(line.text) + 1
    inside = _inner_directives(path, lines) if kind in _CODE_KINDS else ()
    return Block(
        kind=kind,
        path=path,
        text="\n".join(line.text for line in lines),
        origins=tuple(origins) or (Origin(0, 0, 1),),
        directives=(*directives, *inside),
        whole_file=whole_file,
        windows_lines=any(line.ends_in_cr for line in lines),
    )


def find_directives(path: str, line: Line) -> Iterator[Directive]:
    """The words of a `snippet-checker:` comment in `line`, unknown ones included."""
    comment = _COMMENT.search(line.text)
    if comment is None:
        return
    position = comment.start("words")
    last = position + len(comment["words"].rstrip().removesuffix("-->").rstrip())
    while position < last:
        match = _WORD.match(line.text, position, last)
        end = match.end() if match else last
        start_column, end_column = line.column + position, line.column + end
        span = Span(path, line.number, start_column, line.number, end_column)
        directive = _directive(match, line.text[position:end], span)
        position = end
        if directive.word in (DirectiveWord.IGNORE, DirectiveWord.IGNORE_FILE):
            following = _SUPPRESSION.search(line.text, end, last)
            position = following.start() if following else last
            directive = replace(directive, reason=line.text[end:position].strip())
        yield directive
        while position < last and line.text[position] in " \t":
            position += 1


def _directive(match: re.Match[str] | None, text: str, span: Span) -> Directive:
    if match is None or match["word"] not in _KNOWN_WORDS:
        return Directive(DirectiveWord.UNKNOWN, text, "", span)
    return Directive(DirectiveWord(match["word"]), match["value"] or match["rule"] or "", "", span)


_KNOWN_WORDS = frozenset(DirectiveWord) - {DirectiveWord.UNKNOWN}


def _inner_directives(path: str, lines: Iterable[Line]) -> tuple[Directive, ...]:
    found: list[Directive] = []
    for line in lines:
        comment = _CODE_COMMENT.search(line.text) if "snippet-checker:" in line.text else None
        if comment is not None:
            found += find_directives(path, line.cut(comment.start()))
    return tuple(found)
