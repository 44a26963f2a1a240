"""The files of a config tree, and the fields of the classes that its nodes are built into."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class ConfigFile:
    """One YAML file of a config tree.

    `defaults` is Hydra's defaults list, `body` the values below it as plain Python data, and
    `package` the `@package` header or None.
    """

    package: str | None
    defaults: tuple[Any, ...]
    body: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Field:
    """One dataclass field: its annotation, and its default where that is a literal."""

    annotation: str
    default: Any
    has_default: bool
