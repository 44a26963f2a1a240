"""What an upgrade changes and configs do not show (`upgrades.toml`)."""

from __future__ import annotations

import fnmatch
from functools import cache
from pathlib import Path

from msgspec import Struct
from packaging.version import Version

from snippet_checker.verl import tables
from snippet_checker.verl.tables import ReleaseName

UPGRADES = Path(__file__).with_name("upgrades.toml")
KINDS = ("arrival", "indifferent", "data")


class Change(Struct, frozen=True):
    """What is known of some keys: patterns, the releases and programs it holds for, the evidence.

    `reviewed` is the last release for which it was read in the code, `line` where it stands in
    `upgrades.toml`.
    """

    keys: tuple[str, ...]
    since: ReleaseName
    file: str
    why: str
    modules: tuple[str, ...] = ()
    was: str | bool | int | float | None = None
    values: tuple[str, ...] = ()
    only: tuple[str, ...] = ()
    reviewed: ReleaseName = ""
    line: int = 0

    def is_about(self, key: str) -> bool:
        return any(fnmatch.fnmatchcase(key, pattern) for pattern in self.keys)

    def holds(self, release: str, module: str | None) -> bool:
        """Whether it was read for a release and a program, started as `module`."""
        return (
            Version(self.since) <= Version(release)
            and self.is_read(release)
            and (not self.modules or module in self.modules)
        )

    def is_read(self, release: str) -> bool:
        """Whether somebody has read in the code of `release` that it holds there."""
        return tables.is_read(self.reviewed, None, release)

    def reason(self, module: str | None) -> str:
        """What changes, or why nothing does, in a program started as `module`."""
        return self.why.format(program=f"'{module}'")


@cache
def changes(kind: str) -> tuple[Change, ...]:
    """The entries of one kind: `arrival`, `indifferent` or `data`."""
    return tables.load(UPGRADES, ("reviewed", *KINDS)).of(kind, Change)
