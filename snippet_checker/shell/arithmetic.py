"""Arithmetic as bash does it: integers of 64 bits, as far as what stands in it is known.

Here `text` is an expression after the shell has expanded its `$`; names in it are read as it goes.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterator
from itertools import islice

from msgspec import Struct, field

Read = Callable[[str, int | None], str | None]
"""The text of a variable, or of an element of it; None where only the launch tells."""

_TOKEN = re.compile(
    r"(?P<number>[0-9][\w#@]*)|(?P<name>[A-Za-z_]\w*)|(?P<open>(?<=\w)\[)"
    r"|(?P<twice>\+\+|--)|(?P<sign><<=|>>=|\*\*|<<|>>|&&|\|\||[-+*/%&|^<>=!]=|[-+*/%&|^<>=!~?:,()\]])",
    re.ASCII,
)
_BLANKS = re.compile(r"[ \t\n\r\f\v]*+")
_NAME = re.compile(r"(?<!\w)[A-Za-z_]\w*", re.ASCII)
_CHANGED = re.compile(
    r"(?<!\w)([A-Za-z_]\w*+)(?:\[[^\[\]]*+\])?\s*+(?:\+\+|--|(?:[-+*/%&|^]|<<|>>)?=(?!=))"
    r"|(?:\+\+|--)\s*+([A-Za-z_]\w*)"
)
_NUMBER = re.compile(
    r"0[xX](?P<hex>[0-9A-Fa-f]+)|0(?P<octal>[0-7]*)|(?P<base>[1-9][0-9]?)#(?P<digits>[\w@]+)"
    r"|(?P<decimal>[1-9][0-9]*)",
    re.ASCII,
)
_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ@_"
_LETTER_BASE = 36  # up to which capital letters are the small ones
_BITS = 64
_MOST_TOKENS = 2_000
_MOST_NAMES = 200  # that are looked at for what they hold
_DEEPEST = 24  # brackets and names in each other
_LONGEST_NUMBER = 70  # digits
_ASSIGNING = frozenset({"=", "+=", "-=", "*=", "/=", "%=", "&=", "^=", "|=", "<<=", ">>="})
_LEVELS = (
    *(("||",), ("&&",), ("|",), ("^",), ("&",), ("==", "!="), ("<", ">", "<=", ">=")),
    *(("<<", ">>"), ("+", "-"), ("*", "/", "%"), ("**",)),
)
_LEVEL = {sign: level for level, signs in enumerate(_LEVELS) for sign in signs}
_POWER = _LEVEL["**"]
_SIMPLE: dict[str, Callable[[int, int], int]] = {
    **{"|": operator.or_, "^": operator.xor, "&": operator.and_},
    **{"+": operator.add, "-": operator.sub, "*": operator.mul},
    **{"==": operator.eq, "!=": operator.ne, "<": operator.lt, ">": operator.gt},
    **{"<=": operator.le, ">=": operator.ge},
    "||": lambda one, other: one != 0 or other != 0,
    "&&": lambda one, other: one != 0 and other != 0,
}


class Calculated(Struct, frozen=True):
    """What an expression comes to, and the variables that it sets; None where nobody knows."""

    value: int | None
    changed: dict[str, int | None]


class _Unknown(Exception):
    """The value is not known, or bash stops with an error."""


class _Token(Struct, frozen=True):
    kind: str
    text: str


class _State(Struct):
    """What an expression shares with those that its variables hold."""

    read: Read
    changed: dict[str, int | None] = field(default_factory=dict)
    tokens: int = 0
    depth: int = 0


def evaluate(text: str, read: Read) -> Calculated:
    """The value of an expression."""
    state = _State(read)
    try:
        return Calculated(_value(text, state), state.changed)
    except _Unknown:
        names = {*state.changed, *_changed_within(text, read)}
        return Calculated(None, dict.fromkeys(names))


def changed_in(text: str) -> Iterator[str]:
    """The variables that an expression sets by name: `i++`, `n += 2`."""
    for match in _CHANGED.finditer(text):
        yield match[1] or match[2]


def names_in(text: str) -> set[str]:
    """What stands in an expression, or in a text around one, and may be a variable."""
    return {*_NAME.findall(text)}


def _changed_within(text: str, read: Read) -> Iterator[str]:
    """The variables that an expression may set, and those that its variables hold."""
    waiting, seen = [text], set[str]()
    while waiting:
        part = waiting.pop()
        yield from changed_in(part)
        for name in names_in(part) - seen:
            seen.add(name)
            held = read(name, None) if len(seen) <= _MOST_NAMES else None
            waiting += [held] if held else []


def _value(text: str, state: _State) -> int:
    tokens = list(islice(_tokens(text), _MOST_TOKENS + 1))
    state.tokens += len(tokens)
    if state.tokens > _MOST_TOKENS:
        raise _Unknown
    return _Reader(tokens, state).whole() if tokens else 0


def _tokens(text: str) -> Iterator[_Token]:
    place, before = 0, ""
    while (place := _end_of_blanks(text, place)) < len(text):
        match = _TOKEN.match(text, place)
        if match is None:
            raise _Unknown
        kind, sign = match.lastgroup or "", match[0]
        if kind == "twice":
            kind = _kind_of_twice(text, match.end(), before)
            sign = sign if kind != "sign" else sign[0]
        yield _Token(kind, sign)
        place, before = place + len(sign), sign if kind == "sign" else kind


def _end_of_blanks(text: str, place: int) -> int:
    blanks = _BLANKS.match(text, place)
    return blanks.end() if blanks is not None else place


def _kind_of_twice(text: str, end: int, before: str) -> str:
    """Whether `++` changes what stands before it, what stands behind it, or is two signs."""
    if before in ("name", "]"):
        return "behind"
    place = _end_of_blanks(text, end)
    behind = text[place : place + 1]
    return "before" if behind == "_" or (behind.isascii() and behind.isalpha()) else "sign"


class _Reader:
    """Reads an expression from left to right; what is not `active` is read, and not done."""

    def __init__(self, tokens: list[_Token], state: _State) -> None:
        self._tokens = tokens
        self._state = state
        self._place = 0

    def whole(self) -> int:
        value = self._comma(active=True)
        if self._place < len(self._tokens):
            raise _Unknown
        return value

    def _peek(self, ahead: int = 0) -> _Token:
        place = self._place + ahead
        return self._tokens[place] if place < len(self._tokens) else _Token("end", "")

    def _takes(self, *signs: str) -> str:
        """The next sign, if it is one of some."""
        token = self._peek()
        if token.kind not in ("sign", "open") or token.text not in signs:
            return ""
        self._place += 1
        return token.text

    def _comma(self, *, active: bool) -> int:
        self._state.depth += 1
        if self._state.depth > _DEEPEST:
            raise _Unknown
        value = self._assignment(active=active)
        while self._takes(","):
            value = self._assignment(active=active)
        self._state.depth -= 1
        return value

    def _assignment(self, *, active: bool) -> int:
        if not self._assigns():
            return self._conditional(active=active)
        name, index = self._variable(active=active)
        sign = self._peek().text
        self._place += 1
        before = self._read(name, index) if active and sign != "=" else 0
        value = self._assignment(active=active)
        if sign != "=" and active:
            value = _calculated(sign[:-1], before, value)
        return self._set(name, index, value) if active else 0

    def _assigns(self) -> bool:
        """Whether a variable comes next, and behind it a sign that sets it."""
        if self._peek().kind != "name":
            return False
        ahead = 1
        if self._peek(ahead).kind == "open":
            opened = 1
            while opened and self._peek(ahead).kind != "end":
                ahead += 1
                opened += self._peek(ahead).kind == "open"
                opened -= self._peek(ahead).text == "]"
            ahead += 1
        sign = self._peek(ahead)
        return sign.kind == "sign" and sign.text in _ASSIGNING

    def _conditional(self, *, active: bool) -> int:
        condition = self._binary(0, active=active)
        if not self._takes("?"):
            return condition
        one = self._comma(active=active and condition != 0)
        self._expect(":")
        other = self._conditional(active=active and condition == 0)
        return one if condition else other

    def _binary(self, lowest: int, *, active: bool) -> int:
        value = self._unary(active=active)
        while True:
            sign = self._peek()
            level = _LEVEL.get(sign.text, -1)
            if sign.kind != "sign" or level < lowest:
                return value
            self._place += 1
            is_decided = (sign.text == "&&" and value == 0) or (sign.text == "||" and value != 0)
            is_done = active and not is_decided
            other = self._binary(level + (level != _POWER), active=is_done)
            if sign.text == "**" and not active:  # bash looks at some exponents even there
                raise _Unknown
            value = _calculated(sign.text, value, other) if is_done else int(value != 0)

    def _unary(self, *, active: bool) -> int:
        signs = []
        while sign := self._takes("!", "~", "-", "+"):
            signs.append(sign)
        value = self._primary(active=active)
        for sign in reversed(signs):
            if sign == "!":
                value = int(value == 0)
            elif sign == "~":
                value = ~value
            elif sign == "-":
                value = _wrapped(-value)
        return value

    def _primary(self, *, active: bool) -> int:
        if self._takes("("):
            value = self._comma(active=active)
            self._expect(")")
            return value
        token = self._peek()
        if token.kind == "number":
            self._place += 1
            return _number(token.text)
        if token.kind == "before":
            self._place += 1
            name, index = self._variable(active=active)
            return self._stepped(name, index, token.text)[1] if active else 0
        name, index = self._variable(active=active)
        behind = self._peek()
        if behind.kind == "behind":
            self._place += 1
            return self._stepped(name, index, behind.text)[0] if active else 0
        return self._read(name, index) if active else 0

    def _variable(self, *, active: bool) -> tuple[str, int | None]:
        token = self._peek()
        if token.kind != "name":
            raise _Unknown
        self._place += 1
        if not self._takes("["):
            return token.text, None
        index = self._comma(active=active)
        self._expect("]")
        return token.text, index

    def _expect(self, sign: str) -> None:
        if not self._takes(sign):
            raise _Unknown

    def _stepped(self, name: str, index: int | None, sign: str) -> tuple[int, int]:
        """A variable's value before and after `++` or `--`."""
        before = self._read(name, index)
        return before, self._set(name, index, _wrapped(before + (1 if sign == "++" else -1)))

    def _set(self, name: str, index: int | None, value: int) -> int:
        if index is not None:
            self._state.changed[name] = None
            raise _Unknown
        self._state.changed[name] = value
        return value

    def _read(self, name: str, index: int | None) -> int:
        if index is None and name in self._state.changed:
            known = self._state.changed[name]
            if known is None:
                raise _Unknown
            return known
        text = self._state.read(name, index)
        if text is None or name in self._state.changed:
            raise _Unknown
        return self._within(text)

    def _within(self, text: str) -> int:
        """The value of what a variable holds, which is an expression again."""
        sets = dict.fromkeys(changed_in(text))
        self._state.depth += 1
        try:
            return _value(text, self._state)
        except _Unknown:
            self._state.changed |= sets
            raise
        finally:
            self._state.depth -= 1


def _calculated(sign: str, one: int, other: int) -> int:
    """What a sign makes of two numbers."""
    if sign in _SIMPLE:
        return _wrapped(int(_SIMPLE[sign](one, other)))
    if sign in ("/", "%"):
        return _divided(sign, one, other)
    if sign == "**" and other >= 0:
        return _wrapped(pow(one, other, 1 << _BITS))
    if sign in ("<<", ">>") and 0 <= other < _BITS:  # else C leaves it to the machine
        return _wrapped(one << other if sign == "<<" else one >> other)
    raise _Unknown


def _divided(sign: str, one: int, other: int) -> int:
    """Toward zero, the rest with the sign of what is divided."""
    if other == 0:
        raise _Unknown
    whole = abs(one) // abs(other)
    if (one < 0) != (other < 0):
        whole = -whole
    return _wrapped(whole if sign == "/" else one - whole * other)


def _number(text: str) -> int:
    match = _NUMBER.fullmatch(text)
    if match is None or len(text) > _LONGEST_NUMBER:
        raise _Unknown
    if match["hex"]:
        value = int(match["hex"], 16)
    elif match["decimal"]:
        value = int(match["decimal"])
    elif match["base"]:
        value = _in_base(match["digits"], int(match["base"]))
    else:
        value = int(match["octal"] or "0", 8)
    if value != _wrapped(value):  # releases of bash differ
        raise _Unknown
    return value


def _in_base(digits: str, base: int) -> int:
    value = 0
    for digit in digits.lower() if base <= _LETTER_BASE else digits:
        number = _DIGITS.index(digit)
        if number >= base:
            raise _Unknown
        value = value * base + number
    if not 1 < base <= len(_DIGITS):
        raise _Unknown
    return value


def _wrapped(value: int) -> int:
    """The number that 64 bits hold of it."""
    half = 1 << (_BITS - 1)
    return (value + half) % (1 << _BITS) - half
