"""The reviewed TOML files: tables that become frozen types.

A file begins with `reviewed`, the last release of verl for which its entries were read in the
code; an entry may have a later one of its own. What nobody would read is an error, not a silence.
"""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Annotated, Any

from msgspec import Meta, Struct
from packaging.version import Version

from snippet_checker import typed
from snippet_checker.errors import DataError
from snippet_checker.verl import patterns

ReleaseName = Annotated[
    str,
    Meta(
        pattern=r"\A\d+(\.\d+)*((a|b|rc|\.post|\.dev)\d+)?\Z",
        description="a release such as 0.9.1",
    ),
]
"""A release of verl, as PyPI writes it."""


class Reviewed(Struct, frozen=True):
    """What somebody read in verl's code about some keys: patterns, since when, and the evidence.

    It is about the programs in `modules`, or about all that have the keys. `last` is the last
    release that has it, `reviewed` the last one for which it was read, and `line` where the entry
    stands in its file.
    """

    keys: tuple[str, ...]
    since: ReleaseName
    file: str
    why: str
    modules: tuple[str, ...] = ()
    last: ReleaseName | None = None
    reviewed: ReleaseName = ""
    line: int = 0

    def names(self, key: str) -> bool:
        """Whether one of the patterns is about a key."""
        return patterns.any_fits(self.keys, key)

    def is_about(self, release: str) -> bool:
        """Whether a release has it."""
        return Version(self.since) <= Version(release) <= Version(self.last or release)

    def is_of(self, module: str | None) -> bool:
        """Whether it is about a program that is started as `module`."""
        return not self.modules or module in self.modules

    def is_reviewed(self, release: str) -> bool:
        """Whether somebody has read in the code of `release` that it holds there."""
        return is_reviewed(self.reviewed, self.last, release)


class TableError(DataError, ValueError):
    """A reviewed file is not what it has to be; the message says where and why."""


class Tables(Struct, frozen=True):
    """A reviewed file: where it is, its text, and what it holds."""

    path: Path
    text: str
    data: dict[str, Any]

    def of(self, name: str, kind: type[typed.T]) -> tuple[typed.T, ...]:
        """The entries `[[name]]` as the type, in their order; raises TableError.

        A field `reviewed` of the type is the file's where an entry has none of its own, and a
        field `line` is the line that the entry begins on.
        """
        given = {"reviewed": self.data.get("reviewed")}
        usual = {key: value for key, value in given.items() if key in kind.__struct_fields__}
        entries = zip(self.lines(name), self.data.get(name, ()), strict=True)
        return tuple(self._entry(name, usual | table, line, kind) for line, table in entries)

    def lines(self, name: str) -> list[int]:
        """The lines, from 1, on which the entries `[[name]]` begin."""
        texts = enumerate(self.text.splitlines(), start=1)
        return [number for number, text in texts if text.partition("#")[0].strip() == f"[[{name}]]"]

    def _entry(self, name: str, table: dict[str, Any], line: int, kind: type[typed.T]) -> typed.T:
        try:
            return typed.read(table, kind, f"[[{name}]]", line=line)
        except typed.Mismatch as error:
            raise self.error(line, str(error)) from None

    def error(self, line: int, reason: str) -> TableError:
        """The error for something that is wrong with the entry on a line."""
        return TableError(f"{self.path.name}:{line}: {reason}")


@cache
def load(path: Path, known: tuple[str, ...]) -> Tables:
    """The file, whose tables are `known` ones; raises TableError."""
    text = path.read_text(encoding="utf-8")
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise TableError(f"{path.name}: {error}") from None
    for name in data:
        if name not in known:
            raise TableError(f"{path.name}: nothing reads '{name}'; there are {', '.join(known)}")
    if "reviewed" in known and not typed.fits(data.get("reviewed"), ReleaseName):
        raise TableError(f'{path.name}: it has to begin with reviewed = "RELEASE"')
    return Tables(path, text, data)


def reviewed(path: Path) -> str:
    """The `reviewed` that a file begins with, without its entries, which take long to be read."""
    with path.open(encoding="utf-8") as lines:
        first = next(line for line in lines if line.strip() and not line.startswith("#"))
    found: str = tomllib.loads(first)["reviewed"]
    return found


def is_reviewed(reviewed: str, last: str | None, release: str) -> bool:
    """Whether somebody has read in the code of `release` what was `reviewed` for another one.

    What has a `last` release has ended; that was read.
    """
    return last is not None or Version(release) <= Version(reviewed)
