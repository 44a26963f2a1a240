"""Patterns of keys, as reviewed files and closed sets have them: `*` stands for any text."""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Callable
from functools import lru_cache


def any_fits(patterns: tuple[str, ...], key: str) -> bool:
    """Whether one of some patterns stands for a key."""
    return _matcher(patterns)(key) is not None


@lru_cache(maxsize=4096)  # documents bring patterns, too
def _matcher(patterns: tuple[str, ...]) -> Callable[[str], re.Match[str] | None]:
    """One expression for all of them; nothing fits where there is none."""
    return re.compile("|".join(map(fnmatch.translate, patterns)) or r"(?!)").match
