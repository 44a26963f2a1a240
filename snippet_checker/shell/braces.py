"""Brace expansion: `a{b,c}d` and `{1..3}` are several words for the shell."""

from __future__ import annotations

import re
from collections.abc import Iterator, Set
from itertools import islice

from snippet_checker.text.words import Word
from snippet_checker.work import TooMuchWork

_BRACES = re.compile(
    r"\{(?:(?P<list>[^{}\s,]*,[^{}\s]*)"
    r"|(?P<first>-?[0-9]{1,18})\.\.(?P<last>-?[0-9]{1,18})(?:\.\.(?P<step>-?[0-9]{1,18}))?"
    r"|(?P<from>[A-Za-z])\.\.(?P<to>[A-Za-z]))\}"
)
_MOST_NUMBERS = 50  # that are made of a range: more differ in nothing that matters here
_MOST_BRACES = 30  # in one argument
_MOST_WORDS = 1000  # that are made of one argument


def expand_braces(word: Word, bare: Set[int]) -> Iterator[Word]:
    """The words that the shell makes of one; `bare` has the places of what is not quoted.

    Raises TooMuchWork where they take too many braces.
    """
    return islice(_expanded(word, bare, _MOST_BRACES), _MOST_WORDS)


def _expanded(word: Word, bare: Set[int], most: int) -> Iterator[Word]:
    braces = next((m for m in _BRACES.finditer(word.text) if _is_bare(word, m, bare)), None)
    if braces is None:
        yield word
        return
    if most == 0:
        raise TooMuchWork(f"it has more than {_MOST_BRACES} pairs of braces")
    for inside in _choices(word, braces):
        whole = word.cut(0, braces.start()) + inside + word.cut(braces.end())
        yield from _expanded(whole, bare, most - 1)


def _is_bare(word: Word, braces: re.Match[str], bare: Set[int]) -> bool:
    """Whether both braces and a comma are the shell's, and no `$` stands before them."""
    opening, closing = word.offsets[braces.start()], word.offsets[braces.end() - 1]
    if opening not in bare or closing not in bare or word.text[: braces.start()].endswith("$"):
        return False
    signs = [n for n in range(*braces.span()) if word.text[n] in ",."]
    return any(word.offsets[number] in bare for number in signs)


def _choices(word: Word, braces: re.Match[str]) -> Iterator[Word]:
    """What a list of words, or a range of numbers or letters, in braces stands for."""
    if braces["list"] is None:
        place = word.offsets[braces.start()]
        for text in _range(braces):
            yield Word(text, (place,) * len(text))
        return
    start = braces.start("list")
    for choice in braces["list"].split(","):
        yield word.cut(start, start + len(choice))
        start += len(choice) + 1


def _range(braces: re.Match[str]) -> list[str]:
    if braces["from"] is not None:
        first, last = ord(braces["from"]), ord(braces["to"])
        return [chr(code) for code in _between(first, last, 1)]
    ends = (braces["first"], braces["last"])
    first, last = map(int, ends)
    has_zeros = any(re.match(r"-?0\d", end) for end in ends)
    width = max(map(len, ends)) if has_zeros else 0
    step = abs(int(braces["step"] or 1)) or 1
    return [f"{number:0{width}d}" for number in _between(first, last, step)]


def _between(first: int, last: int, step: int) -> range:
    numbers = range(first, last + 1, step) if first <= last else range(first, last - 1, -step)
    return numbers[:_MOST_NUMBERS]
