"""The strings of Python code, each character in its place, without a parse of the rest.

Documents show pieces of code: a quarter of those in verl's own do not parse.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from snippet_checker.languages.words import EMPTY, Word
from snippet_checker.model import UNKNOWN

_TOKEN = re.compile(
    r"""\#[^\n]*
    |(?:(?<!\w)(?P<prefix>[rRuUbBfF]{1,2}))?
     (?:(?P<quotes>\"{3}|'{3})(?P<long>(?:\\.|(?!(?P=quotes)).)*)(?P=quotes)
       |(?P<quote>["'])(?P<short>(?:\\.|(?!(?P=quote))[^\\\n])*)(?P=quote))""",
    re.VERBOSE | re.DOTALL,
)
_PIECE = re.compile(r"\\(?P<escaped>[nt\n\\\"'])|\{\{|\}\}|(?P<field>\{[^{}]*\})")
_PLAIN_FIELD = re.compile(r"\{\w*\}")  # what `format` fills in
_ESCAPES = {"n": "\n", "t": "\t", "\n": ""}
_COMMENT = re.compile(r"#[^\n]*")
_COMMENTS = re.compile(r"(?:\s|#[^\n]*\n)*")
_LIST_START = re.compile(r"[\[(](?:\s|#[^\n]*\n|[\w.]+\s*,)*$")  # `[sys.executable,`
_LONG = 200  # characters that a list may have before its first string
_MORE_BEFORE = re.compile(r"\+\s*$")
_MORE_AFTER = re.compile(r"\s*(?:\+|%|\.\w)")


@dataclass(frozen=True, slots=True)
class _String:
    """A string of the code; what an operator adds to it is unknown. It stands at start to end."""

    word: Word
    start: int
    end: int


def lists(text: str) -> Iterator[list[Word]]:
    """The strings of each list or call, in order; any other string is a list of its own."""
    strings = _strings(text)
    taken: set[_String] = set()
    for number, string in enumerate(strings):
        if string in taken:
            continue
        elements = [string]
        if _LIST_START.search(text, max(0, string.start - _LONG), string.start):
            elements += _rest_of_list(text, strings, number)
        taken.update(elements)
        yield [element.word for element in elements]


def _strings(text: str) -> list[_String]:
    """Every string; those that follow one another without an operator are one."""
    found: list[_String] = []
    for token in _TOKEN.finditer(text):
        group = "long" if token["quotes"] else "short"
        if token[group] is None:
            continue  # a comment
        word = _word(token[group], token.start(group), (token["prefix"] or "").lower())
        if found and _COMMENTS.fullmatch(text, found[-1].end, token.start()):
            last = found.pop()
            found.append(_String(last.word + word, last.start, token.end()))
        else:
            found.append(_String(word, token.start(), token.end()))
    return [_with_additions(string, text) for string in found]


def _rest_of_list(text: str, strings: Sequence[_String], number: int) -> Iterator[_String]:
    """The strings that follow one of them as elements of the same list."""
    depth, end = 0, strings[number].end
    for string in strings[number + 1 :]:
        for character in _COMMENT.sub("", text[end : string.start]):
            depth += (character in "([{") - (character in ")]}")
            if depth < 0:
                return
        end = string.end
        if depth == 0:
            yield string


def _word(body: str, start: int, prefix: str) -> Word:
    if "r" in prefix and "f" not in prefix:
        return Word(body, tuple(range(start, start + len(body))))
    word, end = EMPTY, 0
    for piece in _PIECE.finditer(body):
        place = (start + piece.start(),)
        if piece["escaped"]:
            text = _ESCAPES.get(piece["escaped"], piece["escaped"])
        elif piece["field"] and ("f" in prefix or _PLAIN_FIELD.fullmatch(piece["field"])):
            text = UNKNOWN
        elif "f" in prefix and not piece["field"]:
            text = piece[0][0]
        else:
            continue
        word += _plain(body, start, end, piece.start()) + Word(text, place * len(text))
        end = piece.end()
    return word + _plain(body, start, end, len(body))


def _plain(body: str, start: int, begin: int, end: int) -> Word:
    return Word(body[begin:end], tuple(range(start + begin, start + end)))


def _with_additions(string: _String, text: str) -> _String:
    before = Word(UNKNOWN, (string.start,))
    after = Word(UNKNOWN, (string.end - 1,))
    word = string.word
    if _MORE_BEFORE.search(text, 0, string.start):
        word = before + word
    if _MORE_AFTER.match(text, string.end):
        word += after
    return _String(word, string.start, string.end)
