"""Texts that are made to cost a regular expression as much as they can, out of its own parts.

A pattern takes more than linear time where a text can be read in several ways, or where each
place of a text begins a way that reaches far and fails. So every part that repeats is repeated:
after the way to it, alone, together with its beginning, each with an end that does not fit.
"""

from __future__ import annotations

import math
import re
import time
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice, product
from typing import Any

_PARSER: Any = re._parser  # type: ignore[attr-defined]
_REPEATS = frozenset({"MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"})
_MANY = 20  # a part that may come so often is one that repeats
_WAYS = 6  # through a part of a pattern that are tried
_PANEL = "a0A_ \t\n.-\"'`\\{}[]()<>=:,;/$#*+@~!|%^&?é中。\u3042\x00b1"
_CATEGORIES = {
    "CATEGORY_DIGIT": r"\d",
    "CATEGORY_NOT_DIGIT": r"\D",
    "CATEGORY_SPACE": r"\s",
    "CATEGORY_NOT_SPACE": r"\S",
    "CATEGORY_WORD": r"\w",
    "CATEGORY_NOT_WORD": r"\W",
}
_FIRST = (
    8,
    12,
    16,
    20,
    24,
    28,
    32,
    40,
    60,
    100,
    200,
    500,
)  # where doubling with each character shows
_SCREENED, _SHORT = 4000, 3000
_QUICK = 0.001  # seconds in which so many characters are read, by far, where that takes linear time
_LONG = 0.1  # seconds that so few characters never take then
_STEEP = 27  # 9 times the text takes 9 times as long where the time is linear, else 81 times


@dataclass(frozen=True, slots=True)
class Attack:
    """`before`, then `pumped` as often as one likes, then `after`."""

    before: str
    pumped: str
    after: str

    def text(self, length: int) -> str:
        """The attack with so many characters of what is pumped."""
        return self.before + self.pumped * (length // len(self.pumped) + 1) + self.after


def costly(text: str, flags: int, found: Iterable[Attack], *, scans: bool) -> str | None:
    """The first attack for which a pattern takes more than linear time, with what it takes.

    It is processor time, and the least of several where it is long: other programs on the
    machine, and the collection of garbage, only ever add to it.
    """
    pattern: Any = re.compile(text, flags)
    proven = _QUICK  # what the screened length may take, since more of the text showed it linear
    for attack in found:
        for length in _FIRST:
            if _seconds(pattern, attack.text(length), scans=scans, least_of=2) > _LONG:
                return f"{length} characters of {attack} take more than {_LONG} s"
        taken = _seconds(pattern, attack.text(_SCREENED), scans=scans, enough=proven)
        if taken <= proven:
            continue
        if taken > _LONG:
            return f"{_SCREENED} characters of {attack} take {taken:.2f} s"
        # A scan that has a bound is as steep until the text is longer than the bound.
        short = _seconds(pattern, attack.text(_SHORT), scans=scans)
        most = max(_LONG, _STEEP * short)
        long = _seconds(pattern, attack.text(9 * _SHORT), scans=scans, enough=most, clear=2 * most)
        if long > most:
            said = f"take {short:.4f} s, and 9 times as many {long:.3f} s"
            return f"{_SHORT} characters of {attack} {said}"
        proven = max(proven, 1.5 * taken)
    return None


def _seconds(
    pattern: Any,
    text: str,
    *,
    scans: bool,
    least_of: int = 3,
    enough: float = _QUICK,
    clear: float = math.inf,
) -> float:
    """The least processor time of several runs.

    One that is quick `enough` is not repeated, nor one that takes longer than what is `clear`:
    so far beyond the limit that no other program explains it.
    """
    least = math.inf
    for _ in range(least_of):
        start = time.process_time()
        if scans:
            deque(pattern.finditer(text), maxlen=0)
        else:
            pattern.match(text)
            pattern.fullmatch(text)
        least = min(least, time.process_time() - start)
        if least <= enough or least > clear:
            break
    return least


def attacks(text: str, flags: int, *, thorough: bool = False) -> Iterator[Attack]:
    """Attacks on a regular expression, each once."""
    seen: set[Attack] = set()
    for attack in _Pattern(text, flags).attacks(thorough=thorough):
        if attack.pumped and attack not in seen:
            seen.add(attack)
            yield attack


@dataclass(frozen=True, slots=True)
class _Loop:
    """A part that repeats: what may come before it, and what one turn of it reads."""

    before: tuple[str, ...]
    turns: tuple[str, ...]


class _Pattern:
    """A parsed pattern, with a few characters that stand for all that it tells apart."""

    def __init__(self, text: str, flags: int) -> None:
        tree = _PARSER.parse(text, flags)
        self._flags = tree.state.flags
        self._groups: dict[int, list[str]] = {}
        self._alphabet = self._representatives(
            list({repr(one): one for one in _leaves(tree)}.values())
        )
        self._loops: list[_Loop] = []
        self._whole = self._sequence(tree, [""])

    def attacks(self, *, thorough: bool) -> Iterator[Attack]:
        ends = ("", "\x00", "\n", "!", "a") if thorough else ("", "\x00")
        for one, end in product(self._pumped(), ends):
            yield Attack("", one, end)
        for loop in self._loops:
            inside = _unique([*loop.turns, *(self._alphabet if thorough else ())])
            for way, one, end in product(loop.before, inside, ends):
                yield Attack(way, one, end)
        if thorough:
            ways = _unique(chain.from_iterable(loop.before for loop in self._loops))
            for way, one, other in product(ways[:8], self._alphabet, self._alphabet):
                yield Attack(way, one + other, "\x00")
            for one, other in islice(product(self._pumped(), repeat=2), 600):
                yield Attack("", one + other, "\x00")

    def _pumped(self) -> list[str]:
        """What makes each place begin anew: the way to what repeats, with and without a turn."""
        pumped = [*self._alphabet, *self._whole, *(w[:-1] for w in self._whole)]
        for loop in self._loops:
            pumped += [*loop.turns, *loop.before]
            pumped += [way + turn for way in loop.before for turn in loop.turns[:_WAYS]]
        return _unique(pumped)

    def _representatives(self, leaves: Sequence[tuple[Any, Any]]) -> list[str]:
        literals = [chr(value) for op, value in leaves if str(op) == "LITERAL"]
        found: dict[tuple[bool, ...], str] = {}
        for character in _unique([*_PANEL, *literals]):
            found.setdefault(tuple(self._reads(leaf, character) for leaf in leaves), character)
        return list(found.values())

    def _reads(self, leaf: tuple[Any, Any], character: str) -> bool:
        """Whether a class of characters holds one."""
        op, value = str(leaf[0]), leaf[1]
        if op == "ANY":
            return character != "\n" or bool(self._flags & re.DOTALL)
        if op == "NEGATE":
            return False
        if op == "RANGE":
            return value[0] <= ord(character) <= value[1]
        if op == "CATEGORY":
            flags = self._flags & re.ASCII
            return re.match(_CATEGORIES[str(value)], character, flags) is not None
        if op == "IN":
            negated = str(value[0][0]) == "NEGATE"
            return negated != any(self._reads(item, character) for item in value)
        same = character == chr(value)
        if self._flags & re.IGNORECASE:
            same = character.lower() == chr(value).lower()
        return same != (op == "NOT_LITERAL")

    def _sequence(self, items: Iterable[tuple[Any, Any]], before: Sequence[str]) -> list[str]:
        """Some texts that a sequence reads; notes what repeats in it."""
        ways = [""]
        for item in items:
            reached = _unique(b + w for w in ways for b in before)[:_WAYS]
            reads = self._item(item, reached) or [""]
            count = min(_WAYS, max(len(ways), len(reads)))
            ways = [ways[n % len(ways)] + reads[n % len(reads)] for n in range(count)]
        return _unique(ways)

    def _item(self, item: tuple[Any, Any], before: Sequence[str]) -> list[str]:
        op, value = str(item[0]), item[1]
        if op in ("LITERAL", "NOT_LITERAL", "IN", "ANY", "CATEGORY"):
            known = [chr(value)] if op == "LITERAL" else []
            return known or [one for one in self._alphabet if self._reads(item, one)]
        if op in _REPEATS:
            return self._repeat(*value, before)
        if op == "SUBPATTERN":
            ways = self._sequence(value[3], before)
            self._groups[value[0]] = ways
            return ways
        if op == "BRANCH":
            return _unique(_in_turn([self._sequence(branch, before) for branch in value[1]]))
        if op == "ATOMIC_GROUP":
            return self._sequence(value, before)
        if op in ("ASSERT", "ASSERT_NOT"):
            ways = self._sequence(value[1], before)
            return ["", *ways] if op == "ASSERT" and value[0] < 0 else [""]
        if op == "GROUPREF":
            return self._groups.get(value, [""])
        if op == "GROUPREF_EXISTS":
            branches = [branch for branch in value[1:] if branch]
            return _unique(_in_turn([self._sequence(branch, before) for branch in branches]))
        assert op == "AT", op
        return [""]

    def _repeat(self, least: int, most: int, inside: Any, before: Sequence[str]) -> list[str]:
        turns = self._sequence(inside, before)
        if len(inside) == 1 and str(inside[0][0]) in ("IN", "ANY", "NOT_LITERAL", "CATEGORY"):
            turns = [one for one in self._alphabet if self._reads(inside[0], one)]
        if most >= _MANY:
            self._loops.append(_Loop(tuple(before), tuple(turns)))
        return _unique([turn * max(least, 1) for turn in turns] + [""] * (least == 0))


def _leaves(tree: Any) -> Iterator[tuple[Any, Any]]:
    """The classes of characters of a parsed pattern."""
    if isinstance(tree, tuple) and len(tree) == 2:
        op = str(tree[0])
        if op in ("LITERAL", "NOT_LITERAL", "IN", "ANY"):
            yield tree
            return
    if isinstance(tree, tuple | list | _PARSER.SubPattern):
        for one in tree:
            yield from _leaves(one)


def _in_turn(lists: Sequence[Sequence[str]]) -> Iterator[str]:
    """The first of each list, then the second of each."""
    for number in range(max(map(len, lists), default=0)):
        yield from (one[number] for one in lists if number < len(one))


def _unique(items: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(items))
