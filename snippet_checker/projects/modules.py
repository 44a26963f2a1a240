"""The modules of a project as they import each other: what a name in one of them is.

Nothing is imported. A name is the project's own, or something of verl's by its full name.
"""

from __future__ import annotations

import ast
import posixpath
from collections.abc import Iterable, Iterator, Sequence
from typing import TypeAlias

from msgspec import Struct, field

from snippet_checker.projects.files import ProjectFiles
from snippet_checker.projects.programs import SOURCES, imported_module, module_at
from snippet_checker.text import python_tree
from snippet_checker.verl.release import Release, is_verls_program

_MOST_CHARACTERS = 1_000_000
_MOST_MODULES = 60
_MOST_REEXPORTS = 4

Imports: TypeAlias = dict[str, list[tuple[str, str]]]
"""Names, each with the modules that it is imported from, and what it is called there."""


class Module(Struct):
    """A module: what it defines, and what it imports under which name."""

    file: str
    tree: ast.Module
    defined: dict[str, ast.AST] = field(default_factory=dict)
    imported: Imports = field(default_factory=dict)


class Scope(Struct, frozen=True):
    """Where a name is looked up: the imports of a function, and then its module."""

    module: Module
    imported: Imports


class Definition(Struct, frozen=True):
    """A function, a class or a value of the project's own."""

    module: Module
    name: str
    node: ast.AST


class Modules:
    """The modules that are imported from some folders, each read when it is first asked for."""

    def __init__(self, folders: Sequence[str], files: ProjectFiles, release: Release) -> None:
        self._folders, self._files, self._release = folders, files, release
        self._modules: dict[str, Module | None] = {}

    def at(self, file: str) -> Module | None:
        """The module in a file; None where it is too much, or no program."""
        if file not in self._modules:
            full = len(self._modules) >= _MOST_MODULES
            text = None if full else self._files.text(file)
            short = text is not None and len(text) <= _MOST_CHARACTERS
            tree = python_tree.parsed(text) if text is not None and short else None
            self._modules[file] = _read(tree, file) if tree is not None else None
        return self._modules[file]

    def nodes(self) -> Iterator[ast.AST]:
        """The code of all the modules that were read."""
        for module in self._modules.values():
            if module is not None:
                yield from ast.walk(module.tree)

    def meant_by(self, node: ast.AST, scope: Scope) -> list[Definition | str]:
        """What `name` or `module.name` is."""
        if isinstance(node, ast.Name):
            return self._meant(scope, node.id)
        if isinstance(node, ast.Attribute):
            holder = self._module_of(node.value, scope)
            return self._imported(holder, node.attr, _MOST_REEXPORTS) if holder else []
        return []

    def _file(self, name: str) -> str | None:
        """The file of a module of the project's own."""
        if name.startswith("/"):
            return module_at(name, self._files)
        path = name.replace(".", "/")
        for folder in self._folders:
            for source in SOURCES:
                found = module_at(posixpath.join(folder, source, path), self._files)
                if found is not None:
                    return found
        return None

    def _meant(
        self, scope: Scope, name: str, left: int = _MOST_REEXPORTS
    ) -> list[Definition | str]:
        """What a name is: the project's own, or the full name of something of verl's.

        It is several things of verl's where one of several imports gives it: workers, say.
        """
        imported = scope.imported.get(name)
        if imported is None and name in scope.module.defined:
            return [Definition(scope.module, name, scope.module.defined[name])]
        imported = imported or scope.module.imported.get(name, [])
        found = [self._imported(*one, left) for one in imported]
        is_sure = len(found) == 1 or all(len(one) == 1 and isinstance(one[0], str) for one in found)
        return [meant for one in found for meant in one] if is_sure else []

    def _imported(self, module: str, name: str, left: int) -> list[Definition | str]:
        if self._is_verls(module):
            return [f"{module}.{name}".rstrip(".")]
        file = self._file(module) if left else None
        other = self.at(file) if file is not None else None
        return self._meant(Scope(other, {}), name, left - 1) if other is not None else []

    def _is_verls(self, module: str) -> bool:
        return is_verls_program(module) and (self._release.has_module(module) or module == "verl")

    def _module_of(self, node: ast.AST, scope: Scope) -> str | None:
        """The module that an expression is, where it is one."""
        if isinstance(node, ast.Name):
            found = scope.imported.get(node.id) or scope.module.imported.get(node.id, [])
            return ".".join(filter(None, found[0])) if len(found) == 1 else None
        if isinstance(node, ast.Attribute):
            above = self._module_of(node.value, scope)
            return f"{above}.{node.attr}" if above is not None else None
        return None


def _read(tree: ast.Module, file: str) -> Module:
    imports = (one for node in _statements(tree.body) for one in imports_of(node, file))
    module = Module(file, tree, imported=by_name(imports))
    for node in _statements(tree.body):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            module.defined[node.name] = node
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            module.defined.setdefault(node.targets[0].id, node.value)
    return module


def by_name(imports: Iterable[tuple[str, tuple[str, str]]]) -> Imports:
    found: Imports = {}
    for name, source in imports:
        if source not in found.setdefault(name, []):
            found[name].append(source)
    return found


def _statements(body: Iterable[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements of a module, and those in its `if` and `try`."""
    for node in body:
        yield node
        if isinstance(node, ast.If | ast.Try):
            inner = [*node.body, *node.orelse]
            if isinstance(node, ast.Try):
                inner += [*node.finalbody, *(one for h in node.handlers for one in h.body)]
            yield from _statements(inner)


def imports_of(node: ast.AST, file: str) -> Iterator[tuple[str, tuple[str, str]]]:
    """The names that an import gives, each with its module and what it is called there."""
    if isinstance(node, ast.Import):
        for alias in node.names:
            if alias.asname is not None:
                yield alias.asname, (alias.name, "")
            else:
                yield alias.name.partition(".")[0], (alias.name.partition(".")[0], "")
    elif isinstance(node, ast.ImportFrom):
        module = imported_module(node, file)
        for alias in node.names:
            yield alias.asname or alias.name, (module, alias.name)
