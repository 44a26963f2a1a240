"""The elements of Hydra's defaults lists: what they name, and the package it goes to.

Reference: https://hydra.cc/docs/advanced/defaults_list/ and /docs/advanced/overriding_packages/.
"""

from __future__ import annotations

import posixpath
from collections.abc import Sequence
from typing import Any, TypeAlias

from msgspec import Struct

Option: TypeAlias = "str | list[str] | None"
"""What a defaults list or a command puts after a group: one option, several, or none."""


class CompositionError(Exception):
    """Hydra would refuse to compose this; the message says why."""


class UnknownConfig(CompositionError):
    """A defaults list or a group choice names a config that is not there."""

    def __init__(self, path: str, group: str | None, options: Sequence[str]) -> None:
        super().__init__(f"there is no config '{path}'")
        self.path, self.group, self.options = path, group, tuple(options)


class UnusedChoice(CompositionError):
    """A group choice names a group that no defaults list mentions at that package."""

    def __init__(self, key: str, candidates: Sequence[str]) -> None:
        super().__init__(f"no defaults list mentions '{key}'")
        self.key, self.candidates = key, tuple(candidates)


class Default(Struct):
    """One element of a defaults list, and where it stands in the tree of lists.

    `name` is the option of a group, or a config's path where `group` is None; `names` holds a
    group's options where it lists several.
    """

    group: str | None
    name: str | None
    package: str | None
    optional: bool = False
    override: bool = False
    names: tuple[str, ...] | None = None
    parent_group: str = ""
    parent_package: str = ""
    header: str | None = None

    @property
    def option(self) -> Option:
        return self.name if self.names is None else list(self.names)

    @property
    def group_path(self) -> str:
        group = self.group if self.group is not None else posixpath.dirname(self.name or "")
        if group.startswith("/"):
            return group[1:]
        return "/".join(part for part in (self.parent_group, group) if part)

    @property
    def config_path(self) -> str:
        name = self.name or ""  # an option may lie deeper than its group: `model: llama/small`
        name = name if self.group is not None else posixpath.basename(name)
        return "/".join(part for part in (self.group_path, name) if part)

    def final_package(self, with_header: bool = True) -> str:
        package = self.package
        if package is None and with_header:
            package = self.header
        group = self.group if self.group is not None else posixpath.dirname(self.name or "")
        own = group.lstrip("/").replace("/", ".")
        if package is None:
            package = own
        elif package is self.package and "_group_" in package:
            package = f"_global_.{package.replace('_group_', own)}"
        joined = ".".join(part for part in (self.parent_package, package) if part)
        _, found, absolute = joined.rpartition("_global_")
        return absolute.lstrip(".") if found else joined

    @property
    def override_key(self) -> str:
        package = self.final_package(with_header=False)
        if package == self.group_path.replace("/", "."):
            return self.group_path
        return f"{self.group_path}@{package or '_global_'}"


def parse_default(item: Any) -> Default:
    """One element as YAML has it: a config's path, or a mapping from a group to its option."""
    if isinstance(item, str):
        *words, path = item.split(" ")
        path, *package = path.split("@", 1)
        return Default(None, path, _package(package), optional="optional" in words)
    ((key, name),) = item.items()
    *words, key = key.split(" ")
    group, *package = key.split("@", 1)
    one, several = option_names(name)
    return Default(
        group,
        one,
        _package(package),
        optional="optional" in words,
        override="override" in words,
        names=several,
    )


def option_names(option: Option) -> tuple[str | None, tuple[str, ...] | None]:
    """A group's option as `Default` holds it: one name, or several."""
    return (None, tuple(option)) if isinstance(option, list) else (option, None)


def _package(after_at: Sequence[str]) -> str | None:
    """What follows the `@`, if there is one: `group@` is put where its list stands."""
    if not after_at:
        return None
    return "" if after_at[0] == "_here_" else after_at[0]


def absolute(header: str) -> str:
    """A `@package` header, which always counts from the root."""
    if header in ("", "_global_"):
        return "_global_"
    return header if header.startswith("_global_.") else f"_global_.{header}"
