"""What values a key takes, as far as the wheel says: kinds from types and defaults, and words.

Nobody checks kinds when a run starts: Hydra's configs are untyped, and dataclasses do not look at
their annotations. A wrong one fails later, or never shows.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable
from enum import StrEnum
from functools import cache
from typing import Any

from snippet_checker.hydra import override
from snippet_checker.hydra.setting import Value
from snippet_checker.verl import patterns
from snippet_checker.verl.facts import ClosedSet
from snippet_checker.verl.keyspace import KeySpace
from snippet_checker.verl.release import Release
from snippet_checker.work import TooMuchWork


class Kind(StrEnum):
    """What sort of value a key takes, named as a message says it."""

    SWITCH = "true or false"
    WHOLE = "a whole number"
    NUMBER = "a number"
    TEXT = "text"
    LIST = "a list"
    MAPPING = "a mapping"


_NAMES = {
    "bool": Kind.SWITCH,
    "int": Kind.WHOLE,
    "float": Kind.NUMBER,
    "str": Kind.TEXT,
    "Literal": Kind.TEXT,
    "list": Kind.LIST,
    "List": Kind.LIST,
    "ListConfig": Kind.LIST,
    "tuple": Kind.LIST,
    "Sequence": Kind.LIST,
    "dict": Kind.MAPPING,
    "Dict": Kind.MAPPING,
    "DictConfig": Kind.MAPPING,
}
_BY_TYPE = {
    bool: Kind.SWITCH,
    int: Kind.WHOLE,
    float: Kind.NUMBER,
    str: Kind.TEXT,
    list: Kind.LIST,
    dict: Kind.MAPPING,
}
_PLACEHOLDER = re.compile(r"[A-Z][A-Z0-9_]*|[xX]{2,}|.*(?:\.\.\.|…|[<>{}|]|\$).*|your.*", re.DOTALL)
_OPEN_NUMBER = re.compile(
    r"[a-z]|[a-z]+(?:_[a-z0-9]+)+|[A-Z]_\w+|\?+|__\w+__|%\w"  # n, prompt_len, L_max, ?, __N__, %d
    r"|(?!\d[\d.]*e-?\d+$)(?:[\d.e-]++(?:[kKM+]|\*[\d.]+|[~–][\d.e-]+)"  # 2k, 4~16
    r"|[\d.]++(?:e-?\d++)?\s++\w{1,3}\s++[\d.]++(?:e-?\d++)?"  # 5e-6 to 1e-5
    r"|[\d.e-](?=[\d.e-]*?(?:-|\.\.)[\d.e-])[\d.e-]++)"  # 4-16, not 1e-5
)
_COUNTS = re.compile(
    r"(?:^|_)(?:size|len|length|nodes|nnodes|gpus|node|workers|epochs|steps|n)(?:_|$)"
)


def is_known(value: Any) -> bool:
    """Whether a value can be judged: no variable, no interpolation, not missing, not null."""
    if isinstance(value, list):
        return all(is_known(item) for item in value)
    if isinstance(value, str):
        return "${" not in value and value != "???"
    return value is not None and not isinstance(value, Value)


def is_comparable(value: Any) -> bool:
    """Whether a value can stand beside another one: null too, but no reference and no mapping."""
    return value is None or (is_known(value) and not isinstance(value, dict))


def is_placeholder(value: Any) -> bool:
    """Whether a document's value stands for the reader's own: `N`, `<path>`, `...`."""
    return isinstance(value, str) and _PLACEHOLDER.fullmatch(value) is not None


def leaves_number_open(value: Any) -> bool:
    """Whether a document's text stands for a number of the reader's: `n`, `4-16`, `prompt_len`."""
    return isinstance(value, str) and _OPEN_NUMBER.fullmatch(value) is not None


def kinds(release: Release, keys: Iterable[str]) -> frozenset[Kind]:
    """The kinds that any of `keys` takes in any program; empty where that is not known."""
    found = [_kinds_of_key(release, key) for key in keys]
    return frozenset().union(*found) if all(found) else frozenset()


@cache
def _kinds_of_key(release: Release, key: str) -> frozenset[Kind]:
    found: set[Kind] = set()
    for space in release.spaces:
        here = _kinds_in(space, key)
        if here is not None and not here:
            return frozenset()
        found |= here or set()
    return frozenset(found)


def takes(release: Release, keys: Iterable[str], value: Any) -> bool:
    """Whether a known value fits the `kinds` of the keys; mostly the first program shows it."""
    asked = tuple(keys)
    return not asked or any(_takes(release, key, value) for key in asked)


def _takes(release: Release, key: str, value: Any) -> bool:
    is_there = False
    for primary in release.primaries:
        here = _kinds_in(release.space(primary), key)
        if here is not None and fits(value, frozenset(here)):
            return True
        is_there = is_there or here is not None
    return not is_there


def fits(value: Any, wanted: frozenset[Kind]) -> bool:
    """Whether a known value is of one of the wanted kinds, or turns into one without harm."""
    if not wanted:
        return True
    if isinstance(value, bool):
        return bool(wanted & {Kind.SWITCH, Kind.TEXT})
    if isinstance(value, int):
        is_switch = Kind.SWITCH in wanted and value in (0, 1)
        return is_switch or bool(wanted & {Kind.WHOLE, Kind.NUMBER, Kind.TEXT})
    if isinstance(value, float):
        return bool(wanted & {Kind.NUMBER, Kind.TEXT})
    if isinstance(value, str):
        return Kind.TEXT in wanted
    if isinstance(value, list):
        return bool(wanted & {Kind.LIST, Kind.TEXT})  # a path may be a list of paths
    return Kind.MAPPING in wanted


def is_quoted(value: Any, wanted: frozenset[Kind]) -> bool:
    """Whether a text would be of one of the wanted kinds, were it not for quotes around it."""
    if not isinstance(value, str):
        return False
    try:
        meant = override.parse(f"key={value}")
    except (override.OverrideError, TooMuchWork):
        return False
    return not meant.is_sweep and not isinstance(meant.value, str) and is_of(meant.value, wanted)


def is_of(value: Any, wanted: frozenset[Kind]) -> bool:
    """Whether a known value is of one of the wanted kinds itself; a whole number is a number."""
    kind = kind_of(value)
    return kind in wanted or (kind is Kind.WHOLE and Kind.NUMBER in wanted)


def closed_sets(release: Release, key: str, classes: Iterable[str] | None) -> tuple[ClosedSet, ...]:
    """The sets of words that hold for `key`, whose mapping is built into one of `classes`.

    Where the classes are not known (None), only sets that hold for any class count.
    """
    built = None if classes is None else {name.rpartition(".")[2] for name in classes}
    return tuple(
        closed_set
        for closed_set in _sets_of_key(release, key)
        if closed_set.cls is None or (built is not None and built == {closed_set.cls})
    )


@cache
def _sets_of_key(release: Release, key: str) -> tuple[ClosedSet, ...]:
    return tuple(
        closed_set
        for closed_set in release.facts.closed_sets
        if patterns.any_fits(closed_set.keys, key)
    )


def wrong_words(value: Any, sets: Iterable[ClosedSet]) -> list[str]:
    """The words of a value that none of the sets holds."""
    items = value if isinstance(value, list) else [value]
    if any(closed_set.commas for closed_set in sets):
        items = [part.strip() for item in items for part in str(item).split(",")]
    allowed = {word for closed_set in sets for word in closed_set.values}
    return [str(item) for item in items if str(item) not in allowed]


@cache
def _kinds_in(space: KeySpace, key: str) -> set[Kind] | None:
    """The kinds in one program: None without the key, empty where they cannot be told."""
    field = space.field(key)
    if field is None and key not in space:
        return None
    default = space.default(key)
    of_default = kind_of(default)
    if field is None:
        return _without_annotation(of_default, key.rpartition(".")[2])
    declared = kinds_of_annotation(field.annotation)
    if not declared:
        return set()
    return declared | ({of_default} if of_default is not None else set())


def _without_annotation(of_default: Kind | None, leaf: str) -> set[Kind]:
    """What the YAML alone says: `0` may be meant for any number, and one text for a list."""
    if of_default is None:
        return set()
    if of_default is Kind.WHOLE and not _COUNTS.search(leaf):
        return {Kind.WHOLE, Kind.NUMBER}
    if of_default is Kind.LIST:
        return {Kind.LIST, Kind.TEXT}
    return {of_default}


def kind_of(value: Any) -> Kind | None:
    """The kind of a value; None where it is null, refers to another one, or is not set yet."""
    if value is None or (isinstance(value, str) and ("${" in value or value == "???")):
        return None
    return _BY_TYPE.get(type(value))


def kinds_of_annotation(annotation: str) -> set[Kind]:
    """The kinds that an annotation names; empty where one of them is anything at all."""
    try:
        found = _kinds_of_node(ast.parse(annotation, mode="eval").body)
    except SyntaxError:
        return set()
    return {kind for kind in found if kind is not None} if None not in found else set()


def _kinds_of_node(node: ast.expr) -> set[Kind | None]:
    if isinstance(node, ast.BinOp):
        return _kinds_of_node(node.left) | _kinds_of_node(node.right)
    if isinstance(node, ast.Constant):
        return set() if node.value is None else {None}
    if isinstance(node, ast.Subscript):
        name = ast.unparse(node.value).rpartition(".")[2]
        if name in ("Optional", "Union"):
            inner = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
            return set().union(*map(_kinds_of_node, inner))
        return {_NAMES.get(name)}
    name = ast.unparse(node).rpartition(".")[2]
    return {Kind.MAPPING} if name.endswith("Config") else {_NAMES.get(name)}
