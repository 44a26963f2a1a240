"""Read dataclasses and entry points out of Python source with `ast`; nothing is imported."""

from __future__ import annotations

import ast
import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any

from snippet_checker.hydra.config_file import Field
from snippet_checker.verl.facts import Declaration, EntryPoint

_CLASS_NAME = re.compile(r"\b[A-Z]\w*Config\b")


class SourceTree:
    """The Python files of one wheel by path, parsed on demand."""

    def __init__(self, sources: Mapping[str, str]) -> None:
        self._sources = sources
        self._parse = lru_cache(maxsize=None)(self._parse_path)

    def _parse_path(self, path: str) -> ast.Module:
        return ast.parse(self._sources[path], filename=path)

    def modules(self) -> dict[str, ast.Module]:
        """Every file by its path, parsed."""
        return {path: self._parse(path) for path in sorted(self._sources)}

    def entry_points(self) -> Iterator[EntryPoint]:
        """Every module that a `@hydra.main(config_path=…, config_name=…)` decorates."""
        for path in sorted(self._sources):
            if "hydra.main" not in self._sources[path]:
                continue
            for keywords in _hydra_mains(self._parse(path)):
                directory = posixpath.normpath(
                    posixpath.join(posixpath.dirname(path), keywords["config_path"])
                )
                yield EntryPoint(_module_name(path), directory, keywords["config_name"])

    def declarations(self, targets: Iterable[str]) -> dict[str, Declaration]:
        """The dataclass behind each `_target_`, those it nests included."""
        found: dict[str, Declaration] = {}
        waiting = sorted(set(targets), reverse=True)
        while waiting:
            target = waiting.pop()
            place = self._resolve(*target.rpartition(".")[::2])
            if target in found or place is None or not _is_dataclass(place[1]):
                continue
            found[target] = Declaration(place[0], self._fields(*place))
            module = _module_name(place[0])
            for field in found[target].fields.values():
                waiting += [f"{module}.{name}" for name in _CLASS_NAME.findall(field.annotation)]
        return found

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


def _hydra_mains(module: ast.Module) -> Iterator[dict[str, str]]:
    for node in ast.walk(module):
        if not isinstance(node, ast.FunctionDef):
            continue
        for decorator in node.decorator_list:
            if isinstance(decorator, ast.Call) and ast.unparse(decorator.func) == "hydra.main":
                yield {
                    keyword.arg: keyword.value.value
                    for keyword in decorator.keywords
                    if keyword.arg
                    and isinstance(keyword.value, ast.Constant)
                    and isinstance(keyword.value.value, str)
                }


def _is_dataclass(cls: ast.ClassDef) -> bool:
    return any(ast.unparse(d).startswith(("dataclass", "dataclasses.")) for d in cls.decorator_list)


def _field(annotation: str, value: ast.expr | None) -> Field:
    if isinstance(value, ast.Call) and ast.unparse(value.func).endswith("field"):
        value = next((k.value for k in value.keywords if k.arg == "default"), None)
    try:
        default: Any = ast.literal_eval(value) if value is not None else None
    except ValueError:
        return Field(annotation, None, has_default=False)
    if isinstance(default, tuple | set):
        default = list(default)
    return Field(annotation, default, has_default=value is not None)


def _module_name(path: str) -> str:
    return path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def _import_source(path: str, statement: ast.ImportFrom) -> str:
    if not statement.level:
        return statement.module or ""
    package = posixpath.dirname(path).split("/")
    package = package[: len(package) - statement.level + 1]
    return ".".join([*package, *([statement.module] if statement.module else [])])
