"""The files of a config tree, and the fields of the classes that its nodes are built into."""

from __future__ import annotations

import re
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


_PACKAGE_HEADER = re.compile(r"^#\s*@package\s+(\S+)\s*$", re.MULTILINE)


def package_of(text: str) -> str | None:
    """The package that the header of a config's text names: `# @package _global_`."""
    header = _PACKAGE_HEADER.search(text)
    return header[1] if header is not None else None


class Field(Struct, frozen=True):
    """One dataclass field: its annotation, and its default where that is a literal."""

    annotation: str = field(name="type")
    default: Any = UNSET

    @property
    def has_default(self) -> bool:
        return self.default is not UNSET

    @property
    def is_mapping(self) -> bool:
        """Whether it takes any mapping: `dict[str, Any]`, `Optional[dict]`."""
        return self.annotation.lower().startswith(("dict", "optional[dict"))
