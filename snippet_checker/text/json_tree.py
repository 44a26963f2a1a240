"""JSON whose strings know where they stand; comments and trailing commas are passed over.

Editors take both in their own files, and `json` gives no places. JSON5 also has names without
quotes, strings in single quotes, and a backslash at the end of a line that a string goes on behind:
https://spec.json5.org/.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from snippet_checker.text.words import Word, decoded

MOST_DEEP = 100
"""The most lists and objects in one another that are read."""

_TOKEN = re.compile(
    r"[\s\ufeff]+|(?P<comment>//[^\n]*+|/\*(?:[^*]|\*(?!/))*+(?:\*/|\Z))"
    r"|\"(?P<string>(?:[^\"\\\n]++|\\.?)*+)(?P<closed>\"?)"
    r"|(?P<sign>[\[\]{}:,])|(?P<scalar>[^\s\"\[\]{}:,/]++)"
)
_JSON5_TOKEN = re.compile(
    r"[\s\ufeff]+|(?P<comment>//[^\n]*+|/\*(?:[^*]|\*(?!/))*+(?:\*/|\Z))"
    r"|(?P<quote>[\"'])(?P<string>(?:[^\"'\\\n]++|\\[\s\S]?|(?!(?P=quote))[\"'])*+)"
    r"(?P<closed>(?:(?P=quote))?)"
    r"|(?P<sign>[\[\]{}:,])|(?P<scalar>[^\s\"'\[\]{}:,/]++)"
)
ESCAPES = re.compile(
    r"\\(?:u(?P<pair>[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2})"
    r"|u(?P<code>[0-9a-fA-F]{4})|(?P<end>\n)|(?P<letter>.))"
)
_LETTERS = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}


class NotJson(Exception):
    """A text is no JSON; `place` is the character at which it stops being any."""

    def __init__(self, place: int) -> None:
        super().__init__(place)
        self.place = place


class TooDeep(Exception):
    """Lists and objects lie in too many others."""


class Text(Struct, frozen=True):
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
    if escape["end"]:  # of a line, in JSON5
        return ""
    return _LETTERS.get(escape["letter"], escape["letter"])


def parse(text: str) -> JsonValue:
    """What a text holds; raises NotJson, and TooDeep."""
    found = parse_all(text)
    if len(found) != 1:
        raise NotJson(_last(text))
    return found[0]


def parse_all(text: str, *, json5: bool = False) -> list[JsonValue]:
    """The values that stand in a text one after the other; raises NotJson, and TooDeep."""
    return _Reader(text, json5=json5).values("", 0)


def _last(text: str) -> int:
    """The last character of a text but blanks."""
    return max(len(text.rstrip()) - 1, 0)


class _Reader:
    """Reads the values of a text from left to right; a comma says nothing."""

    def __init__(self, text: str, *, json5: bool) -> None:
        self._text = text
        self._json5 = json5
        grammar = _JSON5_TOKEN if json5 else _TOKEN
        self._tokens = (token for token in _tokens(text, grammar) if token["sign"] != ",")

    def values(self, closing: str, depth: int) -> list[JsonValue]:
        """The values up to a sign, or to the end of the text."""
        found: list[JsonValue] = []
        for token in self._tokens:
            if token["sign"] == closing:
                return found
            found.append(self._value(token, depth))
        if closing:
            raise NotJson(_last(self._text))
        return found

    def _members(self, depth: int) -> dict[str, JsonValue]:
        found: dict[str, JsonValue] = {}
        name = key = None  # a string that may become a key, and one behind which a colon stands
        for token in self._tokens:
            if key is not None and token["sign"] != "}":
                found[key], key = self._value(token, depth), None
            elif name is not None and token["sign"] == ":":
                key, name = name, None
            elif name is None and token["sign"] == "}":
                return found
            elif name is None and token["string"] is not None:
                name = _text(token).value
            elif name is None and self._json5 and token["scalar"] is not None:
                name = token["scalar"]
            else:
                raise NotJson(token.start())
        raise NotJson(_last(self._text))

    def _value(self, token: re.Match[str], depth: int) -> JsonValue:
        if token["string"] is not None:
            return _text(token)
        if token["scalar"] is not None:
            return None
        if token["sign"] not in ("[", "{"):
            raise NotJson(token.start())
        if depth == MOST_DEEP:
            raise TooDeep
        return self.values("]", depth + 1) if token["sign"] == "[" else self._members(depth + 1)


def _text(token: re.Match[str]) -> Text:
    return Text(token["string"], token.start("string"))


def _tokens(text: str, grammar: re.Pattern[str]) -> Iterator[re.Match[str]]:
    """The tokens but blanks and comments; raises NotJson."""
    place = 0
    while place < len(text):
        token = grammar.match(text, place)
        if token is None or token["closed"] == "":
            raise NotJson(place)
        place = token.end()
        if token.lastgroup is not None and token["comment"] is None:
            yield token
