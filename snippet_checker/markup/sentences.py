"""Where the sentences of running text begin and end, in English, Chinese and Japanese."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from functools import lru_cache

from msgspec import Struct

# A literal may hold what ends a sentence elsewhere: `...`, `a. b`.
_LITERAL = r"(?P<literal>(?P<ticks>`{1,8})[^`]+(?P=ticks))"
_ABBREVIATION = r"(?<!e\.g)(?<!i\.e)(?<!etc)(?<!\bvs)(?<!\bcf)(?<!resp)"
_REACH = 1200  # no sentence that tells something goes on for longer on either side
_END = re.compile(
    rf"{_LITERAL}|{_ABBREVIATION}[.!?][\"')\]*_]*(?=\s)|[。！？]|\n[ \t]*\n"
    r"|\n(?=[ \t]*(?:[-*+•]|\d+[.)])[ \t])"
)


class Sentences(Struct, frozen=True):
    """A text and the offsets at which its sentences end."""

    text: str
    ends: tuple[int, ...]

    def around(self, start: int, end: int) -> tuple[int, int]:
        """From where to where the sentences go that hold the characters `start` to `end`.

        Of a text without ends of sentences it is what stands near.
        """
        before = bisect_right(self.ends, start)
        after = bisect_left(self.ends, end)
        first = self.ends[before - 1] if before else 0
        last = self.ends[after] if after < len(self.ends) else len(self.text)
        return max(first, start - _REACH), min(last, end + _REACH)


@lru_cache(maxsize=16)
def split(text: str) -> Sentences:
    """The sentences of a text, which may go on over its lines."""
    return Sentences(
        text, tuple(match.end() for match in _END.finditer(text) if match["literal"] is None)
    )
