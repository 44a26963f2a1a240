"""Which of some names is most like a text."""

from __future__ import annotations

import re
from collections.abc import Iterable

from rapidfuzz import fuzz
from rapidfuzz.distance import OSA

_WORTH_NAMING = 0.62
_FILE_END = re.compile(r"\.(?:py|ya?ml)$")


def closest(text: str, choices: Iterable[str]) -> str | None:
    """The choice most like `text`, or None where none is much like it.

    Of modules and files the last name decides; one that continues `text` is liker than one that
    changes it.
    """

    def likeness(choice: str) -> tuple[float, float]:
        one, other = _last_name(text), _last_name(choice)
        last = (fuzz.ratio(one, other) + fuzz.partial_ratio(one, other)) / 200
        return last, fuzz.ratio(text, choice)

    best = max(sorted(choices), key=likeness, default=None)
    return best if best is not None and likeness(best)[0] >= _WORTH_NAMING else None


def is_misspelling(text: str, meant: str | None) -> bool:
    """Whether a text is a word with a letter or two wrong, whatever their case."""
    if meant is None:
        return False
    return OSA.distance(text.lower(), meant.lower()) <= max(len(meant) // 4, 1)


def _last_name(text: str) -> str:
    end = _FILE_END.search(text)
    return (text[: end.start()].rpartition("/")[2] if end else text).rpartition(".")[2]
