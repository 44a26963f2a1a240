"""The reviewed TOML files: tables that become frozen types.

A file begins with `reviewed`, the last release of verl for which its entries were read in the
code; an entry may have one of its own. What nobody would read is an error, not a silence.
"""

from __future__ import annotations

import tomllib
import typing
from collections.abc import Collection, Mapping
from dataclasses import MISSING, dataclass, fields
from enum import StrEnum
from pathlib import Path
from types import UnionType
from typing import Any, TypeVar

from packaging.version import InvalidVersion, Version

from snippet_checker.errors import DataError

_RENAMED = {"class": "cls"}  # what Python keeps for itself
_VERSIONS = ("reviewed", "since", "last", "plus")

T = TypeVar("T")


class TableError(DataError, ValueError):
    """A reviewed file is not what it has to be; the message says where and why."""


@dataclass(frozen=True, slots=True)
class Tables:
    """A reviewed file: where it is, its text, and what it holds."""

    path: Path
    text: str
    data: dict[str, Any]

    @property
    def reviewed(self) -> str:
        """The last release for which the entries that say nothing else were read."""
        found: str = self.data["reviewed"]
        return found

    def of(self, name: str, kind: type[T]) -> tuple[T, ...]:
        """The entries `[[name]]` as the type, in their order; raises TableError.

        Lists become tuples. A field `reviewed` of the type is the file's where an entry has none
        of its own, and a field `line` is the line that the entry begins on.
        """
        hints = typing.get_type_hints(kind)
        return tuple(
            kind(**self._values(name, table, line, hints, _needed(kind)))
            for line, table in zip(self.lines(name), self.data.get(name, ()), strict=True)
        )

    def lines(self, name: str) -> list[int]:
        """The lines, from 1, on which the entries `[[name]]` begin."""
        texts = enumerate(self.text.splitlines(), start=1)
        return [number for number, text in texts if text.partition("#")[0].strip() == f"[[{name}]]"]

    def _values(
        self,
        name: str,
        table: Mapping[str, Any],
        line: int,
        hints: Mapping[str, Any],
        needed: frozenset[str],
    ) -> dict[str, Any]:
        """The values for the fields of an entry, which have the `hints`; raises TableError."""
        filled = {"reviewed": self.data.get("reviewed"), "line": line}
        values = {field: value for field, value in filled.items() if field in hints}
        for key, value in table.items():
            field = _RENAMED.get(key, key)
            if field not in hints or field == "line":
                known = ", ".join(sorted(hints.keys() - {"line"}))
                raise self.error(line, f"[[{name}]] has no '{key}'; it has {known}")
            if not _fits(value, hints[field]) or not _is_release(key, value):
                raise self.error(line, f"'{key}' of [[{name}]] cannot be {value!r}")
            values[field] = tuple(value) if isinstance(value, list) else value
        if lacking := sorted(needed - values.keys()):
            raise self.error(line, f"[[{name}]] lacks '{lacking[0]}'")
        return values

    def error(self, line: int, reason: str) -> TableError:
        """The error for something that is wrong with the entry on a line."""
        return TableError(f"{self.path.name}:{line}: {reason}")


def load(path: Path, known: Collection[str]) -> Tables:
    """The file, whose tables are `known` ones; raises TableError."""
    text = path.read_text(encoding="utf-8")
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise TableError(f"{path.name}: {error}") from None
    for name in data:
        if name not in known:
            raise TableError(f"{path.name}: nothing reads '{name}'; there are {', '.join(known)}")
    if "reviewed" in known and not _is_release("reviewed", data.get("reviewed")):
        raise TableError(f'{path.name}: it has to begin with reviewed = "RELEASE"')
    return Tables(path, text, data)


def is_read(reviewed: str, last: str | None, release: str) -> bool:
    """Whether somebody has read in the code of `release` what was `reviewed` for another one.

    What has a `last` release has ended; that was read.
    """
    return last is not None or Version(release) <= Version(reviewed)


def _needed(kind: Any) -> frozenset[str]:
    return frozenset(
        field.name
        for field in fields(kind)
        if field.default is MISSING and field.default_factory is MISSING
    )


def _is_release(key: str, value: object) -> bool:
    """Whether a value is a release where the field has to be one."""
    if key not in _VERSIONS:
        return True
    try:
        Version(str(value))
    except InvalidVersion:
        return False
    return True


def _fits(value: object, hint: Any) -> bool:
    """Whether a value of TOML is what a field is annotated as."""
    if typing.get_origin(hint) in (UnionType, typing.Union):
        return any(_fits(value, option) for option in typing.get_args(hint))
    if typing.get_origin(hint) is tuple:
        inner = typing.get_args(hint)[0]
        return isinstance(value, list) and all(_fits(item, inner) for item in value)
    if isinstance(hint, type) and issubclass(hint, StrEnum):
        return value in [member.value for member in hint]
    return type(value) is hint
