"""The checks of verl's code that a project's copy of verl has left out, read with `ast`."""

from __future__ import annotations

import ast
import posixpath
from collections.abc import Iterator, Sequence
from functools import cached_property

from snippet_checker.projects import own_copy
from snippet_checker.projects.files import ProjectFiles
from snippet_checker.text import python_tree
from snippet_checker.verl.release import Release

_FIRST_HOLDER = "verl/trainer/ppo/ray_trainer.py"
_HOLDERS = (
    _FIRST_HOLDER,
    "verl/trainer/main_ppo.py",
    "verl/utils/config.py",
    "verl/utils/seqlen_balancing.py",
    "verl/workers/config/actor.py",
    "verl/workers/config/critic.py",
    "verl/workers/config/rollout.py",
    "verl/workers/engine_workers.py",
    "verl/workers/fsdp_workers.py",
    "verl/workers/megatron_workers.py",
)
"""Where verl refuses settings together, in some release; in the first ones all in one file."""
_ROLES = (frozenset({"critic"}), frozenset({"actor", "actor_rollout_ref"}))
_MOST_DEPTH = 200  # of statements in one another
_STATEMENTS = ast.stmt | ast.excepthandler | ast.match_case


class OwnChecks:
    """What the copy of verl around a document refuses, looked for when first needed."""

    def __init__(self, path: str, files: ProjectFiles) -> None:
        """`path` is that of a file in the project."""
        self._path, self._files = path, files

    def lack(
        self, refusal: frozenset[str], keys: Sequence[str], places: Sequence[str], release: Release
    ) -> bool:
        """Whether the project has a copy of verl's files that hold a check, and not the check.

        `refusal` are the names that stand together in verl's; without any, nothing is known. The
        check is about `keys`. In `places` it is in some release, though perhaps not in this one.
        """
        if not refusal or self._copy is None:
            return False
        needed = {_FIRST_HOLDER, *release.facts.files.intersection(places)}
        role, other = _ROLES if any(key.startswith("critic.") for key in keys) else _ROLES[::-1]
        return needed <= self._refusals.keys() and not any(
            refusal <= names and (names.isdisjoint(other) or not names.isdisjoint(role))
            for found in self._refusals.values()
            for names in found
        )

    @cached_property
    def _copy(self) -> str | None:
        return own_copy.beside(self._path, self._files)

    @cached_property
    def _refusals(self) -> dict[str, list[frozenset[str]]]:
        """The names in each statement that refuses something, by the file of the copy."""
        texts = ((file, self._files.text(f"{self._copy}/{file}")) for file in _HOLDERS)
        modules = ((file, python_tree.parsed(text)) for file, text in texts if text is not None)
        return {
            file: [names | {posixpath.basename(file).removesuffix(".py")} for names in found]
            for file, module in modules
            if module is not None
            for found in [_refusing(module)]
        }


def _refusing(module: ast.Module) -> Iterator[frozenset[str]]:
    """The names in each `assert` and `raise`, and in the conditions around it."""
    waiting: list[tuple[ast.AST, frozenset[str], int]] = [(module, frozenset(), 0)]
    while waiting:
        node, above, depth = waiting.pop()
        if isinstance(node, ast.Assert | ast.Raise):
            yield above | _names(node)
        if depth > _MOST_DEPTH:
            continue
        if isinstance(node, ast.If):
            above = above | _names(node.test)
        elif isinstance(node, ast.FunctionDef | ast.ClassDef):
            above = frozenset()
        inner = (one for one in ast.iter_child_nodes(node) if isinstance(one, _STATEMENTS))
        waiting += [(one, above, depth + 1) for one in inner]


def _names(node: ast.AST) -> frozenset[str]:
    found = (
        getattr(one, "attr", None) or getattr(one, "id", None) or getattr(one, "value", None)
        for one in ast.walk(node)
        if isinstance(one, ast.Attribute | ast.Name | ast.Constant)
    )
    return frozenset(name for name in found if isinstance(name, str))
