"""The settings that a project declares in classes of its own, which are no copy of verl's.

The code is read with `ast`, and nothing of it is run.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

from snippet_checker.hydra.setting import Value
from snippet_checker.projects import own_copy
from snippet_checker.projects.files import ProjectFiles, programs_of
from snippet_checker.text import python_tree

_MOST_ASKED = 100  # keys and names, for one document
_MOST_CHARACTERS = 4_000_000  # of the code that has one of them


class OwnSchema:
    """What the classes around a document declare, looked for when first needed."""

    def __init__(self, path: str, files: ProjectFiles) -> None:
        """`path` is that of a file in the project."""
        self._path, self._files = path, files
        self._declared: dict[str, bool] = {}
        self._defaults: dict[str, list[Any]] = {}
        self._parsed: set[str] = set()
        self._room = _MOST_CHARACTERS

    def has(self, key: str) -> bool:
        """Whether a project without a copy of verl declares a key.

        One class has a field of its last name, and a field that is named like its mapping takes
        that class.
        """
        if key not in self._declared:
            has_room = len(self._declared) < _MOST_ASKED and not self._is_fork
            self._declared[key] = has_room and self._declares(key)
        return self._declared[key]

    def gives(self, name: str, value: Any) -> bool:
        """Whether a class of such a project has a field of a name with a default."""
        if name not in self._defaults and len(self._defaults) < _MOST_ASKED:
            fields = () if self._is_fork else self._fields(name)
            self._defaults[name] = [one.default for one in fields]
        given = self._defaults.get(name, ())
        return any(one == value and type(one) is type(value) for one in given)

    def _declares(self, key: str) -> bool:
        above, _, leaf = key.rpartition(".")
        owners = {one.owner for one in self._fields(leaf)} if above else set()
        return bool(owners) and any(
            not owners.isdisjoint(re.findall(r"\w+", one.annotation))
            for one in self._fields(above.rpartition(".")[2])
        )

    def _fields(self, name: str) -> Iterator[_Field]:
        """The fields of a name."""
        word = re.compile(rf"(?<!\w){re.escape(name)}\s*:")
        for text in self._programs:
            if name in text and word.search(text) and self._has_room_for(text):
                yield from (one for one in _fields_in(text) if one.name == name)

    def _has_room_for(self, text: str) -> bool:
        """Whether a program may still be parsed for this document."""
        if text not in self._parsed:
            if self._room < len(text):
                return False
            self._room -= len(text)
            self._parsed.add(text)
        return True

    @cached_property
    def _is_fork(self) -> bool:
        return own_copy.is_fork(self._path, self._files)

    @cached_property
    def _programs(self) -> list[str]:
        return [text for text in programs_of(self._path, self._files) if "class " in text]


@dataclass(frozen=True, slots=True)
class _Field:
    """A field of the class `owner`, with its default where that is a literal."""

    owner: str
    name: str
    annotation: str
    default: Any


@lru_cache(maxsize=256)
def _fields_in(text: str) -> tuple[_Field, ...]:
    module = python_tree.parsed(text)
    return tuple(
        _Field(node.name, one.target.id, ast.unparse(one.annotation), _literal(one.value))
        for node in (ast.walk(module) if module is not None else ())
        if isinstance(node, ast.ClassDef)
        for one in node.body
        if isinstance(one, ast.AnnAssign) and isinstance(one.target, ast.Name)
    )


def _literal(node: ast.expr | None) -> Any:
    return node.value if isinstance(node, ast.Constant) else Value.UNKNOWN
