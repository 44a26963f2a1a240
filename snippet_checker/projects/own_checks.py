"""What the code of a project's own refuses when a function is called, or an object is made."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from msgspec import Struct

from snippet_checker.projects.refusals import Refusal, refusals_in

_STARTS = frozenset({"__init__", "__post_init__"})


class OwnCheck(Struct, frozen=True):
    """What a function of the project's own refuses, and the names in the whole of it."""

    refused: Refusal
    names: frozenset[str]


def checks_in(node: ast.AST, replaced: frozenset[str]) -> Iterator[OwnCheck]:
    """What a function refuses, or a class when it is made: also in methods that it calls then."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        functions = [node]
    elif isinstance(node, ast.ClassDef):
        functions = [*_run_at_start(node, replaced)]
    else:
        return
    for one in functions:
        names = frozenset(named_in(one))
        for refused in refusals_in(one):
            yield OwnCheck(refused, names)


def _run_at_start(
    node: ast.ClassDef, replaced: frozenset[str]
) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    """The methods that run when an object is made, as far as no class built on it has others."""
    methods = {
        one.name: one
        for one in node.body
        if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef) and one.name not in replaced
    }
    waiting, seen = sorted(_STARTS & methods.keys()), set()
    while waiting:
        name = waiting.pop()
        if name not in seen:
            seen.add(name)
            yield methods[name]
            waiting += sorted(set(_called_on_self(methods[name])) & methods.keys())


def _called_on_self(node: ast.AST) -> Iterator[str]:
    for one in ast.walk(node):
        match one:
            case ast.Call(func=ast.Attribute(value=ast.Name(id="self"), attr=name)):
                yield name


def named_in(node: ast.AST) -> Iterator[str]:
    """The attributes and the texts in a piece of code."""
    for one in ast.walk(node):
        if isinstance(one, ast.Attribute):
            yield one.attr
        elif isinstance(one, ast.Constant) and isinstance(one.value, str):
            yield one.value
