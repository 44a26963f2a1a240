"""What an upgrade changes and configs do not show (`upgrades.toml`)."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from snippet_checker.verl import tables
from snippet_checker.verl.tables import Reviewed

UPGRADES = Path(__file__).with_name("upgrades.toml")
KINDS = ("arrival", "indifferent", "meaning", "together", "data")


class BehaviourChange(Reviewed, frozen=True):
    """What an upgrade changes about some keys, or that a changed default changes nothing."""

    was: str | bool | int | float | None = None
    values: tuple[str, ...] = ()
    only: tuple[str, ...] = ()
    unless: tuple[str, ...] = ()
    sets: tuple[str, ...] = ()

    def holds(self, release: str, module: str | None) -> bool:
        """Whether it was read for a release and a program, started as `module`."""
        return self.is_about(release) and self.is_reviewed(release) and self.is_of(module)

    def reason(self, module: str | None) -> str:
        """What changes, or why nothing does, in a program started as `module`."""
        return self.why.format(program=f"'{module}'")


@cache
def changes(kind: str) -> tuple[BehaviourChange, ...]:
    """The entries of one of the `KINDS`."""
    return tables.load(UPGRADES, ("reviewed", *KINDS)).of(kind, BehaviourChange)
