"""The history of keys for programs: `schema show` and `schema diff` with `--format json`.

The types here are the contract: the objects are made from them, and so are their JSON Schemas.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any

from msgspec import UNSET, Meta, Struct, UnsetType

from snippet_checker.hydra.setting import Value
from snippet_checker.verl import descriptions, history, values
from snippet_checker.verl.history import Fate, KeyHistory
from snippet_checker.verl.release import load, newest

SCHEMA = 1
"""Grows when a key of the objects changes its meaning; keys may be added without it."""

_Version = Annotated[int, Meta(description="the number of this contract")]
_Default = Annotated[Any, Meta(description="missing where the configs of verl do not have the key")]


class InRelease(Struct):
    """What a key is in one release; `needs_plus` where only `+` brings it into a config."""

    release: str
    takes: list[str]
    needs_plus: bool
    default: _Default | UnsetType = UNSET


class Words(Struct):
    """A closed set of words that a key takes in its last release, and the code that says so."""

    values: list[str]
    source: str


class ShownKey(Struct):
    """A key through all releases.

    `fate` is null while the newest release has it. `successor` is the same setting under another
    name, and `instead` another setting that is set now where this one was.
    """

    key: str
    description: str | None
    releases: Annotated[list[InRelease], Meta(min_length=1)]
    words: list[Words]
    fate: Fate | None
    successor: str | None
    instead: str | None


class Shown(Struct):
    """What `snippet-checker schema show KEY --format json` prints."""

    schema: _Version
    keys: Annotated[list[ShownKey], Meta(min_length=1)]


class MovedKey(Struct):
    """A key that has another name in the newer release."""

    key: str
    to: str
    fate: Fate


class RemovedKey(Struct):
    """A key that is gone, and what is set now where it was, if a review of verl's code found it."""

    key: str
    instead: str | None


class ChangedKey(Struct):
    """A key with another default."""

    key: str
    old: _Default | UnsetType = UNSET
    new: _Default | UnsetType = UNSET


class Compared(Struct):
    """What `snippet-checker schema diff A B --format json` prints."""

    schema: _Version
    old: str
    new: str
    added: list[str]
    moved: list[MovedKey]
    removed: list[RemovedKey]
    changed: list[ChangedKey]


def shown(keys: Iterable[str]) -> Shown:
    """Keys that releases have, each with its history."""
    found = (history.of_key(key) for key in keys)
    return Shown(SCHEMA, [_key(one) for one in found if one is not None])


def compared(old: str, new: str) -> Compared:
    """What changed for keys from one release to another."""
    difference = history.difference(old, new)
    moved = difference.moved
    return Compared(
        schema=SCHEMA,
        old=load(old).name,
        new=load(new).name,
        added=[*difference.came],
        moved=[
            MovedKey(one.key, one.successor, one.fate)
            for one in moved
            if one.successor is not None and one.fate is not None
        ],
        removed=[
            RemovedKey(one.key, one.successor or one.instead)
            for one in difference.removed
            if one not in moved
        ],
        changed=[
            ChangedKey(key, _default(before), _default(after))
            for key, (before, after) in difference.changed.items()
        ],
    )


def _key(found: KeyHistory) -> ShownKey:
    sets = values.closed_sets(load(found.last), found.key, None)
    return ShownKey(
        key=found.key,
        description=descriptions.of_key(found.key, newest()),
        releases=[
            InRelease(one.release, [*one.kinds], one.needs_plus, _default(one.default))
            for one in found.entries
        ],
        words=[Words([*one.values], one.source) for one in sets],
        fate=found.fate,
        successor=found.successor,
        instead=found.instead,
    )


def _default(value: Any) -> Any:
    return UNSET if value is Value.ABSENT else value
