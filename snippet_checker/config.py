"""`[tool.snippet-checker]` of the nearest `pyproject.toml`."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from snippet_checker import files
from snippet_checker.errors import UserError


class ConfigError(UserError):
    """The configuration cannot be used; the message says where and why."""


@dataclass(frozen=True, slots=True)
class Config:
    """What a project says once, so that `snippet-checker check` needs no arguments.

    `paths`, `glossary` and `cache` are relative to `root`, the folder of `pyproject.toml`.
    `exclude` are glob patterns, `ignore` the rules that the project does without, `cache` is the
    folder for results of files that may not have changed when they are checked again.
    """

    root: Path
    paths: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    verl: str | None = None
    entry: str | None = None
    strict: bool = False
    glossary: str | None = None
    ignore: tuple[str, ...] = ()
    cache: str | None = None


_LISTS = ("paths", "exclude", "ignore")
_WORDS = ("verl", "entry", "glossary", "cache")
_SWITCHES = ("strict",)
_MOST_PARTS = 100  # of one key
_STRING_OR_BLANKS = re.compile(r'"(?:[^"\\\n]|\\.)*+"?|\'[^\'\n]*+\'?|[^\S\n]++')
_ENDLESS_KEY = re.compile(rf"(?<![\w-])[\w-]++(?:\.[\w-]++){{{_MOST_PARTS}}}")
_KEYS = (*_LISTS, *_WORDS, *_SWITCHES)


def load(start: Path) -> Config:
    """The configuration that holds for `start`; raises ConfigError."""
    for folder in (start, *start.parents):
        file = folder / "pyproject.toml"
        if files.may_be_file(file):
            return _read(file)
    return Config(start)


def read_toml(file: Path) -> dict[str, Any]:
    """What a TOML file holds; raises ConfigError."""
    try:
        text = files.text_of(files.read(file))
        if _has_endless_key(text):
            raise ConfigError(f"{file}: a key has more than {_MOST_PARTS} parts")
        return tomllib.loads(text)
    except files.UnreadableFile as error:
        raise ConfigError(f"{file} {error}") from None
    except RecursionError:
        raise ConfigError(f"{file} is nested too deeply to be read") from None
    except ValueError as error:  # of TOML, or a number of more digits than Python reads
        raise ConfigError(f"{file}: {error}") from None


def _has_endless_key(text: str) -> bool:
    """Whether a line has a dotted key of so many parts that `tomllib` takes their square."""
    if text.count(".") < _MOST_PARTS:
        return False
    bare = _STRING_OR_BLANKS.sub(lambda match: "" if match[0].isspace() else "_", text)
    return _ENDLESS_KEY.search(bare) is not None


def _read(file: Path) -> Config:
    data = read_toml(file)
    tools = data.get("tool", {})
    table: Any = tools.get("snippet-checker", {}) if isinstance(tools, dict) else {}
    if not isinstance(table, dict):
        raise ConfigError(f"{file}: [tool.snippet-checker] must be a table")
    for key, value in table.items():
        if key not in _KEYS:
            known = ", ".join(_KEYS)
            raise ConfigError(f"{file}: [tool.snippet-checker] has no '{key}'; it has {known}")
        kind = _wanted_kind(key, value)
        if kind is not None:
            raise ConfigError(f"{file}: [tool.snippet-checker] '{key}' must be {kind}")
    return Config(
        file.parent,
        tuple(table.get("paths", ())),
        tuple(table.get("exclude", ())),
        table.get("verl"),
        table.get("entry"),
        table.get("strict", False),
        table.get("glossary"),
        tuple(table.get("ignore", ())),
        table.get("cache"),
    )


def _wanted_kind(key: str, value: object) -> str | None:
    """What `key` must be where `value` is not, else None."""
    if key in _SWITCHES:
        return None if isinstance(value, bool) else "true or false"
    strings = value if key in _LISTS else [value]
    if isinstance(strings, list) and all(isinstance(item, str) for item in strings):
        return "without the character U+0000" if any("\0" in item for item in strings) else None
    return "a list of strings" if key in _LISTS else "a string"
