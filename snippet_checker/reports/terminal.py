"""Findings for people at a terminal: the line of the file, and what in it is meant."""

from __future__ import annotations

from dataclasses import dataclass

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from snippet_checker.findings import Finding, Result, Severity
from snippet_checker.reports import text
from snippet_checker.text.inert import inert

_COLOURS = {Severity.ERROR: "bold red", Severity.WARNING: "bold yellow"}
_TAB = " " * 4
_CUT = "…"
_LEAST, _MOST = 40, 240  # cells of a line of source, however wide the terminal is


def show(result: Result, console: Console) -> None:
    """Write the text report with the source below each finding, in colours."""
    for finding in result.findings:
        _print(console, *_headline(finding))
        source = result.sources.get(finding.span.path, {}).get(finding.span.line)
        if source is not None:
            _print_excerpt(console, finding, source)
    colour = "red" if result.findings or result.failures else "green"
    _print(console, (text.summary(result), colour))


def _print(console: Console, *pieces: tuple[str, str]) -> None:
    """Write a line of texts, each with its style; nothing in them acts on the terminal."""
    console.print(
        Text.assemble(*((inert(piece), style) for piece, style in pieces)), soft_wrap=True
    )


def _headline(finding: Finding) -> list[tuple[str, str]]:
    return [
        (text.place(finding.span), "bold"),
        (": ", ""),
        (finding.severity, _COLOURS[finding.severity]),
        (f": {finding.message} ", ""),
        (f"[{finding.rule}]", "dim"),
    ]


def _print_excerpt(console: Console, finding: Finding, source: str) -> None:
    span, colour = finding.span, _COLOURS[finding.severity]
    margin = f"  {span.line} | "
    room = min(max(console.width - len(margin) - 1, _LEAST), _MOST)
    end = span.end_column if span.end_line == span.line else len(source) + 1
    part = _fitted(_around(source, span.column - 1, end - 1, room), room)
    _print(console, (margin, "dim"), (part.before, ""), (part.meant, colour), (part.after, ""))
    mark = "^" * max(1, cell_len(part.meant))
    under = f"{' ' * (len(margin) - 2)}| "
    _print(console, (under, "dim"), (" " * cell_len(part.before), ""), (mark, colour))


@dataclass(frozen=True, slots=True)
class _Part:
    """What is shown of a line: what a finding is about, and what stands around it."""

    before: str
    meant: str
    after: str


def _around(source: str, start: int, end: int, room: int) -> _Part:
    """A line as it is printed, as far as it could matter: a character takes a cell or more.

    Those that take none are few; where they are many, less is shown than would fit.
    """
    before, after = source[max(0, start - room - 1) : start], source[end : end + room + 1]
    return _Part(
        _printed(before), _printed(source[start : min(end, start + room + 1)]), _printed(after)
    )


def _printed(source: str) -> str:
    return inert(source.replace("\t", _TAB))


def _fitted(part: _Part, room: int) -> _Part:
    """The same in `room` cells; where something is left out, an ellipsis stands."""
    meant = _head(part.meant, room)
    free = room - cell_len(meant)
    behind = min(cell_len(part.after), max(free // 2, free - cell_len(part.before)))
    after = _head(part.after, behind)
    return _Part(_tail(part.before, free - cell_len(after)), meant, after)


def _head(piece: str, room: int) -> str:
    """As much of the beginning as fits."""
    if cell_len(piece) <= room:
        return piece
    piece = piece[: max(room, 0)]
    while piece and cell_len(piece) + len(_CUT) > room:
        piece = piece[:-1]
    return piece + _CUT[:room]


def _tail(piece: str, room: int) -> str:
    """As much of the end as fits."""
    if cell_len(piece) <= room:
        return piece
    piece = piece[-room:] if room > 0 else ""
    while piece and cell_len(piece) + len(_CUT) > room:
        piece = piece[1:]
    return _CUT[:room] + piece
