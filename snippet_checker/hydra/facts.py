"""What Hydra's own configuration accepts: its groups and options, and the type of each setting.

The file is made from Hydra's package by `snapshot_builder`; nothing here asks Hydra itself, so
that no override of a document can reach its loader, its search path or its plugins.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from snippet_checker.hydra.config_file import ConfigFile, Field

FILE = Path(__file__).with_name("snapshot.json")
CLASS = "$class"
"""The one key of a config's body that stands for an instance of a dataclass."""


@dataclass(frozen=True, slots=True)
class HydraFacts:
    """Hydra's own configs by config path (`hydra/output/default`), and their dataclasses.

    `classes` maps a dataclass to its fields, whose annotations are `Any`, `str`, `int`, `bool`,
    another class, an enum, or one of these in `Optional`, `List` or `Dict`. `enums` maps an enum
    to the values of its members.
    """

    version: str
    configs: dict[str, ConfigFile]
    classes: dict[str, dict[str, Field]]
    enums: dict[str, dict[str, int]]


@cache
def load() -> HydraFacts:
    """The facts that the package comes with."""
    return parse(FILE.read_text(encoding="utf-8"))


def parse(text: str) -> HydraFacts:
    """The facts in a file's text."""
    data = json.loads(text)
    return HydraFacts(
        version=data["hydra"],
        configs={
            name: ConfigFile(file["package"], tuple(file["defaults"]), file["body"])
            for name, file in data["configs"].items()
        },
        classes={
            name: {
                field: Field(known["type"], known.get("default"), "default" in known)
                for field, known in fields.items()
            }
            for name, fields in data["classes"].items()
        },
        enums=data["enums"],
    )


def dump(facts: HydraFacts) -> str:
    """The file's text, in an order that does not depend on the run."""
    data = {
        "hydra": facts.version,
        "configs": {
            name: {"package": file.package, "defaults": list(file.defaults), "body": file.body}
            for name, file in sorted(facts.configs.items())
        },
        "classes": {
            name: {
                field: {"type": known.annotation}
                | ({"default": known.default} if known.has_default else {})
                for field, known in fields.items()
            }
            for name, fields in sorted(facts.classes.items())
        },
        "enums": dict(sorted(facts.enums.items())),
    }
    return json.dumps(data, indent=1, ensure_ascii=False) + "\n"
