"""What other trainers call things that verl has (`other_trainers.toml`)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from msgspec import Struct

from snippet_checker.suggest.key_paths import KeyPath
from snippet_checker.suggest.weights import WEIGHTS
from snippet_checker.suggest.words import ROLES, part, role, telling_of, words
from snippet_checker.verl import tables

OTHER_TRAINERS = Path(__file__).with_name("other_trainers.toml")
_TARGETS = ("right", "into")
_ANYBODY = "common"
_KINDS = {"meaning": "right", "other_value": "right", "forwarded": "into", "unknown": None}
"""The tables, each with what an entry of it has to say."""


class Meaning(Struct, frozen=True):
    """The right ends of keys that a name may mean, the likeliest first; without one, none is.

    They may take an `other_value`: the size of a batch where the name says how many there are.
    """

    name: str
    right: tuple[str, ...]
    other_value: bool = False

    @property
    def words(self) -> frozenset[str]:
        *above, leaf = self.name.split(".")
        return words(leaf).union(*map(part, above))

    def is_right(self, candidate: str) -> bool:
        """Whether a key, perhaps with its plus, is one that the name may mean."""
        return any(f".{candidate.lstrip('+')}".endswith(f".{right}") for right in self.right)


@cache
def all_meanings() -> tuple[Meaning, ...]:
    known, other_value, forwarded, unknown = ([e for _, e in _entries(kind)] for kind in _KINDS)
    return (
        *(Meaning(n, tuple(e["right"])) for e in known for n in _names(e)),
        *(Meaning(n, tuple(e["right"]), other_value=True) for e in other_value for n in _names(e)),
        *(Meaning(n, (f"{e['into']}.{n}",)) for e in forwarded for n in _names(e)),
        *(Meaning(n, ()) for e in unknown for n in _names(e)),
    )


@cache
def of_trainer(whose: str) -> tuple[Meaning, ...]:
    """What the names mean that are listed as a trainer's own, in the order of the file."""
    if whose in (*_TARGETS, _ANYBODY):
        return ()
    placed = sorted((*_entries("meaning"), *_entries("other_value")), key=lambda pair: pair[0])
    return tuple(Meaning(n, tuple(e["right"])) for _, e in placed for n in e.get(whose, ()))


@cache
def of_trainers() -> frozenset[str]:
    """The names that are listed as some trainer's own."""
    return frozenset(
        name
        for kind in _KINDS
        for _, entry in _entries(kind)
        for whose, listed in entry.items()
        if whose not in (*_TARGETS, _ANYBODY)
        for name in listed
    )


def _entries(kind: str) -> list[tuple[int, dict[str, Any]]]:
    """The entries of one kind with their lines, and any fields but one that each has to have.

    Raises TableError where that is missing, or another is no list.
    """
    found = tables.load(OTHER_TRAINERS, ("reviewed", *_KINDS))
    entries = [*zip(found.lines(kind), found.data[kind], strict=True)]
    wanted = _KINDS[kind]
    for line, entry in entries:
        if wanted is not None and wanted not in entry:
            raise found.error(line, f"[[{kind}]] lacks '{wanted}'")
        for whose, listed in entry.items():
            if whose != "into" and not isinstance(listed, list):
                raise found.error(line, f"'{whose}' of [[{kind}]] cannot be {listed!r}")
    return entries


def _names(entry: Mapping[str, Any]) -> Iterator[str]:
    """The names of an entry, which are listed by whose they are."""
    for whose, listed in entry.items():
        if whose not in _TARGETS:
            yield from listed


@cache
def of(asked: KeyPath) -> tuple[int, tuple[Meaning, ...]]:
    """How many parts at the end of a key mean something together, and what; more parts say more.

    The order of their words does not matter. Words such as `use` count where they tell two
    meanings apart. 0: what the last part means without its words for whose setting it is.
    """
    tails = list(asked.tails(WEIGHTS.deepest, words))
    for depth in range(len(tails), 0, -1):
        adds = depth == 1 or tails[depth - 1] != tails[depth - 2]
        if adds and (found := _said(tails[depth - 1])):
            return depth, found
    return 0, _said(frozenset(word for word in words(asked.leaf) if role(word) not in ROLES))


def names(key: str, candidate: str) -> bool:
    """Whether `key` ends with what other trainers call `candidate`, and says nothing else."""
    if KeyPath.of(key).contradicts(KeyPath.of(candidate)):
        return False
    return any(one.is_right(candidate) for one in of(KeyPath.of(key))[1])


def takes_other_value(key: str, candidate: str) -> bool:
    """Whether another value than that of `key` has to be written for the same with `candidate`.

    Other trainers' name for it says how many there are, say.
    """
    return any(one.other_value and one.is_right(candidate) for one in of(KeyPath.of(key))[1])


@cache
def _said(said: frozenset[str]) -> tuple[Meaning, ...]:
    """The meanings of some words: all of them, or the telling ones with the fewest others."""
    alike = _by_telling().get(telling_of(said), ())
    extra = {meaning: len(said ^ meaning.words) for meaning in alike}
    return tuple(m for m in alike if extra[m] == min(extra.values()))


@cache
def _by_telling() -> dict[frozenset[str], list[Meaning]]:
    found: dict[frozenset[str], list[Meaning]] = defaultdict(list)
    for meaning in all_meanings():
        found[telling_of(meaning.words)].append(meaning)
    return dict(found)
