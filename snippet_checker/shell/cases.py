"""Which item of a `case` statement a text leads to."""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Sequence

from msgspec import Struct

from snippet_checker.shell.costs import CHARACTERS_A_STEP
from snippet_checker.shell.node import Node
from snippet_checker.shell.source import Source
from snippet_checker.work import Budget

_STEPS_FOR_A_GLOB = 200  # to compile it
_WILD = re.compile(r"[*?\[]")


class _Patterns(Struct, frozen=True):
    """The patterns of one item: plain texts, and globs."""

    texts: frozenset[str]
    globs: tuple[str, ...]


class Cases:
    """The items of a script's `case` statements, whose patterns are read once."""

    def __init__(self, budget: Budget) -> None:
        self._budget = budget
        self._known: dict[Node, _Patterns] = {}
        self._paid: set[str] = set()  # globs that fnmatch has compiled

    def first(self, items: Sequence[Node], text: str, source: Source) -> list[Node]:
        """The first item that a text matches, if any does; raises TooMuchWork."""
        for item in items:
            patterns = self._patterns(item, source)
            self._budget.spend(1)
            if text in patterns.texts or any(self._matches(glob, text) for glob in patterns.globs):
                return [item]
        return []

    def takes_all(self, item: Node, source: Source) -> bool:
        """Whether every text matches an item."""
        return "*" in self._patterns(item, source).globs

    def _patterns(self, item: Node, source: Source) -> _Patterns:
        if item not in self._known:
            values = item.children_by_field_name("value")
            patterns = [source.text(value).strip("\"'") for value in values]
            globs = tuple(pattern for pattern in patterns if _WILD.search(pattern))
            self._known[item] = _Patterns(frozenset(patterns).difference(globs), globs)
        return self._known[item]

    def _matches(self, glob: str, text: str) -> bool:
        if glob not in self._paid:
            self._budget.spend(_STEPS_FOR_A_GLOB)
            self._paid.add(glob)
        self._budget.spend(1 + len(text) // CHARACTERS_A_STEP)
        return fnmatch.fnmatchcase(text, glob)
