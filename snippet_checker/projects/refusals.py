"""Statements of Python code that refuse something, and what they ask before they do."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from msgspec import Struct

from snippet_checker.hydra.setting import Value
from snippet_checker.text import python_reads, python_tree

_MOST_DEPTH = 200  # of statements in one another
_STATEMENTS = ast.stmt | ast.excepthandler | ast.match_case
_ROLES = (frozenset({"critic"}), frozenset({"actor", "actor_rollout_ref"}))


class Condition(Struct, frozen=True):
    """A simple question that leads to a statement: whether something `is_set`, or is `value`.

    `names` are what is asked about, the outer first. With `is_met` off the answer has to be no.
    """

    names: tuple[str, ...]
    is_met: bool = True
    values: tuple[Any, ...] | None = None
    is_set: bool = False


class Refusal(Struct, frozen=True):
    """An `assert` or `raise`: the names in it and in the conditions around, and what those ask.

    It stands in the class `owner`, if in any.
    """

    names: frozenset[str]
    conditions: tuple[Condition, ...] = ()
    owner: str = ""


def refusals_in(code: ast.AST) -> Iterator[Refusal]:
    """What a module or a function refuses, with the conditions around."""
    waiting: list[tuple[ast.AST, _Around, int]] = [(code, _Around(), 0)]
    while waiting:
        node, around, depth = waiting.pop()
        if isinstance(node, ast.Assert | ast.Raise):
            yield Refusal(around.names | _names(node), around.conditions, around.owner)
        if depth > _MOST_DEPTH:
            continue
        if isinstance(node, ast.If):
            for branch, is_met in ((node.body, True), (node.orelse, False)):
                below = around.below(node.test, is_met=is_met)
                waiting += [(one, below, depth + 1) for one in branch]
            continue
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            around = around.inside(node)
        inner = (one for one in ast.iter_child_nodes(node) if isinstance(one, _STATEMENTS))
        waiting += [(one, around, depth + 1) for one in inner]


class VerlsCheck(Struct, frozen=True):
    """The `names` that stand together where verl refuses something, and the `keys` of that.

    By the `value` of each key the conditions around it are answered.
    """

    names: frozenset[str]
    keys: Sequence[str]
    value: Callable[[str], Any]

    def is_in(self, refusal: Refusal) -> bool:
        """Whether a refusal has these names, is about the role of the keys, and is come to."""
        role, other = _ROLES if any(k.startswith("critic.") for k in self.keys) else _ROLES[::-1]
        parents = sorted({key.rpartition(".")[0] for key in self.keys})
        return (
            self.names <= refusal.names
            and (refusal.names.isdisjoint(other) or not refusal.names.isdisjoint(role))
            and not any(_is_unmet(one, parents, self.value) for one in refusal.conditions)
        )


class _Around(Struct, frozen=True):
    """What stands around a statement, and the names that its function gives another value."""

    names: frozenset[str] = frozenset()
    conditions: tuple[Condition, ...] = ()
    written: frozenset[str] | None = None
    owner: str = ""

    def inside(self, node: ast.FunctionDef | ast.ClassDef) -> _Around:
        if isinstance(node, ast.ClassDef):
            return _Around(owner=node.name)
        written = self.written if self.written is not None else frozenset(_written(node))
        return _Around(written=written, owner=self.owner)

    def below(self, test: ast.expr, *, is_met: bool) -> _Around:
        asked = _conditions(test, is_met=is_met)
        known = (one for one in asked if one.names[-1] not in (self.written or ()))
        names = self.names | _names(test)
        return _Around(names, (*self.conditions, *known), self.written, self.owner)


def _written(function: ast.FunctionDef) -> Iterator[str]:
    """The names in something else that a function sets anew: `self.config.actor.x = …`."""
    for node in ast.walk(function):
        targets = node.targets if isinstance(node, ast.Assign) else ()
        yield from (names[-1] for names in map(python_reads.chain, targets) if names)


def _conditions(test: ast.expr, *, is_met: bool) -> Iterator[Condition]:
    """The simple questions that all have to be answered so that a test is met, or is not."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        yield from _conditions(test.operand, is_met=not is_met)
    elif isinstance(test, ast.BoolOp):
        parts = test.values if isinstance(test.op, ast.And) is is_met else ()
        for part in parts:
            yield from _conditions(part, is_met=is_met)
    elif isinstance(test, ast.Compare):
        yield from _compared(test, is_met=is_met)
    elif names := tuple(python_reads.chain(test)):
        yield Condition(names, is_met)


def _compared(test: ast.Compare, *, is_met: bool) -> Iterator[Condition]:
    names, operator, other = tuple(python_reads.chain(test.left)), test.ops[0], test.comparators[0]
    if not names or len(test.ops) > 1:
        return
    if isinstance(other, ast.Constant) and isinstance(operator, ast.Is | ast.IsNot | ast.Eq):
        if other.value is None:
            yield Condition(names, is_met is isinstance(operator, ast.IsNot), is_set=True)
        elif not isinstance(operator, ast.IsNot):
            yield Condition(names, is_met, (other.value,))
    elif isinstance(other, ast.Constant) and isinstance(operator, ast.NotEq):
        yield Condition(names, not is_met, (other.value,))
    elif isinstance(operator, ast.In | ast.NotIn) and (words := tuple(python_tree.texts(other))):
        yield Condition(names, is_met is isinstance(operator, ast.In), words)


def _names(node: ast.AST) -> frozenset[str]:
    """The names and words in a statement or an expression."""
    found = (
        getattr(one, "attr", None) or getattr(one, "id", None) or getattr(one, "value", None)
        for one in ast.walk(node)
        if isinstance(one, ast.Attribute | ast.Name | ast.Constant)
    )
    return frozenset(name for name in found if isinstance(name, str))


def _is_unmet(condition: Condition, parents: Sequence[str], value: Callable[[str], Any]) -> bool:
    """Whether a condition that leads to a check is known to fail, by a key beside those of that.

    `self.config.x` may be a key of any role, `self.config.actor.x` is one of the actor.
    """
    *owners, leaf = condition.names
    beside = [parent for parent in parents if _may_be(owners[-1], parent.rpartition(".")[2])]
    found = [
        one for one in (value(f"{parent}.{leaf}") for parent in beside) if one is not Value.ABSENT
    ]
    return bool(found) and not any(_may_hold(condition, one) for one in found)


def _may_be(owner: str, parent: str) -> bool:
    return owner == "self" or python_reads.may_hold(owner, parent)


def _may_hold(condition: Condition, found: Any) -> bool:
    if found is Value.UNKNOWN:
        return True
    if condition.is_set:
        answer = found is not None
    elif condition.values is not None:
        answer = found in condition.values
    else:
        answer = bool(found)
    return answer is condition.is_met
