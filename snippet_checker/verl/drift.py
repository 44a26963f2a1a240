"""Names that never were, or no longer are, verl's, and what to write instead (`drift.toml`)."""

from __future__ import annotations

import fnmatch
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache, partial
from itertools import chain
from pathlib import Path

from msgspec import Struct
from packaging.version import Version

from snippet_checker.verl import patterns, tables
from snippet_checker.verl.tables import ReleaseName

DRIFT = Path(__file__).with_name("drift.toml")
_KINDS = (
    *("reviewed", "vocabulary", "roots", "name", "hint", "variant", "only", "counterpart", "gone"),
    *("unreleased", "move", "file", "program"),
)
_tables = partial(tables.load, DRIFT, _KINDS)


class Drift(Struct, frozen=True):
    """A wrong key or its end, the right end of a key, and the evidence.

    Both may end with `.*`: then they are mappings, and what stands in the one belongs in the other.
    """

    wrong: str
    right: str
    why: str
    other_value: bool = False
    line: int = 0

    def matches(self, key: str) -> bool:
        """Whether `key` is the wrong name, or ends with it at a dot, or lies in what it names."""
        if self.wrong.endswith(".*"):
            return f".{self.wrong[:-1]}" in f".{key}"
        return f".{key}".endswith(f".{self.wrong}")

    def meaning(self, key: str) -> str:
        """The right end of a key for `key`, which matches."""
        if not self.right.endswith(".*"):
            return self.right
        inside = f".{key}".partition(f".{self.wrong[:-1]}")[2]
        return self.right[:-1] + inside


class KeyMove(Struct, frozen=True):
    """A subtree that went elsewhere: the old and new beginning of its keys, and since when.

    What is not the `same` setting has another meaning or another kind of values.
    """

    old: str
    new: str
    since: ReleaseName
    why: str
    same: bool = True
    line: int = 0


class Variant(Struct, frozen=True):
    """What stands in the place of a part of right keys, in commands with one of some settings."""

    part: str
    instead: str
    where: tuple[str, ...]
    why: str
    line: int = 0


class Only(Struct, frozen=True):
    """A part of right keys that is meant only in commands with one of some settings."""

    part: str
    where: tuple[str, ...]
    why: str
    line: int = 0


class RemovedKeys(Struct, frozen=True):
    """Keys, a pattern with `*`, without a successor since a release."""

    keys: str
    since: ReleaseName
    why: str


class UnreleasedKeys(Struct, frozen=True):
    """Keys, patterns with `*`, that verl's main branch had between two releases only."""

    keys: tuple[str, ...]
    after: ReleaseName
    before: ReleaseName


class MovedFile(Struct, frozen=True):
    """A file of the package that got another path, with most of its lines, since a release."""

    old: str
    new: str
    since: ReleaseName


class MovedProgram(Struct, frozen=True):
    """A module that lay in verl's repository beside the package, and became one of the package."""

    old: str
    new: str
    line: int = 0


@lru_cache(maxsize=1)
def moved_programs() -> tuple[MovedProgram, ...]:
    """The programs that came into the package."""
    return _tables().of("program", MovedProgram)


def moved_program(name: str) -> str | None:
    """The module of verl's package that a program beside the package became, if it did."""
    module = name.removesuffix(".py").replace("/", ".") if name.endswith(".py") else name
    found = (one.new for one in moved_programs() if f".{module}".endswith(f".{one.old}"))
    return next(found, None)


@lru_cache(maxsize=1)
def moved_files() -> tuple[MovedFile, ...]:
    """The files that moved between releases."""
    return _tables().of("file", MovedFile)


@lru_cache(maxsize=1)
def names() -> tuple[Drift, ...]:
    """The known wrong names, the most specific first: whole names, and the longest of them."""
    return _specific_first(_tables().of("name", Drift))


@lru_cache(maxsize=1)
def hints() -> tuple[Drift, ...]:
    """Those and further names that are wrong as keys, yet mean something in running text."""
    return _specific_first((*names(), *_tables().of("hint", Drift)))


def _specific_first(entries: Iterable[Drift]) -> tuple[Drift, ...]:
    return tuple(sorted(entries, key=lambda drift: (drift.wrong.endswith(".*"), -len(drift.wrong))))


@lru_cache(maxsize=1)
def moves() -> tuple[KeyMove, ...]:
    """The subtrees that moved between releases."""
    return _tables().of("move", KeyMove)


@lru_cache(maxsize=1)
def gone_keys() -> tuple[RemovedKeys, ...]:
    """The keys that went without a successor."""
    return _tables().of("gone", RemovedKeys)


@lru_cache(maxsize=1)
def unreleased_keys() -> tuple[UnreleasedKeys, ...]:
    """The keys that came and went between two releases."""
    return _tables().of("unreleased", UnreleasedKeys)


def was_unreleased(key: str) -> bool:
    """Whether only verl's main branch had a key, for a time."""
    return any(patterns.any_fits(one.keys, key) for one in unreleased_keys())


@lru_cache(maxsize=1)
def variants() -> tuple[Variant, ...]:
    """What right keys are in commands with other settings."""
    return _tables().of("variant", Variant)


def in_command(key: str, has: Callable[[str, str], bool]) -> str | None:
    """A right key as it is in a command of which is known whether it `has` a key with a value.

    None: it has nothing to do with such a command.
    """

    def is_with(where: Iterable[str]) -> bool:
        return any(has(*one.split("=", 1)) for one in where)

    for variant in variants():
        if f".{variant.part}." in key and is_with(variant.where):
            return key.replace(f".{variant.part}.", f".{variant.instead}.")
    is_meant = all(f".{one.part}." not in key or is_with(one.where) for one in _only())
    return key if is_meant else None


@lru_cache(maxsize=1)
def _only() -> tuple[Only, ...]:
    return _tables().of("only", Only)


@lru_cache(maxsize=1)
def counterparts() -> tuple[Drift, ...]:
    """The keys of one program, each with what another one has in its place."""
    return _tables().of("counterpart", Drift)


def is_wrong_root(root: str) -> bool:
    """Whether people write `root` where verl has `trainer`, `actor_rollout_ref`, …"""
    return root in _tables().data["roots"]["wrong"]


def is_legacy(key: str) -> bool:
    """Whether `key` lies in a tree that is composed for old scripts only."""
    return key.partition(".")[0] in _tables().data["roots"]["legacy"]


def find(key: str) -> Drift | None:
    """The known wrong name that `key` is or ends with."""
    ends, mappings = _by_last_part()
    likely = chain(ends.get(key.rpartition(".")[2], ()), mappings)
    return next((drift for drift in likely if drift.matches(key)), None)


@lru_cache(maxsize=1)
def _by_last_part() -> tuple[dict[str, list[Drift]], list[Drift]]:
    """`names` in their order: the whole ones by their last parts, and the mappings."""
    ends: dict[str, list[Drift]] = defaultdict(list)
    mappings = []
    for drift in names():
        if drift.wrong.endswith(".*"):
            mappings.append(drift)
        else:
            ends[drift.wrong.rpartition(".")[2]].append(drift)
    return ends, mappings


def moved(key: str) -> str | None:
    """Where `key` stands now if it, or its subtree, moved; the longest known beginning decides."""
    move = _find_move(key)
    return move.new + key[len(move.old) :] if move is not None else None


def is_same(key: str) -> bool:
    """Whether `key` moved and kept its meaning."""
    move = _find_move(key)
    return move is not None and move.same


def all_moved_to(new: str, keys: Iterable[str]) -> Iterator[str]:
    """Those of `keys` that moved to one place."""
    near = [move for move in moves() if f"{new}.".startswith(f"{move.new}.")]
    for key in keys:
        if any(f"{key}.".startswith(f"{move.old}.") for move in near) and moved(key) == new:
            yield key


def later_option(option: object, options: Iterable[str]) -> str | None:
    """The option of a config group that took the place of one, as its settings moved."""
    moved = (move for move in moves() if move.old.endswith(f".{option}"))
    later = (move.new.rpartition(".")[2] for move in moved)
    return next((one for one in later if one in options), None)


def meant_by(key: str) -> Drift | None:
    """What is known to be meant by a key that is not there."""
    return next((drift for drift in hints() if drift.matches(key)), None)


def takes_other_value(key: str) -> bool:
    """Whether what is meant by a name takes another value than was written for it."""
    known = meant_by(key)
    return known is not None and known.other_value


def counterpart(key: str) -> str | None:
    """What a program that lacks `key`, which another one has, may have in its place."""
    return next((entry.right for entry in counterparts() if entry.wrong == key), None)


def is_gone(key: str, release: str) -> bool:
    """Whether nothing takes the place of `key`, however much some other key looks like it."""
    return any(
        fnmatch.fnmatchcase(key, gone.keys) and Version(gone.since) <= Version(release)
        for gone in gone_keys()
    )


def vocabulary(table: str) -> dict[str, str]:
    """Other trainers' `spellings`, `phrases` or `words`, each with verl's own."""
    found: dict[str, str] = _tables().data["vocabulary"][table]
    return found


def is_reviewed(release: str) -> bool:
    """Whether somebody has read what became of the keys that `release` lacks."""
    return tables.is_reviewed(tables.reviewed(DRIFT), None, release)


def _find_move(key: str) -> KeyMove | None:
    """The move that took `key` elsewhere."""
    found, known = key, _moves_by_beginning()
    while found and found not in known:
        found = found.rpartition(".")[0]
    return known.get(found)


@lru_cache(maxsize=1)
def _moves_by_beginning() -> dict[str, KeyMove]:
    """The moves by the old beginning of their keys; of two of one beginning the first counts."""
    return {move.old: move for move in reversed(moves())}
