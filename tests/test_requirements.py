"""What is imported is declared, where it is imported, and pinned: nothing comes by chance."""

from __future__ import annotations

import ast
import sys
import tomllib
from collections.abc import Iterator
from importlib.metadata import packages_distributions
from itertools import chain
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
PROJECT = PYPROJECT["project"]
NEEDS = {group: PROJECT["optional-dependencies"][group] for group in ("docs", "lsp", "test")}
FOLDERS = {
    "snippet_checker": [*PROJECT["dependencies"], *NEEDS["lsp"]],
    "docs": [*PROJECT["dependencies"], *NEEDS["docs"]],
    "tools": [*PROJECT["dependencies"], *NEEDS["docs"], *NEEDS["test"]],
    "tests": [*PROJECT["dependencies"], *chain.from_iterable(NEEDS.values())],
}
ELSEWHERE = {  # of the environment of `make verify-recipes`, or beside a GPU
    module.removesuffix(".*")
    for override in PYPROJECT["tool"]["mypy"]["overrides"]
    for module in override["module"]
}
HOSTS = {"sphinx", "pytest"}
"""What loads a part of the checker, and is there then; the checker does not bring it along."""

OURS = {
    *("snippet_checker", "verl_docs", "tests"),
    *(file.stem for file in (ROOT / "tools").glob("*.py")),
    *(file.parent.name for file in (ROOT / "tools").glob("*/__init__.py")),
}


def imported(folder: Path) -> Iterator[str]:
    """The packages that the modules of a folder import."""
    for file in folder.rglob("*.py"):
        yield from imported_by(file)


def imported_by(file: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module.partition(".")[0]


def names(requirements: list[str]) -> set[str]:
    return {canonicalize_name(Requirement(text).name) for text in requirements}


@pytest.mark.parametrize("folder", FOLDERS)
def test_what_a_folder_imports_is_declared(folder: str) -> None:
    known = packages_distributions()
    others = {*imported(ROOT / folder)} - sys.stdlib_module_names - OURS - ELSEWHERE
    declared = names(FOLDERS[folder])
    if folder == "snippet_checker":
        others -= HOSTS
    assert others
    assert {
        package
        for package in others
        if declared.isdisjoint(map(canonicalize_name, known.get(package, ())))
    } == set()


def test_only_what_a_host_loads_imports_it() -> None:
    """The command works where neither Sphinx nor pytest is."""
    package = ROOT / "snippet_checker"
    found = {
        file.relative_to(package).parts[0]: host
        for file in package.rglob("*.py")
        for host in HOSTS & {*imported_by(file)}
    }
    assert found == {"sphinx_ext.py": "sphinx", "pytest_plugin": "pytest"}


def test_what_is_declared_is_pinned() -> None:
    lines = (ROOT / "constraints.txt").read_text("utf-8").splitlines()
    pinned = names([line for line in lines if line and not line.startswith("#")])
    assert names([text for needs in FOLDERS.values() for text in needs]) <= pinned
