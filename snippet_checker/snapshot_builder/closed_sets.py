"""The closed sets of words that verl's code compares settings with, read with `ast`.

`closed_sets.toml` says where to look.
"""

from __future__ import annotations

import ast
import fnmatch
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from packaging.version import Version

from snippet_checker.findings import Stage
from snippet_checker.verl import tables
from snippet_checker.verl.facts import ClosedSet

PLACES = Path(__file__).with_name("closed_sets.toml")


@dataclass(frozen=True, slots=True)
class Place:
    """One table of `closed_sets.toml`: which keys, and where in the wheel their words stand."""

    keys: tuple[str, ...]
    read: str
    files: tuple[str, ...]
    name: str
    stage: Stage
    within: str | None = None
    cls: str | None = None
    enum: str | None = None
    argument: str | None = None
    given: str | None = None
    part: int | None = None
    extra: tuple[str, ...] = ()
    never: tuple[str, ...] = ()
    open: bool = False
    commas: bool = False
    plus: str | None = None
    last: str | None = None

    @property
    def names(self) -> list[str]:
        return self.name.split("|")


def places() -> list[Place]:
    """Every table of `closed_sets.toml`."""
    return [
        Place(**{"cls" if key == "class" else key: value for key, value in table.items()})
        for table in tables.read(PLACES, "closed_set")
    ]


def read_closed_sets(release: str, modules: Mapping[str, ast.Module]) -> tuple[ClosedSet, ...]:
    """The sets of one wheel, whose parsed files come by path; places that it lacks give none."""
    found = []
    for place in places():
        if place.last and Version(release) > Version(place.last):
            continue
        words: dict[str, None] = {}
        sources = []
        for path in _matching(place.files, modules):
            here = _words(place, modules[path])
            words |= dict.fromkeys(here)
            sources += [path] if here else []
        if not words:
            continue
        kept = [word for word in [*words, *place.extra] if word not in place.never]
        if place.plus and Version(release) >= Version(place.plus):
            kept += [f"{word}+" for word in kept]
        found.append(
            ClosedSet(
                keys=place.keys,
                values=tuple(dict.fromkeys(kept)),
                stage=Stage(place.stage),
                source=f"{', '.join(sources)}: {place.name}",
                cls=place.cls,
                open=place.open,
                commas=place.commas,
            )
        )
    return tuple(found)


def _matching(patterns: Iterable[str], paths: Iterable[str]) -> list[str]:
    return sorted(p for p in paths if any(fnmatch.fnmatchcase(p, pattern) for pattern in patterns))


def _words(place: Place, module: ast.Module) -> list[str]:
    reader = _READERS[place.read]
    return [word for scope in _scopes(module, place.within) for word in reader(place, scope)]


def _scopes(module: ast.Module, name: str | None) -> Iterator[ast.AST]:
    """The module, or the classes and functions of that name in it."""
    if name is None:
        yield module
        return
    for node in ast.walk(module):
        kinds = ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
        if isinstance(node, kinds) and node.name == name:
            yield node


def _registered(place: Place, scope: ast.AST) -> Iterator[str]:
    members = _enum_members(scope, place.enum) if place.enum else {}
    for node in ast.walk(scope):
        if not isinstance(node, ast.Call) or ast.unparse(node.func) not in place.names:
            continue
        if place.given and place.given not in map(ast.unparse, node.keywords):
            continue
        keywords = [word.value for word in node.keywords if word.arg == place.argument]
        for argument in keywords if place.argument else node.args[:1]:
            if isinstance(argument, ast.Attribute) and argument.attr in members:
                yield members[argument.attr]
            else:
                yield from _literals(argument)


def _enumerated(place: Place, scope: ast.AST) -> Iterator[str]:
    yield from _enum_members(scope, place.name).values()


def _enum_members(scope: ast.AST, name: str) -> dict[str, str]:
    return {
        target.id: value
        for cls in ast.walk(scope)
        if isinstance(cls, ast.ClassDef) and cls.name == name
        for statement in cls.body
        if isinstance(statement, ast.Assign)
        for target in statement.targets
        if isinstance(target, ast.Name)
        for value in _literals(statement.value)
    }


def _listed(place: Place, scope: ast.AST) -> Iterator[str]:
    for target, value in _assignments(scope):
        if target in place.names:
            yield from _literals(value)


def _keys(place: Place, scope: ast.AST) -> Iterator[str]:
    for target, value in _assignments(scope):
        if target not in place.names or not isinstance(value, ast.Dict):
            continue
        for key in value.keys:
            if isinstance(key, ast.Tuple) and place.part is not None:
                yield from _literals(key.elts[place.part])
            elif key is not None:
                yield from _literals(key)


def _compared(place: Place, scope: ast.AST) -> Iterator[str]:
    for node in ast.walk(scope):
        if isinstance(node, ast.Compare) and ast.unparse(node.left) in place.names:
            if isinstance(node.ops[0], ast.Eq | ast.In | ast.NotIn):
                yield from _literals(node.comparators[0])
        elif isinstance(node, ast.Match) and ast.unparse(node.subject) in place.names:
            for pattern in (inner for case in node.cases for inner in ast.walk(case.pattern)):
                if isinstance(pattern, ast.MatchValue):
                    yield from _literals(pattern.value)


def _assignments(scope: ast.AST) -> Iterator[tuple[str, ast.expr]]:
    for node in ast.walk(scope):
        if isinstance(node, ast.Assign):
            yield ast.unparse(node.targets[0]), node.value
        elif isinstance(node, ast.AnnAssign) and node.value is not None:
            yield ast.unparse(node.target), node.value


def _literals(node: ast.expr) -> Iterator[str]:
    """The words and numbers of a literal, or of a list of them."""
    if isinstance(node, ast.List | ast.Tuple | ast.Set):
        for element in node.elts:
            yield from _literals(element)
    elif isinstance(node, ast.Constant) and isinstance(node.value, str | int):
        yield str(node.value)


_READERS: dict[str, Callable[[Place, ast.AST], Iterator[str]]] = {
    "registry": _registered,
    "enum": _enumerated,
    "list": _listed,
    "keys": _keys,
    "compared": _compared,
}
