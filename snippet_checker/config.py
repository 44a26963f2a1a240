"""`[tool.snippet-checker]` of the nearest `pyproject.toml`."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any


class ConfigError(Exception):
    """The configuration cannot be used; the message says where and why."""


@dataclass(frozen=True, slots=True)
class Config:
    """What a project says once, so that `snippet-checker check` needs no arguments.

    `paths` are relative to `root`, the folder of `pyproject.toml`. `exclude` are glob patterns.
    """

    root: Path
    paths: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    verl: str | None = None
    entry: str | None = None


_LISTS = ("paths", "exclude")
_WORDS = ("verl", "entry")


def load(start: Path) -> Config:
    """The configuration that holds for `start`; raises ConfigError."""
    for folder in (start, *start.parents):
        file = folder / "pyproject.toml"
        if file.is_file():
            return _read(file)
    return Config(start)


def _read(file: Path) -> Config:
    try:
        data = tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ConfigError(f"{file}: {error}") from None
    tools = data.get("tool", {})
    table: Any = tools.get("snippet-checker", {}) if isinstance(tools, dict) else {}
    if not isinstance(table, dict):
        raise ConfigError(f"{file}: [tool.snippet-checker] must be a table")
    for key, value in table.items():
        if key not in (*_LISTS, *_WORDS):
            known = ", ".join((*_LISTS, *_WORDS))
            raise ConfigError(f"{file}: [tool.snippet-checker] has no '{key}'; it has {known}")
        strings = value if key in _LISTS else [value]
        if not isinstance(strings, list) or not all(isinstance(s, str) for s in strings):
            kind = "a list of strings" if key in _LISTS else "a string"
            raise ConfigError(f"{file}: [tool.snippet-checker] '{key}' must be {kind}")
    return Config(
        file.parent,
        tuple(table.get("paths", ())),
        tuple(table.get("exclude", ())),
        table.get("verl"),
        table.get("entry"),
    )
