"""What one release's snapshot file holds, and how it is read and written.

A snapshot holds facts only: names, types, defaults, groups, entry points. `snapshot_builder` makes
it from a wheel; everything else in the package learns about verl from it alone.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from snippet_checker.findings import Stage
from snippet_checker.hydra.config_file import ConfigFile, Field

FORMAT = 2


@dataclass(frozen=True, slots=True)
class EntryPoint:
    """A module with an `@hydra.main`, and the primary config that it starts from."""

    module: str
    config_dir: str
    config_name: str


@dataclass(frozen=True, slots=True)
class Declaration:
    """A dataclass that a config node is built into. `fields` includes inherited ones."""

    file: str
    fields: dict[str, Field]


@dataclass(frozen=True, slots=True)
class ClosedSet:
    """A closed set of words that some keys take.

    `keys` are full keys or patterns with `*`. With `cls`, it holds where the mapping around the
    key is built into that dataclass. An `open` set can be widened by code of the user's own; with
    `commas`, a value may name several words. `stage` is who stops another word. An `unread` one
    was found where an earlier release has its words; nobody has read whether others are taken.
    """

    keys: tuple[str, ...]
    values: tuple[str, ...]
    stage: Stage
    source: str
    cls: str | None
    open: bool
    commas: bool
    unread: bool = False


@dataclass(frozen=True, slots=True)
class Facts:
    """One release's snapshot.

    `configs` maps a config dir to its files by config path (`actor/dp_actor`). `declarations`
    maps a `_target_` to its dataclass. `verdicts` maps a config dir to the digest of what real
    Hydra composed for each primary config and single group choice. `files` are the paths of the
    wheel's modules and YAML files.

    What the code says is read by `code_names`: `reads` is what it takes out of configs, `spread`
    the mappings that it hands on whole, `built` the names of those that it turns into
    dataclasses, and `lookalikes` the names in it that are nearly those of keys.
    """

    release: str
    wheel: str
    sha256: str
    entries: tuple[EntryPoint, ...]
    configs: dict[str, dict[str, ConfigFile]]
    declarations: dict[str, Declaration]
    closed_sets: tuple[ClosedSet, ...]
    verdicts: dict[str, dict[str, str]]
    files: frozenset[str]
    reads: frozenset[str]
    spread: frozenset[str]
    built: frozenset[str]
    lookalikes: frozenset[str]


def load(path: Path) -> Facts:
    """Read a snapshot file; raises ValueError where its format is another."""
    data = json.loads(path.read_text(encoding="utf-8"))
    if data.get("format") != FORMAT:
        raise ValueError(f"{path.name}: snapshot format {data.get('format')!r}, expected {FORMAT}")
    return Facts(
        release=data["release"],
        wheel=data["wheel"],
        sha256=data["sha256"],
        entries=tuple(EntryPoint(**entry) for entry in data["entries"]),
        configs={
            directory: {
                name: ConfigFile(file["package"], tuple(file["defaults"]), file["body"])
                for name, file in files.items()
            }
            for directory, files in data["configs"].items()
        },
        declarations={
            target: Declaration(
                file=declared["file"],
                fields={
                    name: Field(field["type"], field.get("default"), "default" in field)
                    for name, field in declared["fields"].items()
                },
            )
            for target, declared in data["declarations"].items()
        },
        closed_sets=tuple(_load_closed_set(words) for words in data["closed_sets"]),
        verdicts=data["verdicts"],
        files=frozenset(data["files"]),
        reads=frozenset(data["reads"]),
        spread=frozenset(data["spread"]),
        built=frozenset(data["built"]),
        lookalikes=frozenset(data["lookalikes"]),
    )


def _load_closed_set(data: dict[str, Any]) -> ClosedSet:
    return ClosedSet(
        keys=tuple(data["keys"]),
        values=tuple(data["values"]),
        stage=Stage(data["stage"]),
        source=data["source"],
        cls=data.get("class"),
        open=data.get("open", False),
        commas=data.get("commas", False),
        unread=data.get("unread", False),
    )


def _dump_closed_set(words: ClosedSet) -> dict[str, Any]:
    data: dict[str, Any] = {
        "keys": list(words.keys),
        "values": list(words.values),
        "stage": words.stage.value,
        "source": words.source,
    }
    if words.cls is not None:
        data["class"] = words.cls
    flags = {"open": words.open, "commas": words.commas, "unread": words.unread}
    return data | {name: True for name, is_set in flags.items() if is_set}


def dump(facts: Facts) -> str:
    """The snapshot file's text: one fact a line, in an order that does not depend on the run."""
    data = {
        "format": FORMAT,
        "release": facts.release,
        "wheel": facts.wheel,
        "sha256": facts.sha256,
        "entries": [
            {"module": e.module, "config_dir": e.config_dir, "config_name": e.config_name}
            for e in facts.entries
        ],
        "configs": {
            directory: {
                name: {"package": file.package, "defaults": list(file.defaults), "body": file.body}
                for name, file in sorted(files.items())
            }
            for directory, files in sorted(facts.configs.items())
        },
        "declarations": {
            target: {
                "file": declared.file,
                "fields": {
                    name: {"type": field.annotation}
                    | ({"default": field.default} if field.has_default else {})
                    for name, field in declared.fields.items()
                },
            }
            for target, declared in sorted(facts.declarations.items())
        },
        "closed_sets": [_dump_closed_set(words) for words in facts.closed_sets],
        "verdicts": {d: dict(sorted(v.items())) for d, v in sorted(facts.verdicts.items())},
        "files": sorted(facts.files),
        "reads": sorted(facts.reads),
        "spread": sorted(facts.spread),
        "built": sorted(facts.built),
        "lookalikes": sorted(facts.lookalikes),
    }
    return json.dumps(data, indent=1, ensure_ascii=False) + "\n"
