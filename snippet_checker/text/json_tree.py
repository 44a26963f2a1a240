"""JSON whose strings know where they stand; comments and trailing commas are passed over.

Editors take both in their own files, and `json` gives no places.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from snippet_checker.text.words import Word, decoded

MOST_DEEP = 100
"""The most lists and objects in one another that are read."""

_TOKEN = re.compile(
    r"[\s\ufeff]+|(?P<comment>//[^\n]*+|/\*(?:[^*]|\*(?!/))*+(?:\*/|\Z))"
    r"|\"(?P<string>(?:[^\"\\\n]++|\\.?)*+)(?P<closed>\"?)"
    r"|(?P<sign>[\[\]{}:,])|(?P<scalar>[^\s\"\[\]{}:,/]++)"
)
ESCAPES = re.compile(
    r"\\(?:u(?P<pair>[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2})"
    r"|u(?P<code>[0-9a-fA-F]{4})|(?P<letter>.))"
)
_LETTERS = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}
_CLOSED_BY = {"[": "]", "{": "}"}


class NotJson(Exception):
    """A text is no JSON; `place` is the character at which it stops being any."""

    def __init__(self, place: int) -> None:
        super().__init__(place)
        self.place = place


class _Refused(Exception):
    """A token does not fit what stands before it."""


class TooDeep(Exception):
    """Lists and objects lie in too many others."""


@dataclass(frozen=True, slots=True)
class Text:
    """A string; its characters, escapes as they are written, stand from `start` to `end`."""

    written: str
    start: int

    @property
    def end(self) -> int:
        return self.start + len(self.written)

    @property
    def value(self) -> str:
        return ESCAPES.sub(meaning, self.written) if "\\" in self.written else self.written

    @property
    def word(self) -> Word:
        """The string with the place of each of its characters."""
        return decoded(Word(self.written, tuple(range(self.start, self.end))), ESCAPES, meaning)

    def word_in(self, whole: Word) -> Word:
        """The word for this value, where the text that was parsed is a word itself."""
        return decoded(whole.cut(self.start, self.end), ESCAPES, meaning)


JsonValue = Text | list["JsonValue"] | dict[str, "JsonValue"] | None
"""What a JSON text holds; None stands for numbers, `true`, `false` and `null`."""


def meaning(escape: re.Match[str]) -> str:
    """The characters that an escape stands for; half a surrogate pair is U+FFFD."""
    if escape["pair"]:
        high, low = (int(code, 16) for code in escape["pair"].split("\\u"))
        return chr(0x10000 + ((high - 0xD800) << 10) + low - 0xDC00)
    if escape["code"]:
        code = int(escape["code"], 16)
        return "\ufffd" if 0xD800 <= code < 0xE000 else chr(code)
    return _LETTERS.get(escape["letter"], escape["letter"])


def parse(text: str) -> JsonValue:
    """What a text holds; raises NotJson, and TooDeep."""
    found = parse_all(text)
    if len(found) != 1:
        raise NotJson(_last(text))
    return found[0]


def parse_all(text: str) -> list[JsonValue]:
    """The values that stand in a text one after the other; raises NotJson, and TooDeep."""
    parser = _Parser()
    place = 0
    while place < len(text):
        token = _TOKEN.match(text, place)
        if token is None or token["closed"] == "":
            raise NotJson(place)
        try:
            parser.take(token)
        except _Refused:
            raise NotJson(place) from None
        place = token.end()
    try:
        return parser.result()
    except _Refused:
        raise NotJson(_last(text)) from None


def _last(text: str) -> int:
    """The last character of a text but blanks."""
    return max(len(text.rstrip()) - 1, 0)


class _Parser:
    """Takes tokens; what is open stands in a list, so that no depth is too much for Python."""

    def __init__(self) -> None:
        self._open: list[tuple[str, list[JsonValue] | dict[str, JsonValue]]] = []
        self._found: list[JsonValue] = []
        self._key: list[str | None] = [None]  # of each open object, once its colon was read
        self._last: Text | None = None  # what may become a key

    def take(self, token: re.Match[str]) -> None:
        if token["string"] is not None:
            self._value(Text(token["string"], token.start("string")))
        elif token["scalar"] is not None:
            self._value(None)
        elif token["sign"] is not None:
            self._sign(token["sign"])

    def _value(self, value: JsonValue) -> None:
        holder = self._open[-1][1] if self._open else self._found
        if isinstance(holder, list):
            holder.append(value)
        elif self._key[-1] is not None:
            holder[self._key[-1]] = value
            self._key[-1] = None
        elif isinstance(value, Text) and self._last is None:
            self._last = value
        else:
            raise _Refused

    def _sign(self, sign: str) -> None:
        if sign in _CLOSED_BY:
            self._begin(sign)
        elif sign == ":":
            if self._last is None:
                raise _Refused
            self._key[-1], self._last = self._last.value, None
        elif sign != ",":
            self._end(sign)

    def _begin(self, sign: str) -> None:
        if len(self._open) == MOST_DEEP:
            raise TooDeep
        inner: list[JsonValue] | dict[str, JsonValue] = [] if sign == "[" else {}
        self._value(inner)
        self._open.append((_CLOSED_BY[sign], inner))
        self._key.append(None)

    def _end(self, sign: str) -> None:
        if not self._open or self._open[-1][0] != sign or self._last is not None:
            raise _Refused
        self._open.pop()
        self._key.pop()

    def result(self) -> list[JsonValue]:
        if self._open:
            raise _Refused
        return self._found
