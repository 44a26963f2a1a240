"""Words of a text that remember where each of their characters stands."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from itertools import chain, pairwise

from msgspec import Struct
from msgspec.structs import replace

from snippet_checker.text.places import Meaning, SourceText, Span

_Maker = Callable[[re.Match[str]], "Word"]

_BETWEEN_WORDS = re.compile(r"(?<![\\\s])\s")  # not where a line goes on
_EXPANSION_BEFORE = re.compile(r"\$(?:\w+|\{[^\s{}]+\})\"?$")
_SUM = re.compile(r"\$\(\((?:[^()\n]|\([^()\n]*+\))*+\)\)")
_EXPANSION_AFTER = re.compile(r"\"?\$(?:\w+|\{[^\s{}]+\})")

UNKNOWN = "\ufffc"
"""Stands in a command's words for a piece that is known at launch only."""


class Word(Struct, frozen=True):
    """A word after expansion; `offsets` has the place in the block's text of each character.

    A word is not `sure` where a branch or a default value decides whether it is there. It is
    `split_off` where the shell made several words of one argument, at a blank in a variable.
    """

    text: str
    offsets: tuple[int, ...]
    sure: bool = True
    split_off: bool = False

    def __add__(self, other: Word) -> Word:
        return Word(
            self.text + other.text,
            self.offsets + other.offsets,
            self.sure and other.sure,
            self.split_off,
        )

    def cut(self, start: int, end: int | None = None) -> Word:
        return Word(self.text[start:end], self.offsets[start:end], self.sure, self.split_off)

    def stripped(self) -> Word:
        return self.cut(len(self.text) - len(self.text.lstrip()), len(self.text.rstrip()))

    def span(self, source: SourceText) -> Span:
        if not self.offsets:
            return source.span(0, 0)
        first, last = self.offsets[0], self.offsets[-1]
        if last - first != len(self.offsets) - 1:
            first, last = _where_used(source.text, sorted(self.offsets))
        sum_ = _SUM.match(source.text, last)
        return source.span(first, sum_.end() if sum_ is not None else last + 1)


EMPTY = Word("", ())


def concatenated(words: Iterable[Word]) -> Word:
    """One word of several, side by side."""
    parts = list(words)
    if len(parts) == 1:
        return parts[0]
    return Word(
        "".join(part.text for part in parts),
        tuple(chain.from_iterable(part.offsets for part in parts)),
        all(part.sure for part in parts),
        bool(parts) and parts[0].split_off,
    )


def piece(text: str, start: int, end: int) -> Word:
    """A piece of a block's text as a word."""
    return Word(text[start:end], tuple(range(start, end)))


def unknown_at(place: int) -> Word:
    """A word for what is known at launch only."""
    return Word(UNKNOWN, (place,))


def unsure(words: Iterable[Word]) -> tuple[Word, ...]:
    """The words as such that may not be there."""
    return tuple(replace(word, sure=False) for word in words)


def spaced(words: Iterable[Word]) -> Word:
    """One text of several words, with blanks between them."""
    parts: list[Word] = []
    for word in words:
        if parts:
            parts.append(Word(" ", parts[-1].offsets[-1:]))
        if word.text:
            parts.append(word)
    return concatenated(parts)


def replaced(word: Word, matches: Iterable[re.Match[str]], make: _Maker) -> Word:
    """The word with another one in the place of each match in its text."""
    pieces, end = [word.cut(0, 0)], 0
    for match in matches:
        pieces += (word.cut(end, match.start()), make(match))
        end = match.end()
    return concatenated([*pieces, word.cut(end)])


def decoded(word: Word, escapes: re.Pattern[str], meaning: Meaning) -> Word:
    """The word with each escape as what it means; that stands where the escape begins."""

    def make(escape: re.Match[str]) -> Word:
        text = meaning(escape)
        if text == escape[0]:
            return word.cut(*escape.span())
        return Word(text, word.offsets[escape.start() : escape.start() + 1] * len(text))

    return replaced(word, escapes.finditer(word.text), make)


def opaque(word: Word, pattern: re.Pattern[str]) -> Word:
    """The word with what is filled in before anything runs made unknown."""

    def make(match: re.Match[str]) -> Word:
        return unknown_at(word.offsets[match.start()])

    return replaced(word, pattern.finditer(word.text), make)


def _where_used(text: str, offsets: Sequence[int]) -> tuple[int, int]:
    """The first and last character of what is put together from variables and text beside them.

    A variable is set before it is used, so what stands last is where it all comes together.
    """
    start, end = first_in_place(text, offsets), offsets[-1] + 1
    if start == offsets[0]:
        return start, end - 1
    line = text.rfind("\n", 0, start) + 1
    if (before := _EXPANSION_BEFORE.search(text[line:start])) is not None:
        start = line + before.start()
    if (after := _EXPANSION_AFTER.match(text, end)) is not None:
        end = after.end()
    return start, end - 1


def first_in_place(text: str, offsets: Sequence[int]) -> int:
    """The first character of the argument that the last of some characters stands in.

    The `offsets` go up; what stands before that argument comes from where a variable is set.
    """
    start = offsets[-1]
    for one, other in pairwise(reversed(offsets)):
        if _BETWEEN_WORDS.search(text, other + 1, one):
            break
        start = other
    return start
