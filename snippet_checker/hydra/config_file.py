"""The files of a config tree, and the fields of the classes that its nodes are built into."""

from __future__ import annotations

from typing import Any

from msgspec import UNSET, Struct, field


class ConfigFile(Struct, frozen=True):
    """One YAML file of a config tree.

    `defaults` is Hydra's defaults list, `body` the values below it as plain Python data, and
    `package` the `@package` header or None.
    """

    package: str | None
    defaults: tuple[Any, ...]
    body: dict[str, Any]


class Field(Struct, frozen=True):
    """One dataclass field: its annotation, and its default where that is a literal."""

    annotation: str = field(name="type")
    default: Any = UNSET

    @property
    def has_default(self) -> bool:
        return self.default is not UNSET
