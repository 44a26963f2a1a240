"""What keys are for: the guide's own descriptions, in Markdown.

They are the files that the site shows (`docs/guide/keys`); the distribution holds them beside this
module. They were written about the newest release, and are said of no other. A key without one has
that of its twin (`twins.toml`).
"""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Mapping
from functools import cache
from pathlib import Path

from msgspec import Struct

from snippet_checker.verl import patterns, tables
from snippet_checker.verl.release import newest

_HERE = Path(__file__).parent
TWINS = _HERE / "twins.toml"
_FOLDERS = (_HERE / "descriptions", _HERE.parents[1] / "docs/guide/keys")


class Twins(Struct, frozen=True):
    """Mappings some of whose keys do what those of the same name in the mapping `of` do."""

    of: str
    also: tuple[str, ...]
    keys: tuple[str, ...]
    file: str
    line: int = 0

    def twin(self, key: str) -> str | None:
        """The key of the same name in `of`; None for a key that the entry is not about."""
        names = (key.removeprefix(f"{m}.") for m in self.also if key.startswith(f"{m}."))
        return next((f"{self.of}.{name}" for name in names if self._shares(name)), None)

    def _shares(self, name: str) -> bool:
        return patterns.any_fits(self.keys, name)


def of_key(key: str, release: str) -> str | None:
    """The description of a full key of a release; None where there is none."""
    if release != newest():
        return None
    said = _all()
    return said.get(describing(key, said) or "")


def describing(key: str, described: Collection[str]) -> str | None:
    """The key whose description is that of `key`: it itself, or else its first described twin."""
    if key in described:
        return key
    return next((twin for one in twins() if (twin := one.twin(key)) in described), None)


@cache
def twins() -> tuple[Twins, ...]:
    """Which keys do the same, in the order in which they are asked."""
    return tables.load(TWINS, ("twins",)).of("twins", Twins)


@cache
def _all() -> Mapping[str, str]:
    """By full key; empty where the package was installed without them."""
    found: dict[str, str] = {}
    for folder in _FOLDERS:
        for file in folder.glob("*.toml"):
            found |= tomllib.loads(file.read_text("utf-8"))
    return found
