"""What Hydra's own configuration accepts: its groups and options, and the type of each setting.

The file is made from Hydra's package by `snapshot_builder`; nothing here asks Hydra itself, so
that no override of a document can reach its loader, its search path or its plugins.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import msgspec

from snippet_checker import typed
from snippet_checker.hydra.config_file import ConfigFile, Field

_TABLES = ("configs", "classes", "enums")
FILE = Path(__file__).with_name("snapshot.json")
CLASS = "$class"
"""The one key of a config's body that stands for an instance of a dataclass."""


class HydraFacts(msgspec.Struct, frozen=True):
    """Hydra's own configs by config path (`hydra/output/default`), and their dataclasses.

    `classes` maps a dataclass to its fields, whose annotations are `Any`, `str`, `int`, `bool`,
    another class, an enum, or one of these in `Optional`, `List` or `Dict`. `enums` maps an enum
    to the values of its members.
    """

    version: str = msgspec.field(name="hydra")
    configs: dict[str, ConfigFile]
    classes: dict[str, dict[str, Field]]
    enums: dict[str, dict[str, int]]


@cache
def load() -> HydraFacts:
    """The facts that the package comes with."""
    return parse(FILE.read_text(encoding="utf-8"))


def parse(text: str) -> HydraFacts:
    """The facts in a file's text."""
    return msgspec.json.decode(text, type=HydraFacts)


def dump(facts: HydraFacts) -> str:
    """The file's text, in an order that does not depend on the run."""
    tables = {name: dict(sorted(getattr(facts, name).items())) for name in _TABLES}
    return typed.text_of(msgspec.structs.replace(facts, **tables))
