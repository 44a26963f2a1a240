"""Read dataclasses and entry points out of Python source with `ast`; nothing is imported."""

from __future__ import annotations

import ast
import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any

from msgspec import UNSET

from snippet_checker.hydra import programs
from snippet_checker.hydra.config_file import Field
from snippet_checker.snapshot_builder.config_files import SnapshotError
from snippet_checker.verl.facts import Declaration, EntryPoint

_CLASS_NAME = re.compile(r"\b[A-Z]\w*Config\b")
_WITHOUT_FIELDS = frozenset({"ABC", "Generic", "Mapping", "MutableMapping", "Protocol", "object"})
"""Bases from outside the wheel, which bring no fields."""


class SourceTree:
    """The Python files of one wheel by path, parsed on demand."""

    def __init__(self, sources: Mapping[str, str]) -> None:
        self._sources = sources
        self._parse = lru_cache(maxsize=None)(self._parse_path)

    def _parse_path(self, path: str) -> ast.Module:
        try:
            return ast.parse(self._sources[path], filename=path)
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            line = getattr(error, "lineno", None) or 1
            raise SnapshotError(
                f"{path}:{line}: this Python cannot read it ({error.args[0]}); take a newer one"
            ) from None

    def modules(self) -> dict[str, ast.Module]:
        """Every file by its path, parsed."""
        return {path: self._parse(path) for path in sorted(self._sources)}

    def entry_points(self) -> tuple[tuple[EntryPoint, ...], tuple[str, ...]]:
        """Every program that Hydra starts, by module, and a line for each that cannot be read."""
        entries, unread = [], []
        for path, text in sorted(self._sources.items()):
            if "hydra" not in text or "main" not in text:
                continue
            for main in programs.mains(self._parse(path)):
                if main.config_path is None or main.config_name is None:
                    unread.append(
                        f"{path}:{main.line}: Hydra's `main` gets no config_path and config_name "
                        "that can be read; correct programs.py"
                    )
                else:
                    folder = posixpath.join(posixpath.dirname(path), main.config_path)
                    folder, name = posixpath.normpath(folder), main.config_name
                    entries.append(EntryPoint(_module_name(path), folder, name))
        return tuple(sorted(entries, key=lambda entry: entry.module)), tuple(unread)

    def declarations(
        self, targets: Iterable[str]
    ) -> tuple[dict[str, Declaration], tuple[str, ...]]:
        """The dataclass behind each `_target_`, those it nests included.

        With a line for each class that they name and whose fields cannot be read. What has no
        dataclass is left out.
        """
        found: dict[str, Declaration] = {}
        unread: dict[str, None] = {}
        waiting = sorted(set(targets), reverse=True)
        while waiting:
            target = waiting.pop()
            place = self._resolve(*target.rpartition(".")[::2])
            if target in found or place is None or not _is_dataclass(place[1]):
                continue
            found[target] = Declaration(place[0], self._fields(*place))
            unread |= dict.fromkeys(self._unread_bases(*place))
            module = _module_name(place[0])
            for name, field in found[target].fields.items():
                for nested in _CLASS_NAME.findall(field.annotation):
                    if self._is_lost(place[0], nested):
                        why = f"the class '{nested}' of the field '{name}' is not found"
                        unread[f"{place[0]}: {why}; correct source_tree.py"] = None
                    waiting.append(f"{module}.{nested}")
        return found, tuple(unread)

    def _unread_bases(self, path: str, cls: ast.ClassDef) -> Iterator[str]:
        """A line for each base of a class that may bring fields and is not in the wheel."""
        for base in map(ast.unparse, cls.bases):
            place = self._resolve(_module_name(path), base.rpartition(".")[2])
            if place is not None:
                yield from self._unread_bases(*place)
            elif base.partition("[")[0].rpartition(".")[2] not in _WITHOUT_FIELDS:
                yield (
                    f"{path}:{cls.lineno}: the base '{base}' of '{cls.name}' is not found, so "
                    "its fields are not known; correct source_tree.py"
                )

    def _is_lost(self, path: str, name: str) -> bool:
        """Whether a dataclass's name is verl's, by where it comes from, and no class is there."""
        place = self._resolve(_module_name(path), name)
        if place is not None:
            return False
        modules = (
            _import_source(path, node)
            for node in ast.walk(self._parse(path))
            if isinstance(node, ast.ImportFrom)
            and any((alias.asname or alias.name) == name for alias in node.names)
        )
        source = next(modules, None)
        return source is None or source.partition(".")[0] == path.partition("/")[0]

    def _fields(self, path: str, cls: ast.ClassDef) -> dict[str, Field]:
        fields: dict[str, Field] = {}
        for base in reversed(cls.bases):
            name = ast.unparse(base).rpartition(".")[2]
            place = self._resolve(_module_name(path), name)
            if place is not None:
                fields.update(self._fields(*place))
        for statement in cls.body:
            if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
                annotation = ast.unparse(statement.annotation)
                if not annotation.startswith("ClassVar"):
                    fields[statement.target.id] = _field(annotation, statement.value)
        return fields

    def _resolve(
        self, module: str, name: str, seen: frozenset[str] = frozenset()
    ) -> tuple[str, ast.ClassDef] | None:
        """The class that `name` means in `module`, followed through its imports."""
        path = self._path(module)
        if path is None or module in seen:
            return None
        for statement in self._parse(path).body:
            if isinstance(statement, ast.ClassDef) and statement.name == name:
                return path, statement
        for node in ast.walk(self._parse(path)):
            if not isinstance(node, ast.ImportFrom):
                continue
            for alias in node.names:
                if alias.name == "*" or (alias.asname or alias.name) == name:
                    wanted = name if alias.name == "*" else alias.name
                    source = _import_source(path, node)
                    place = self._resolve(source, wanted, seen | {module})
                    if place is not None:
                        return place
        return None

    def _path(self, module: str) -> str | None:
        base = module.replace(".", "/")
        for path in (f"{base}.py", f"{base}/__init__.py"):
            if path in self._sources:
                return path
        return None


def _is_dataclass(cls: ast.ClassDef) -> bool:
    return any(ast.unparse(d).startswith(("dataclass", "dataclasses.")) for d in cls.decorator_list)


def _field(annotation: str, value: ast.expr | None) -> Field:
    if isinstance(value, ast.Call) and ast.unparse(value.func).endswith("field"):
        value = next((k.value for k in value.keywords if k.arg == "default"), None)
    try:
        default: Any = ast.literal_eval(value) if value is not None else UNSET
    except ValueError:
        return Field(annotation)
    return Field(annotation, list(default) if isinstance(default, tuple | set) else default)


def _module_name(path: str) -> str:
    return path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def _import_source(path: str, statement: ast.ImportFrom) -> str:
    if not statement.level:
        return statement.module or ""
    package = posixpath.dirname(path).split("/")
    package = package[: len(package) - statement.level + 1]
    return ".".join([*package, *([statement.module] if statement.module else [])])
