"""A change of a key or a value -> edits of the file, as the key is written there.

A file often shows a part of a key only: a YAML file its last name, a script `$ACTOR.use_kl_loss`,
running text the end of it. Then that part is changed, if the rest stays the same.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from functools import cached_property

from msgspec.structs import replace

from snippet_checker.documents.block import Block, BlockKind
from snippet_checker.findings import Change, Edit, Fix, Problem
from snippet_checker.fixes import removals
from snippet_checker.fixes.yaml_moves import Entries
from snippet_checker.text.places import Origin, Span

_PLUSES = re.compile(r"\+{1,3}\Z")
_IF_SET = re.compile(r"\$\{!?\w{1,80}(?:\[[^\[\]]{1,80}\])?:?\+\Z")  # of a shell: `${NAME:+`
_LONGEST_IF_SET = 170
_QUOTED = re.compile(r"(?s)([\"'])(.*)\1\Z")
_IN_QUOTES_ONLY = re.compile(r"[\s\"'\\$`!*?\[\]{}()<>|&;#]")
_SCRIPTS = (BlockKind.SHELL, BlockKind.CONSOLE)
_PROSE = (BlockKind.MYST, BlockKind.RST)


class Fixes:
    """Makes the fixes of a block's problems."""

    def __init__(self, block: Block) -> None:
        self._block = block

    def of(self, problem: Problem) -> Fix | None:
        """What fixes a problem; None where nobody knows how to write it."""
        change = problem.change
        start = self._offset(problem.span) if change is not None else None
        if change is None or start is None:
            return None
        end = start + problem.span.end_column - problem.span.column
        if change.new is None:
            return self._removal(start, end, change)
        if change.old is None:
            edits = _new_text(self._block, start, end, change.new)
        else:
            edits = _new_key(self._block, start, end, change.old, change.new) or self._moved(
                start, change
            )
        return Fix(edits, change.is_safe) if edits else None

    def _removal(self, start: int, end: int, change: Change) -> Fix | None:
        """A setting left out of a script or of a YAML mapping."""
        block, gone = self._block, None
        if block.kind is BlockKind.YAML:
            gone = self._entries.removal(start)
        elif block.kind in _SCRIPTS and block.text[start:end] == change.old:
            gone = removals.of_word(block.text, start)
        if gone is None:
            return None
        return Fix((self._deletion(*gone),), change.is_safe, removes=True)

    def _deletion(self, start: int, end: int) -> Edit:
        """An edit that deletes characters of the block, some lines perhaps."""
        first, last = self._block.span(start, start), self._block.span(end, end)
        lines = replace(first, end_line=last.line, end_column=last.column)
        return Edit(lines, self._as_written(self._block.text[start:end]), "")

    def _offset(self, span: Span) -> int | None:
        """Where a span begins in the block, if its characters stand there as in the file."""
        block, length = self._block, span.end_column - span.column
        if span.path != block.path or span.line != span.end_line or not length:
            return None
        beside = self._origins.get(span.line, ())
        before = bisect_right(beside, span.column, key=lambda origin: origin.column)
        if not before:
            return None
        start = beside[before - 1].offset + span.column - beside[before - 1].column
        end = start + length
        is_there = end <= len(block.text) and block.span(start, end) == span
        return start if is_there and len(list(block.origins_of(start, end))) == 1 else None

    @cached_property
    def _origins(self) -> dict[int, list[Origin]]:
        """The block's origins by the lines of the file, each line's from left to right."""
        found: dict[int, list[Origin]] = defaultdict(list)
        for origin in sorted(self._block.origins, key=lambda origin: origin.column):
            found[origin.line].append(origin)
        return found

    @cached_property
    def _entries(self) -> Entries:
        return Entries(self._block.text)

    def _moved(self, start: int, change: Change) -> tuple[Edit, ...]:
        """The entry of a YAML mapping, taken to where the new key belongs."""
        block = self._block
        if block.kind is not BlockKind.YAML or change.old is None or not change.new:
            return ()
        if change.new.startswith("+"):
            return ()
        move = self._entries.move(start, change.old, change.new)
        if move is None:
            return ()
        deletion = self._deletion(*move.removed)
        there = block.span(move.place, move.place)
        addition = Edit(there, "", self._as_written(move.added))
        is_first = move.place <= move.removed[0]
        return (addition, deletion) if is_first else (deletion, addition)

    def _as_written(self, text: str) -> str:
        """Lines of the block's text with what stands between them in the file, if that is blank.

        The block's last line tells how far its lines are indented; the first may follow a mark.
        """
        last = self._block.text.rfind("\n") + 1
        margin = self._block.span(last, last).column - 1
        line_end = "\r\n" if self._block.windows_lines else "\n"
        return text.replace("\n", line_end + " " * margin)


def _edit(block: Block, start: int, end: int, new: str) -> Edit:
    return Edit(block.span(start, end), block.text[start:end], new)


def _new_text(block: Block, start: int, end: int, new: str) -> tuple[Edit, ...]:
    """The whole text in a place, less its quotes."""
    old = block.text[start:end]
    if (quoted := _QUOTED.match(old)) is not None:
        start, end, old = start + 1, end - 1, quoted[2]
    elif block.kind not in _PROSE and _IN_QUOTES_ONLY.search(new) and not old.isspace():
        return ()
    if old == new or start == end:
        return ()
    return (_edit(block, start, end, new),)


def _new_key(block: Block, start: int, end: int, old: str, key: str) -> tuple[Edit, ...]:
    """The key in a place, with the plus that it needs, where the part that is shown changes."""
    plus, new = key.startswith("+"), key.lstrip("+")
    if (quoted := _QUOTED.match(block.text[start:end])) is not None:
        start, end = start + 1, start + 1 + len(quoted[2])
    shown = _shown_end(block.text[start:end], old)
    if not shown:
        return ()
    hidden = old[: len(old) - len(shown)]
    written = _written(new, old, hidden, is_prose=block.kind in _PROSE)
    if written is None:
        return ()
    edits = _plus_edits(block, start, wants_plus=plus)
    if edits is None:
        return ()
    if written != shown:
        edits += (_edit(block, end - len(shown), end, written),)
    return edits


def _shown_end(text: str, key: str) -> str:
    """The last whole names of a key that a text ends with: of `$ACTOR.use_kl_loss`, the last."""
    names = key.split(".")
    for first in range(len(names)):
        end = ".".join(names[first:])
        if text.endswith(end) and not re.match(r"[\w-]", text[: -len(end)][-1:]):
            return end
    return ""


def _written(new: str, old: str, hidden: str, *, is_prose: bool) -> str | None:
    """How the new key is written behind what is hidden of the old one."""
    short = ".".join(new.split(".")[-old.count(".") - 1 :])
    is_whole = new.split(".")[0] == old.split(".")[0]
    forms = [new, short] if is_whole or not is_prose else [short, new]
    return next((form[len(hidden) :] for form in forms if form.startswith(hidden)), None)


def _plus_edits(block: Block, start: int, *, wants_plus: bool) -> tuple[Edit, ...] | None:
    """The edits that add or take away a plus before a key; None where that cannot be done."""
    there = _pluses(block.text, start)
    if len(there) > 1 or (there == "+") == wants_plus:
        return ()
    if block.kind is BlockKind.YAML:
        return None  # where no plus is written
    if wants_plus:
        place = block.span(start, start)
        return (Edit(place, "", "+"),)
    if len(list(block.origins_of(start - 1, start + 1))) != 1:
        return None
    return (_edit(block, start - 1, start, ""),)


def _pluses(text: str, start: int) -> str:
    """The pluses that Hydra sees before a key; that of `${NAME:+` is the shell's."""
    found = _PLUSES.search(text, max(0, start - 3), start)
    if found is None:
        return ""
    first = found.start() + 1
    is_shells = _IF_SET.search(text, max(0, first - _LONGEST_IF_SET), first) is not None
    return found[0][1:] if is_shells else found[0]
