"""The facts about Hydra's own configuration, read from the installed Hydra.

Hydra is a library that the builder trusts and runs anyway; no verl wheel has a part in this.
"""

from __future__ import annotations

import dataclasses
import typing
from collections.abc import Iterator
from enum import Enum
from pathlib import Path
from typing import Any

from msgspec import UNSET

from snippet_checker.hydra.config_file import ConfigFile, Field
from snippet_checker.hydra.facts import CLASS, HydraFacts
from snippet_checker.snapshot_builder.config_files import config_file


def build() -> HydraFacts:
    """What the installed Hydra brings: its config groups, and the types of its settings."""
    from hydra import __version__, conf

    folder = Path(conf.__file__).parent
    files = {
        path.relative_to(folder).with_suffix("").as_posix(): _yaml_file(path)
        for path in sorted(folder.rglob("*.yaml"))
    }
    classes: dict[str, dict[str, Field]] = {}
    enums: dict[str, dict[str, int]] = {}
    for name, node_class in _structured():
        for found in _classes_of(node_class):
            classes[found.__name__] = dict(_fields(found))
        enums |= {e.__name__: {m.name: m.value for m in e} for e in _enums_of(node_class)}
        files[name] = ConfigFile(None, _defaults(node_class), {CLASS: node_class.__name__})
    return HydraFacts(__version__, files, classes, enums)


def _yaml_file(path: Path) -> ConfigFile:
    file = config_file(path.name, path.read_text(encoding="utf-8"))
    body = {key: _without_prose(value) for key, value in file.body.items()}
    return ConfigFile(file.package, file.defaults, body)


def _without_prose(value: Any) -> Any:
    """Texts of several lines, such as the help, are no facts that anything is judged by."""
    return "" if isinstance(value, str) and "\n" in value else value


def _structured() -> Iterator[tuple[str, type]]:
    """Hydra's configs that are dataclasses: its root, its launcher and its sweeper."""
    from hydra._internal.core_plugins import basic_launcher, basic_sweeper
    from hydra.conf import HydraConf

    yield "hydra/config", HydraConf
    yield "hydra/launcher/basic", basic_launcher.BasicLauncherConf
    yield "hydra/sweeper/basic", basic_sweeper.BasicSweeperConf


def _defaults(node_class: type) -> tuple[Any, ...]:
    """The defaults list of a dataclass, which Hydra takes out of the config."""
    fields: tuple[Any, ...] = dataclasses.fields(node_class)
    listed = [field for field in fields if field.name == "defaults"]
    return tuple(listed[0].default_factory()) if listed else ()


def _fields(node_class: type) -> Iterator[tuple[str, Field]]:
    hints = typing.get_type_hints(node_class)
    for field in dataclasses.fields(node_class):
        if field.name == "defaults":
            continue
        default = field.default
        if field.default_factory is not dataclasses.MISSING:
            default = field.default_factory()
        is_literal = isinstance(default, bool | int | float | str | list | dict | None)
        annotation = _annotation(hints[field.name])
        yield field.name, Field(annotation, default if is_literal else UNSET)


def _annotation(hint: Any) -> str:
    """A type as facts write it: `str`, `Optional[int]`, `Dict[str, Any]`, `RunDir`."""
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin is typing.Union:
        (inner,) = (argument for argument in arguments if argument is not type(None))
        return f"Optional[{_annotation(inner)}]"
    if origin in (list, dict):
        return f"{origin.__name__.title()}[{', '.join(map(_annotation, arguments))}]"
    return "Any" if hint is Any else str(hint.__name__)


def _mentioned(node_class: type) -> Iterator[Any]:
    """The classes in the annotations of a dataclass's fields."""

    def inside(hint: Any) -> Iterator[Any]:
        for argument in typing.get_args(hint):
            yield from inside(argument)
        if isinstance(hint, type):
            yield hint

    for hint in typing.get_type_hints(node_class).values():
        yield from inside(hint)


def _classes_of(node_class: type) -> Iterator[type]:
    """A dataclass and those that its fields hold."""
    yield node_class
    for inner in _mentioned(node_class):
        if isinstance(inner, type) and dataclasses.is_dataclass(inner):
            yield from _classes_of(inner)


def _enums_of(node_class: type) -> Iterator[type[Enum]]:
    for found in _classes_of(node_class):
        yield from (inner for inner in _mentioned(found) if issubclass(inner, Enum))
