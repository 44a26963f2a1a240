"""Patterns of keys, as reviewed files and closed sets have them: `*` stands for any text."""

from __future__ import annotations

import fnmatch
import re
from functools import lru_cache


def any_fits(patterns: tuple[str, ...], key: str) -> bool:
    """Whether one of some patterns stands for a key."""
    return _compiled(patterns).match(key) is not None


@lru_cache(maxsize=4096)  # documents bring patterns, too
def _compiled(patterns: tuple[str, ...]) -> re.Pattern[str]:
    """One expression for all of them; nothing fits where there is none."""
    return re.compile("|".join(map(fnmatch.translate, patterns)) or r"(?!)")
