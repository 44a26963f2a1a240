"""The configuration schema of a program, for other tools: as a list of keys, and as JSON Schema.

With the JSON Schema, an editor that knows YAML completes and checks config files by itself. It says
less than a check does: a value may refer to another, and what verl leaves open is open.
"""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import UNSET, Meta, Struct, UnsetType

from snippet_checker.hydra.setting import Value
from snippet_checker.verl import descriptions, values
from snippet_checker.verl.keyspace import KeySpace
from snippet_checker.verl.release import Primary, Release
from snippet_checker.verl.values import Kind

SCHEMA = 1
"""Grows when a key of the list changes its meaning; keys may be added without it."""

_TYPES = {
    Kind.SWITCH: ("boolean",),
    Kind.WHOLE: ("integer",),
    Kind.NUMBER: ("number",),
    Kind.TEXT: ("string", "number", "boolean"),  # which become text
    Kind.LIST: ("array",),
    Kind.MAPPING: ("object",),
}
_REFERENCE = {"type": "string", "pattern": r"\$\{|^\?\?\?$"}
_OF_HYDRA = {"defaults": {"type": "array"}, "hydra": {"type": "object"}}


_Default = Annotated[Any, Meta(description="missing where the config does not have the key")]


class ExportedKey(Struct):
    """A key of a program, and what it takes.

    `takes` are kinds of values, and `words` all words that verl's code takes, where that is known.
    What `needs_plus` is brought into the config by `+` only.
    """

    key: str
    takes: list[Kind]
    needs_plus: bool
    default: _Default | UnsetType = UNSET
    description: str | UnsetType = UNSET
    words: list[str] | UnsetType = UNSET


class Exported(Struct):
    """What `snippet-checker schema export` prints."""

    schema: Annotated[int, Meta(description="the number of this contract")]
    verl: str
    config: str
    keys: list[ExportedKey]


def keys(release: Release, primary: Primary) -> Exported:
    """Every key of a program, with what it takes."""
    space = release.space(primary)
    found = [_key(release, space, key) for key in sorted(space.all_keys)]
    return Exported(SCHEMA, release.name, primary.config_name, found)


def _key(release: Release, space: KeySpace, key: str) -> ExportedKey:
    default = next(iter(space.defaults(key)), Value.ABSENT)
    return ExportedKey(
        key=key,
        takes=sorted(values.kinds(release, [key])),
        needs_plus=key not in space,
        default=UNSET if default is Value.ABSENT else default,
        description=descriptions.of_key(key, release.name) or UNSET,
        words=_words(release, space, key) or UNSET,
    )


def json_schema(release: Release, primary: Primary) -> dict[str, Any]:
    """What a whole config of a program may hold, as JSON Schema (draft 2020-12)."""
    space = release.space(primary)
    root: dict[str, Any] = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"{primary.config_name} of verl {release.name}",
        **_mapping(),
    }
    root["properties"] |= _OF_HYDRA
    for key in sorted(space.all_keys):
        _place(root, key, space)[key.rpartition(".")[2]] = _leaf(release, space, key)
    return root


def _mapping() -> dict[str, Any]:
    return {"type": "object", "properties": {}, "additionalProperties": False}


def _place(root: dict[str, Any], key: str, space: KeySpace) -> dict[str, Any]:
    """The properties of the mapping around a key, which is made where it is missing."""
    node, parts = root, key.split(".")[:-1]
    for depth, part in enumerate(parts, start=1):
        found = node["properties"].get(part)
        if found is None or "properties" not in found:
            path = ".".join(parts[:depth])
            found = _mapping() | {"type": ["object", "null", "string"]}
            found["additionalProperties"] = space.is_open(f"{path}.any")
            node["properties"][part] = found
        node = found
    properties: dict[str, Any] = node["properties"]
    return properties


def _leaf(release: Release, space: KeySpace, key: str) -> dict[str, Any]:
    """What a key takes; null is always taken, and so is a reference to another key."""
    words = _words(release, space, key)
    types = {name for kind in values.kinds(release, [key]) for name in _TYPES[kind]}
    if space.is_open(f"{key}.any"):
        types |= {"object"} if types else set()
    takes: dict[str, Any] = {"type": sorted({*types, "null"})} if types else {}
    defaults = space.defaults(key)
    if words is not None:
        known = [default for default in defaults if isinstance(default, str)]
        takes = {"enum": [*sorted({*words, *known}), None]}
    schema: dict[str, Any] = {"anyOf": [takes, _REFERENCE]} if takes else {}
    if defaults and values.is_comparable(defaults[0]):
        schema["default"] = defaults[0]
    if (text := descriptions.of_key(key, release.name)) is not None:
        schema["description"] = text
    return schema


def _words(release: Release, space: KeySpace, key: str) -> list[str] | None:
    """The words that a key takes, where verl's code takes no others and one at a time."""
    sets = values.closed_sets(release, key, space.classes(key.rpartition(".")[0]))
    if not sets or any(one.open or one.commas or one.unreviewed for one in sets):
        return None
    if values.kinds(release, [key]) != {Kind.TEXT} or len(sets) > 1:
        return None
    return [word for word in sets[0].values if not word.endswith("+")]
