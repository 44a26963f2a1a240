"""Patterns of keys, as reviewed files and closed sets have them: `*` stands for any text."""

from __future__ import annotations

import fnmatch
from functools import cache


def any_fits(patterns: tuple[str, ...], key: str) -> bool:
    """Whether one of some patterns stands for a key."""
    keys, wild = _sorted_out(patterns)
    return key in keys or any(fnmatch.fnmatchcase(key, pattern) for pattern in wild)


@cache
def _sorted_out(patterns: tuple[str, ...]) -> tuple[frozenset[str], tuple[str, ...]]:
    """Those that are keys, and those that stand for several."""
    wild = tuple(pattern for pattern in patterns if not {"*", "?", "["}.isdisjoint(pattern))
    return frozenset(patterns).difference(wild), wild
