"""What the classes of a project build on: others of its own, and in the end verl's.

A class that has a method anew which does what is known of verl's class is another one.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from snippet_checker.projects.config_flow import (
    OTHER_RUNNER,
    RUNNER,
    RUNNERS_WORKERS,
    TRAINER,
    TRAINERS_WORKERS,
)
from snippet_checker.projects.modules import Definition, Modules, Scope
from snippet_checker.text import python_tree
from snippet_checker.work import Budget

_REPLACED = {
    TRAINER: ("__init__", "_validate_config"),
    RUNNER: ("__init__", "run", "add_actor_rollout_worker", "add_critic_worker"),
    OTHER_RUNNER: ("__init__", "run", "add_actor_rollout_worker", "add_critic_worker"),
}
_REPLACED_OF_WORKERS = ("__init__", "init_model", "_build_model_optimizer", "_build_rollout")
_MOST_BASES = 8  # in a row
_NONE: frozenset[str] = frozenset()


class Inheritance:
    """The classes that others build on, without the methods that are `replaced` on the way."""

    def __init__(self, modules: Modules, steps: Budget) -> None:
        self._modules, self._steps = modules, steps

    def bases(self, own: Definition) -> Iterator[Definition | str]:
        """What a class names as its bases."""
        if isinstance(own.node, ast.ClassDef):
            for base in own.node.bases:
                yield from self._modules.meant_by(base, Scope(own.module, {}))

    def of_verl(
        self, meant: Definition | str, replaced: frozenset[str] = _NONE, left: int = _MOST_BASES
    ) -> Iterator[str]:
        """The classes and functions of verl's that something is, or is built on unchanged."""
        self._steps.spend(1)
        if isinstance(meant, str):
            if replaced.isdisjoint(_replaceable(meant)):
                yield meant
            if meant in (RUNNER, OTHER_RUNNER) and "add_actor_rollout_worker" not in replaced:
                yield RUNNERS_WORKERS
            if meant == TRAINER and "init_workers" not in replaced:
                yield TRAINERS_WORKERS
        elif isinstance(meant.node, ast.ClassDef) and left:
            replaced |= replaced_by(meant.node)
            for base in self.bases(meant):
                yield from self.of_verl(base, replaced, left - 1)

    def of_project(
        self, meant: Definition | str, replaced: frozenset[str] = _NONE, left: int = _MOST_BASES
    ) -> Iterator[tuple[Definition, frozenset[str]]]:
        """A function of the project's own, or a class and what it is built on there."""
        self._steps.spend(1)
        if isinstance(meant, Definition) and left:
            yield meant, replaced
            if isinstance(meant.node, ast.ClassDef):
                replaced |= replaced_by(meant.node)
                for base in self.bases(meant):
                    yield from self.of_project(base, replaced, left - 1)


def _replaceable(name: str) -> Sequence[str]:
    """The methods that do what is known of a class: one that has them anew is another."""
    return _REPLACED_OF_WORKERS if name.startswith("verl.workers.") else _REPLACED.get(name, ())


def replaced_by(node: ast.ClassDef) -> frozenset[str]:
    """The methods of a class that do not call the one that they replace."""
    return frozenset(_replacing(node))


def _replacing(node: ast.ClassDef) -> Iterator[str]:
    for one in node.body:
        if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef):
            called = {_called_above(inner) for inner in ast.walk(one)}
            checks = one.name == "__init__" and "_validate_config" in called
            if one.name not in called and not checks:
                yield one.name


def _called_above(node: ast.AST) -> str | None:
    """The method that is called of what a class builds on, or of itself for the validation."""
    if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
        return None
    name, owner = node.func.attr, node.func.value
    is_super = isinstance(owner, ast.Call) and python_tree.last_name(owner.func) == "super"
    is_self = python_tree.last_name(owner) == "self" and name == "_validate_config"
    is_named = name == "__init__" and isinstance(owner, ast.Name) and owner.id[:1].isupper()
    return name if is_super or is_self or is_named else None
