"""What YAML and Python write a value as, in the types that OmegaConf has."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from snippet_checker.hydra.setting import Value
from snippet_checker.work import TooMuchWork

_DEEPEST = 20  # brackets in each other
_MOST_BITS = 2_000  # of a whole number; Python refuses to write those of many more
_TOKEN = re.compile(
    r"""(?:
      (?P<string>[uU]?(?:"(?!"")(?:[^"\\\n]|\\.)*+"|'(?!'')(?:[^'\\\n]|\\.)*+'))
    | (?P<raw>[rR](?:"(?!"")(?:[^"\\\n]|\\.)*+"|'(?!'')(?:[^'\\\n]|\\.)*+'))
    | (?P<whole>0|[1-9][0-9]{0,18})(?![\w.])
    | (?P<real>(?:[0-9]{1,20}\.[0-9]{0,20}|\.[0-9]{1,20})(?:[eE][-+]?[0-9]{1,3})?
        |[0-9]{1,20}[eE][-+]?[0-9]{1,3})(?![\w.])
    | (?P<word>True|False|None)\b
    | (?P<sign>[-+\[\](){},:])
    )""",
    re.VERBOSE,
)
_ESCAPE = re.compile(r"\\(?:(?P<known>[abfnrtv\\'\"])|x(?P<hex>[0-9a-fA-F]{2})|(?P<other>.))")
_LETTERS = dict(zip("abfnrtv\\'\"", "\a\b\f\n\r\t\v\\'\"", strict=True))
_WORDS: dict[str, Any] = {"True": True, "False": False, "None": None}


def plain(value: Any) -> Any:
    """The value of a literal; UNKNOWN for what no config holds: sets, bytes, dates, `...`.

    Raises TooMuchWork for a number that is too long to be written, such as `0xfff…`.
    """
    if isinstance(value, int) and value.bit_length() > _MOST_BITS:
        raise TooMuchWork("it holds a number of more than 600 digits")
    if value is None or isinstance(value, bool | int | float | str | Value):
        return value
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if isinstance(value, dict):
        return {_name(name): plain(item) for name, item in value.items()}
    return Value.UNKNOWN


def _name(key: Any) -> str:
    plain(key)  # a number that nobody can write
    return str(key)


def read(text: str) -> Any:
    """The value of a Python literal; UNKNOWN for any other text.

    Python itself would compile the text, warn of its escapes, and may fail at its nesting.
    """
    try:
        reader = _Reader(text.strip())
        value = reader.value(0)
        reader.end()
    except _NotLiteral:
        return Value.UNKNOWN
    return plain(value)


class _NotLiteral(Exception):
    """The text is no literal, or none that is read here."""


@dataclass(slots=True)
class _Reader:
    """Reads a text from left to right; a line may end in brackets only."""

    text: str
    place: int = 0
    brackets: int = 0

    def value(self, depth: int) -> Any:
        """The literal that comes next."""
        token = self._next()
        if depth > _DEEPEST or token.lastgroup is None:
            raise _NotLiteral
        text = token[token.lastgroup]
        if token.lastgroup == "sign":
            return self._signed(text) if text in "-+" else self._collection(text, depth)
        if token.lastgroup in ("string", "raw"):
            return self._strings(token)
        return _WORDS[text] if token.lastgroup == "word" else _NUMBERS[token.lastgroup](text)

    def end(self) -> None:
        """Raise where something is left."""
        if self.place < len(self.text):
            raise _NotLiteral

    def _token(self) -> re.Match[str] | None:
        """The next token behind blanks, which is not taken yet."""
        blanks = " \t\f\r\n" if self.brackets else " \t\f"
        while self.place < len(self.text) and self.text[self.place] in blanks:
            self.place += 1
        return _TOKEN.match(self.text, self.place)

    def _next(self) -> re.Match[str]:
        token = self._token()
        if token is None:
            raise _NotLiteral
        self.place = token.end()
        return token

    def _takes(self, sign: str) -> bool:
        token = self._token()
        if token is None or token["sign"] != sign:
            return False
        self.place = token.end()
        return True

    def _signed(self, sign: str) -> Any:
        token = self._next()
        if token.lastgroup not in _NUMBERS:
            raise _NotLiteral
        number = _NUMBERS[token.lastgroup](token[token.lastgroup])
        return -number if sign == "-" else number

    def _strings(self, first: re.Match[str]) -> str:
        """Strings side by side are one."""
        whole = _string(first)
        while (token := self._token()) and (token["string"] or token["raw"]):
            whole += _string(token)
            self.place = token.end()
        return whole

    def _collection(self, opening: str, depth: int) -> Any:
        if opening == "{":
            return self._mapping(depth)
        if opening not in "[(":
            raise _NotLiteral
        closing = {"[": "]", "(": ")"}[opening]
        self.brackets += 1
        items: list[Any] = []
        has_comma = False
        while not self._takes(closing):
            if items and not has_comma:
                raise _NotLiteral
            items.append(self.value(depth + 1))
            has_comma = self._takes(",")
        self.brackets -= 1
        return items[0] if opening == "(" and len(items) == 1 and not has_comma else items

    def _mapping(self, depth: int) -> dict[Any, Any]:
        items: dict[Any, Any] = {}
        has_comma = True
        self.brackets += 1
        while not self._takes("}"):
            key = self.value(depth + 1) if has_comma else None
            if isinstance(key, list | dict) or not has_comma or not self._takes(":"):
                raise _NotLiteral
            items[key] = self.value(depth + 1)
            has_comma = self._takes(",")
        self.brackets -= 1
        return items


_NUMBERS: dict[str, Callable[[str], int | float]] = {"whole": int, "real": float}


def _string(token: re.Match[str]) -> str:
    if token["raw"] is not None:
        return token["raw"][2:-1]
    body = token["string"].lstrip("uU")[1:-1]
    return _ESCAPE.sub(_unescaped, body)


def _unescaped(escape: re.Match[str]) -> str:
    if escape["known"] is not None:
        return _LETTERS[escape["known"]]
    if escape["hex"] is not None:
        return chr(int(escape["hex"], 16))
    if escape["other"] in "01234567xuUN":
        raise _NotLiteral  # rare enough
    return escape[0]
