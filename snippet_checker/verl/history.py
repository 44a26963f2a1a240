"""Which releases had a key, what it was in each, and what became of it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import StrEnum
from functools import cache
from typing import Any

from msgspec import Struct
from packaging.version import Version

from snippet_checker.hydra.setting import Value
from snippet_checker.text.closest import closest
from snippet_checker.verl import drift, values
from snippet_checker.verl.facts import ClosedSet
from snippet_checker.verl.key_index import releases_with
from snippet_checker.verl.release import (
    Release,
    is_verls_program,
    load,
    module_name,
    older_than,
    releases,
)

_MODULE = re.compile(r"(?:verl|scripts)(?:\.\w+)+")


class Fate(StrEnum):
    """What became of a key that the newest release does not have."""

    RENAMED = "renamed"  # another name below the same parent
    MOVED = "moved"  # another parent
    DROPPED = "dropped"
    GONE = "gone"  # nobody has read yet which of these


class KeyInRelease(Struct, frozen=True):
    """A key in one release: its default, unresolved, and the kinds of values that it takes.

    The default is `Value.ABSENT` where only a dataclass declares the key, without one.
    """

    release: str
    default: Any
    kinds: tuple[str, ...]
    needs_plus: bool


class KeyHistory(Struct, frozen=True):
    """A key through all releases; `fate` and `successor` are None while it lives.

    `successor` is the same setting under another name. `instead` is another setting, which a
    review of verl's code found to be what a user of a dropped key sets now.
    """

    key: str
    entries: tuple[KeyInRelease, ...]
    fate: Fate | None
    successor: str | None
    instead: str | None = None

    @property
    def first(self) -> str:
        return self.entries[0].release

    @property
    def last(self) -> str:
        return self.entries[-1].release


class Difference(Struct, frozen=True):
    """What changed for keys from one release to another.

    `changed` maps a key to its old and new default.
    """

    added: tuple[str, ...]
    removed: tuple[KeyHistory, ...]
    changed: dict[str, tuple[Any, Any]]

    @property
    def moved(self) -> tuple[KeyHistory, ...]:
        """Those removed that the newer release has under another name."""
        return tuple(entry for entry in self.removed if entry.successor in self.added)

    @property
    def came(self) -> tuple[str, ...]:
        """Those added that are no new name."""
        new_names = {entry.successor for entry in self.moved}
        return tuple(key for key in self.added if key not in new_names)


def sets_with(word: str, release: Release) -> Iterator[ClosedSet]:
    """The closed sets of a release, and of those before, that have a word."""
    for one in (release, *map(load, older_than(release.name))):
        yield from (found for found in one.facts.closed_sets if word in found.values)


@cache
def last_with_entry(module: str) -> str | None:
    """The newest release in which `module` is an entry point."""
    if not _MODULE.fullmatch(module):
        return None  # most texts are something else, and this is soon seen
    newest_first = reversed(releases())
    return next((n for n in newest_first if module in load(n).modules), None)


def takes_no_overrides(name: str) -> bool:
    """Whether a program is verl's and no release starts it with Hydra: `verl.model_merger`."""
    return is_verls_program(name) and all(
        load(release).entry(name) is None for release in reversed(releases())
    )


def came_after(name: str, release: Release) -> bool:
    """Whether only releases newer than this one have a program, and start it with Hydra."""
    if not is_verls_program(name) or release.entry(name) is not None:
        return False
    having = [one for one in releases() if load(one).entry(name) is not None]
    return bool(having) and Version(having[0]) > Version(release.name)


def successor_of_entry(name: str, release: Release) -> str | None:
    """The program of `release` to start instead of one that only another release has."""
    moved = drift.moved_program(name)
    if moved is not None:
        return moved if release.has_module(moved) else None
    module = module_name(name)
    if not is_verls_program(name) or release.has_module(module) or last_with_entry(module) is None:
        return None
    return closest_entry(module, release)


def closest_entry(name: str, release: Release) -> str | None:
    """The entry point of `release` whose name is most like a module's."""
    return closest(name, release.modules)


def last_with_file(path: str, before: str) -> str | None:
    """The newest release older than `before` whose wheel holds `path`."""
    having = [name for name in older_than(before) if path in load(name).facts.files]
    return having[-1] if having else None


def first_with(key: str) -> str | None:
    """The first release that has a full key; `of_key` says more, and takes far longer."""
    return next(iter(_having(key)), None)


def _having(key: str) -> tuple[str, ...]:
    return tuple(releases_with(key)) if "*" not in key else ()


@cache
def of_key(key: str) -> KeyHistory | None:
    """The history of a full key; None where no release has it."""
    having = _having(key)
    if not having:
        return None
    entries = tuple(_entry(load(name), key) for name in having)
    return KeyHistory(key, entries, *fate(key), replacement_for(key))


def difference(old: str, new: str) -> Difference:
    """What a reader of release `old` has to know about release `new`."""
    before, after = load(old), load(new)
    removed = [of_key(key) for key in sorted(before.all_keys - after.all_keys)]
    return Difference(
        added=tuple(sorted(after.all_keys - before.all_keys)),
        removed=tuple(history for history in removed if history is not None),
        changed=dict(_changed(before, after)),
    )


def _changed(before: Release, after: Release) -> Iterator[tuple[str, tuple[Any, Any]]]:
    for key in sorted(before.all_keys & after.all_keys):
        old, new = _default(before, key), _default(after, key)
        if old != new and not key.endswith("_target_") and not _is_mapping(old, new):
            yield key, (old, new)


def _is_mapping(*defaults: Any) -> bool:
    return any(isinstance(default, dict) for default in defaults)


def _entry(release: Release, key: str) -> KeyInRelease:
    kinds = tuple(sorted(values.kinds(release, [key])))
    return KeyInRelease(release.name, _default(release, key), kinds, key not in release.keys)


def _default(release: Release, key: str) -> Any:
    """The default in the first program that has the key, as users meet the programs.

    What a program composes without any choice comes before what a choice of groups would give.
    """
    for config in map(release.composed, release.primaries):
        if config.has(key):
            return config.value(key)
    return next(iter(release.defaults(key)), Value.ABSENT)


@cache
def fate(key: str) -> tuple[Fate | None, str | None]:
    """What became of a key, and its successor: the same setting under another name.

    A rename has to be recorded, and the releases have to bear it out; likeness proves nothing.
    None while the newest release has the key, and for what no release ever had.
    """
    having = releases_with(key)
    if not having or having[-1] == releases()[-1]:
        return None, None
    successor = _reviewed(key)
    if successor is None and not _is_read(key):
        return Fate.GONE, None
    if successor is None or not _took_over(successor, key):
        return Fate.DROPPED, None
    return _kind(key, successor), successor


def replacement_for(key: str) -> str | None:
    """The other setting that is set now where a dropped key was, if a review found one."""
    kind, _ = fate(key)
    return _reviewed(key) if kind is Fate.DROPPED else None


def _reviewed(key: str) -> str | None:
    """Where the record of moves leads, if the newest release has that."""
    recorded = drift.moved(key)
    return recorded if recorded in load(releases()[-1]).all_keys else None


def _is_read(key: str) -> bool:
    """Whether the record of moves was made with the release in view that first lacks `key`.

    Where the key that it names is gone in its turn, with the newest one.
    """
    names = releases()
    lacking = names[names.index(releases_with(key)[-1]) + 1]
    return drift.is_reviewed(names[-1] if drift.moved(key) is not None else lacking)


def _took_over(successor: str, key: str) -> bool:
    """Whether the releases allow that one key is the other: never both, and no third one.

    What stood beside a key, or takes another kind of value, is a setting of its own; what several
    keys were folded into is none of them.
    """
    until, since = releases_with(key)[-1], releases_with(successor)[0]
    if releases().index(since) <= releases().index(until) or not drift.is_same(key):
        return False
    last = load(until)
    twins = (k for k in drift.all_moved_to(successor, last.all_keys) if k != key)
    old, new = values.kinds(last, [key]), values.kinds(load(since), [successor])
    return next(twins, None) is None and (not old or not new or not old.isdisjoint(new))


def _kind(key: str, successor: str) -> Fate:
    same_parent = key.rpartition(".")[0] == successor.rpartition(".")[0]
    return Fate.RENAMED if same_parent else Fate.MOVED
