"""What a Python program asks before it makes something."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator

from snippet_checker.projects.own_checks import named_in

_MOST_DEPTH = 200  # of statements in one another


def asked_before(module: ast.Module, made: str) -> frozenset[str]:
    """The names in the conditions around what makes `made`: `made(…)`, or `made.create(…)`.

    What an object keeps by a name, `self.on = config.own.enable`, is asked for with that name. None
    where something makes it without a condition.
    """
    kept: dict[str, set[str]] = defaultdict(set)
    for node in ast.walk(module):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Attribute):
            kept[node.targets[0].attr].update(named_in(node.value))
    asked = list(_conditions_around(module, made))
    if not all(asked):
        return frozenset()
    names = frozenset[str]().union(*asked)
    return names.union(*(kept[name] for name in names if name in kept))


def _conditions_around(module: ast.Module, made: str) -> Iterator[frozenset[str]]:
    """For each place that makes it, the names in the conditions that lead there."""
    waiting: list[tuple[ast.AST, frozenset[str], int]] = [(module, frozenset(), 0)]
    while waiting:
        node, around, depth = waiting.pop()
        if isinstance(node, ast.Call) and _is_made(node.func, made):
            yield around
        if depth > _MOST_DEPTH:
            continue
        below = around.union(named_in(node.test)) if isinstance(node, ast.If) else around
        waiting += [(one, below, depth + 1) for one in ast.iter_child_nodes(node)]


def _is_made(called: ast.expr, made: str) -> bool:
    names = (called, called.value) if isinstance(called, ast.Attribute) else (called,)
    return any(isinstance(one, ast.Name) and one.id == made for one in names)
