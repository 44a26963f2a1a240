"""Which characters of a script go with a setting that is left out.

A word that stands alone on its line goes with the line, and with the backslash that the line before
then needs no more. Any other goes with the blanks before it.
"""

from __future__ import annotations

import re

_WORD = re.compile(r"(?:[^\s\"'\\()]|\"[^\"\n]*\"|'[^'\n]*')+")
_BEFORE_KEY = re.compile(r"[\"']?[+~]{0,2}\Z")
_BLANK = " \t"


def of_word(text: str, start: int) -> tuple[int, int] | None:
    """The range to delete for the word whose key stands at `start`, None where that is not sure."""
    line_start = text.rfind("\n", 0, start) + 1
    before = _BEFORE_KEY.search(text, max(line_start, start - 3), start)
    word_start = before.start() if before is not None else start
    word = _WORD.match(text, word_start)
    if word is None or not word[0].lstrip("\"'+~"):
        return None
    line_end = len(text) if (found := text.find("\n", start)) < 0 else found
    if text[line_start:word_start].strip(_BLANK):
        return _with_blanks(text, word_start, word.end())
    rest = text[word.end() : line_end].strip(_BLANK)
    if rest not in ("", "\\"):
        return _with_blanks_behind(text, word_start, word.end())
    if line_start == 0:
        return None
    previous = text[text.rfind("\n", 0, line_start - 1) + 1 : line_start - 1]
    if rest == "" and previous.endswith("\\"):
        kept = previous.removesuffix("\\").rstrip(_BLANK)
        return line_start - 1 - (len(previous) - len(kept)), line_end
    return line_start - 1, line_end


def _with_blanks(text: str, start: int, end: int) -> tuple[int, int] | None:
    """A word behind others: the blanks before it go."""
    first = start
    while text[first - 1] in _BLANK:
        first -= 1
    is_apart = first < start and (end == len(text) or text[end] in " \t\n)")
    return (first, end) if is_apart else None


def _with_blanks_behind(text: str, start: int, end: int) -> tuple[int, int] | None:
    """The first word of a line with others: the blanks after it go."""
    last = end
    while last < len(text) and text[last] in _BLANK:
        last += 1
    return (start, last) if last > end else None
