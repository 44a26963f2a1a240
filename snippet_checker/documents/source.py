"""A file's lines with their places, and blocks cut out of them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from snippet_checker.model import Block, BlockKind, Directive, Origin, Span, Word

_COMMENT = re.compile(r"snippet-checker:\s*+(?P<words>.*)")
_WORD = re.compile(r"(?P<word>[a-z-]+)(?:=(?P<value>[^\s,;]+)|\[(?P<rule>[^\[\]]*)\])?[,;]?")
_SUPPRESSION = re.compile(r"\b(?:ignore|expect)\[")
_HASH_COMMENT = re.compile(r"(?:^|\s)#\s*(?=snippet-checker:)")
_SURROGATE = re.compile("[\ud800-\udfff]")
_HASH_KINDS = frozenset({BlockKind.YAML, BlockKind.SHELL, BlockKind.CONSOLE, BlockKind.PYTHON})


@dataclass(frozen=True, slots=True)
class Line:
    """A piece of one line of a file; `column` is where its first character stands.

    `ends_in_cr` tells a line of Windows, which a carriage return ends before the line feed.
    """

    text: str
    number: int
    column: int = 1
    ends_in_cr: bool = False

    def cut(self, start: int, end: int | None = None) -> Line:
        """The characters from `start` to before `end`, still in their place."""
        return replace(self, text=self.text[start:end], column=self.column + start)


def split_lines(text: str) -> list[Line]:
    """Lines as editors count them: a line feed ends one, a carriage return may precede it.

    Half a surrogate pair, which no file holds but a caller's text may, becomes U+FFFD.
    """
    text, first_column = _SURROGATE.sub("\ufffd", text), 1
    if text.startswith("\ufeff"):
        text, first_column = text[1:], 2
    lines = [
        Line(line.removesuffix("\r").replace("\r", " "), number, ends_in_cr=line.endswith("\r"))
        for number, line in enumerate(text.split("\n"), start=1)
    ]
    lines[0] = replace(lines[0], column=first_column)
    return lines


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
    inside = _inner_directives(path, lines) if kind in _HASH_KINDS else ()
    return Block(
        kind=kind,
        path=path,
        text="\n".join(line.text for line in lines),
        origins=tuple(origins) or (Origin(0, 0, 1),),
        directives=(*directives, *inside),
        whole_file=whole_file,
        windows_lines=any(line.ends_in_cr for line in lines),
    )


def dedented(lines: Sequence[Line]) -> list[Line]:
    """The lines without the indentation that they share, and without blank ones at the ends."""
    lines = list(lines)
    while lines and not lines[0].text.strip():
        lines.pop(0)
    while lines and not lines[-1].text.strip():
        lines.pop()
    indents = [len(line.text) - len(line.text.lstrip()) for line in lines if line.text.strip()]
    shared = min(indents, default=0)
    return [line.cut(min(shared, len(line.text))) for line in lines]


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
        if directive.word is Word.IGNORE:
            following = _SUPPRESSION.search(line.text, end, last)
            position = following.start() if following else last
            directive = replace(directive, reason=line.text[end:position].strip())
        yield directive
        while position < last and line.text[position] in " \t":
            position += 1


def _directive(match: re.Match[str] | None, text: str, span: Span) -> Directive:
    if match is None or match["word"] not in _KNOWN_WORDS:
        return Directive(Word.UNKNOWN, text, "", span)
    return Directive(Word(match["word"]), match["value"] or match["rule"] or "", "", span)


_KNOWN_WORDS = frozenset(Word) - {Word.UNKNOWN}


def _inner_directives(path: str, lines: Iterable[Line]) -> tuple[Directive, ...]:
    found: list[Directive] = []
    for line in lines:
        comment = _HASH_COMMENT.search(line.text) if "snippet-checker:" in line.text else None
        if comment is not None:
            found += find_directives(path, line.cut(comment.start()))
    return tuple(found)
