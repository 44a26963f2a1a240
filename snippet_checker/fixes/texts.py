"""Edits applied to the text of a file."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from snippet_checker.findings import Edit, Fix


class Misplaced(Exception):
    """What an edit replaces does not stand where it should."""


def apply(text: str, fixes: Iterable[Fix]) -> str:
    """The text with fixes that do not meet one another; raises Misplaced."""
    starts = _line_starts(text)
    edits = sorted(
        dict.fromkeys((*_range(edit, starts), edit) for fix in fixes for edit in fix.edits),
        key=lambda item: item[:2],
    )
    pieces, end = [], 0
    for start, stop, edit in edits:
        if text[start:stop] != edit.old or start < end:
            raise Misplaced
        pieces += [text[end:start], edit.new]
        end = stop
    return "".join([*pieces, text[end:]])


def apart(fixes: Sequence[Fix]) -> list[Fix]:
    """Of some fixes, the first ones that do not meet one another; the same edit counts once."""
    taken: list[tuple[tuple[int, int], tuple[int, int], Edit]] = []
    kept = []
    for fix in fixes:
        new = [(*_ends(edit), edit) for edit in fix.edits]
        if not any(_meet(one, other) for one in new for other in taken):
            taken += [one for one in new if one not in taken]
            kept.append(fix)
    return kept


def _ends(edit: Edit) -> tuple[tuple[int, int], tuple[int, int]]:
    span = edit.span
    return (span.line, span.column), (span.end_line, span.end_column)


def _meet(
    one: tuple[tuple[int, int], tuple[int, int], Edit],
    other: tuple[tuple[int, int], tuple[int, int], Edit],
) -> bool:
    if one == other:
        return False
    if one[0] == one[1] and other[0] == other[1]:
        return one[0] == other[0]
    return one[0] < other[1] and other[0] < one[1]


def _line_starts(text: str) -> list[int]:
    starts = [0]
    starts.extend(index + 1 for index, character in enumerate(text) if character == "\n")
    return [*starts, len(text) + 1]


def _range(edit: Edit, starts: Sequence[int]) -> tuple[int, int]:
    span = edit.span
    return _offset(span.line, span.column, starts), _offset(span.end_line, span.end_column, starts)


def _offset(line: int, column: int, starts: Sequence[int]) -> int:
    if line >= len(starts) or starts[line - 1] + column > starts[line]:
        raise Misplaced
    return starts[line - 1] + column - 1
