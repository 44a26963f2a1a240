"""Which releases have a key: `snapshots/index.json`, which is made of all the snapshots."""

from __future__ import annotations

import fnmatch
import json
from collections import defaultdict
from collections.abc import Collection, Iterable
from functools import cache

from packaging.version import Version

from snippet_checker.verl.release import SNAPSHOTS, Release, releases

FILE_NAME = "index.json"


def releases_with(key: str) -> tuple[str, ...]:
    """The releases in which some program has `key`, or a key that fits it, oldest first."""
    if "*" not in key:
        return _index().get(key, ())
    having = {name for fitting in fnmatch.filter(_index(), key) for name in _index()[fitting]}
    return tuple(name for name in releases() if name in having)


def every_key() -> Collection[str]:
    """Every key that some release has."""
    return _index().keys()


@cache
def sections() -> frozenset[str]:
    """The names that stand around a key, below the first one, in some release."""
    return frozenset(name for key in every_key() for name in key.split(".")[1:-1])


def before(key: str, release: str) -> tuple[str, ...]:
    """The releases older than `release` that have `key`, oldest first."""
    return tuple(n for n in releases_with(key) if Version(n) < Version(release))


def last_before(key: str, release: str) -> str | None:
    """The last release older than `release` that has `key`."""
    older = before(key, release)
    return older[-1] if older else None


def first_after(key: str, release: str) -> str | None:
    """The first release newer than `release` that has `key`."""
    newer = [n for n in releases_with(key) if Version(n) > Version(release)]
    return newer[0] if newer else None


def dump(known: Iterable[Release]) -> str:
    """The text of the index: keys, grouped by the releases that have them, oldest first."""
    having: dict[str, list[str]] = defaultdict(list)
    for release in known:
        for key in release.all_keys:
            having[key].append(release.name)
    groups: dict[str, list[str]] = defaultdict(list)
    for key in sorted(having):
        groups[" ".join(having[key])].append(key)
    return json.dumps(dict(sorted(groups.items())), indent=0, ensure_ascii=False) + "\n"


@cache
def _index() -> dict[str, tuple[str, ...]]:
    groups = json.loads((SNAPSHOTS / FILE_NAME).read_text(encoding="utf-8"))
    return {key: tuple(names.split()) for names, keys in groups.items() for key in keys}
