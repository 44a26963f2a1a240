"""Patterns of keys, as reviewed files and closed sets have them: `*` stands for any text."""

from __future__ import annotations

import fnmatch


def any_fits(patterns: tuple[str, ...], key: str) -> bool:
    """Whether one of some patterns stands for a key."""
    return any(fnmatch.fnmatchcase(key, pattern) for pattern in patterns)
