"""The values that a project's copy of verl takes for a key, and verl does not.

Its classes and configs declare another kind for it.

The code is read with `ast`, and nothing of it is run.
"""

from __future__ import annotations

import ast
import posixpath
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Any

from snippet_checker.projects import own_copy
from snippet_checker.projects.config_folder import ConfigFolder
from snippet_checker.projects.files import ProjectFiles
from snippet_checker.projects.own_yaml import defaults_of, primaries_in
from snippet_checker.text import python_tree
from snippet_checker.verl import key_index, values
from snippet_checker.verl.release import Release, load


class OwnTypes:
    """What the copy of verl around a document declares, looked for when first needed."""

    def __init__(self, path: str, files: ProjectFiles) -> None:
        """`path` is that of a file in the project."""
        self._path, self._files = path, files
        self._defaults: dict[str, dict[str, list[Any]]] = {}

    def take(self, value: Any, keys: Iterable[str], release: Release) -> bool:
        """Whether the copy declares a kind for one of some keys that a value is of.

        What an earlier release took there is verl's, unless the copy is about as old as the
        release.
        """
        return self._copy is not None and any(
            self._is_declared(value, key, release) and not self._is_verls(value, key, release)
            for key in keys
        )

    def give(self, value: Any, keys: Iterable[str], release: Release) -> bool:
        """Whether the copy's configs give one of some keys a value by default.

        The default of an earlier release is verl's, unless the copy is about as old as the
        release.
        """
        return self._copy is not None and any(
            value in self._given(key, release) and not self._was_default(value, key, release)
            for key in keys
        )

    def _was_default(self, value: Any, key: str, release: Release) -> bool:
        if release.name in own_copy.made_beside(self._copy, self._files):
            return False
        return any(value in load(n).defaults(key) for n in key_index.before(key, release.name))

    def _is_declared(self, value: Any, key: str, release: Release) -> bool:
        kinds = [values.kinds_of_annotation(one) for one in self._annotations(key, release)]
        if any(values.fits(value, frozenset(found)) for found in kinds):
            return True
        kind = values.kind_of(value)
        return any(values.kind_of(one) is kind for one in self._given(key, release))

    def _is_verls(self, value: Any, key: str, release: Release) -> bool:
        if release.name in own_copy.made_beside(self._copy, self._files):
            return False
        earlier = key_index.before(key, release.name)
        return any(values.fits(value, values.kinds(load(name), [key])) for name in earlier)

    @cached_property
    def _copy(self) -> str | None:
        return own_copy.beside(self._path, self._files)

    def _annotations(self, key: str, release: Release) -> Iterator[str]:
        """What the copy's classes of the names of verl's declare for a key."""
        leaf = key.rpartition(".")[2]
        declaring = {one for space in release.spaces for one in space.declaring(key).items()}
        for target, file in sorted(declaring):
            folder = posixpath.join(str(self._copy), posixpath.dirname(file))
            for name in sorted(self._files.programs_in(folder)):
                text = self._files.text(posixpath.join(folder, name)) or ""
                yield from _declared(text, target.rpartition(".")[2], leaf)

    def _given(self, key: str, release: Release) -> list[Any]:
        """What the copy's configs give a key."""
        if release.name not in self._defaults:
            found = self._defaults[release.name] = defaultdict(list)
            for folder in own_copy.config_folders(self._copy, release):
                names = primaries_in(folder, self._files)
                for own, value in defaults_of(ConfigFolder(self._files, folder), names, release):
                    found[own].append(value)
        return self._defaults[release.name].get(key, [])


def _declared(text: str, name: str, leaf: str) -> Iterator[str]:
    """The annotations of a field in the classes of a name."""
    module = python_tree.parsed(text) if f"class {name}" in text and leaf in text else None
    for node in ast.walk(module) if module is not None else ():
        if isinstance(node, ast.ClassDef) and node.name == name:
            for one in node.body:
                if isinstance(one, ast.AnnAssign) and ast.unparse(one.target) == leaf:
                    yield ast.unparse(one.annotation)
