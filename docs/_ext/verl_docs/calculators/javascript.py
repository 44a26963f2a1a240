"""Pure arithmetic functions of Python as JavaScript, so that each formula is written once.

What is known here: arithmetic, comparisons, conditions, calls of `max`, `min`, `math.ceil`,
`float`, of functions of the same kind, and numbers and functions by name. A number means in
JavaScript what it means in Python; anything else is refused when the site is built.
"""

from __future__ import annotations

import ast
import builtins
import inspect
import math
import textwrap
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from itertools import starmap
from types import FunctionType
from typing import Any, TypeGuard

# Python's own rules for negative numbers and for what cannot be written exactly.
PRELUDE = """\
const mod = (a, b) => {
  const rest = a % b;
  return rest && rest < 0 !== b < 0 ? rest + b : rest;
};
const floorDiv = (a, b) => {
  const quotient = (a - mod(a, b)) / b;
  const floor = Math.floor(quotient);
  return quotient - floor > 0.5 ? floor + 1 : floor;
};
"""
_BINARY = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/"}
_CALLED = {ast.FloorDiv: "floorDiv", ast.Mod: "mod"}
_COMPARED = {
    ast.Eq: "===",
    ast.NotEq: "!==",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
}
_KNOWN: Mapping[Any, str] = {
    max: "Math.max",
    min: "Math.min",
    math.ceil: "Math.ceil",
    math.floor: "Math.floor",
    float: "Number",
}


class Untranslatable(Exception):
    """A formula uses something that has no translation; the message says where and what."""


@cache
def function(formula: Callable[..., Any]) -> str:
    """A formula as an expression, with the functions of ours that it calls; after `PRELUDE`.

    Raises Untranslatable.
    """
    parts = [_Function(each).text() for each in _with_called(formula)]
    return f"(() => {{\n{_indented([*parts, f'return {formula.__name__};'])}\n}})()"


def _with_called(formula: Callable[..., Any]) -> list[FunctionType]:
    """A function and all of ours that it calls, each once."""
    found: dict[str, FunctionType] = {}
    waiting = [formula]
    while waiting:
        one = waiting.pop()
        if not isinstance(one, FunctionType):
            raise Untranslatable(f"{one!r} is no function of ours")
        if one.__name__ not in found:
            found[one.__name__] = one
            waiting += [
                value
                for value in map(one.__globals__.get, one.__code__.co_names)
                if isinstance(value, FunctionType)
            ]
    return [*found.values()]


class _Function:
    """The translation of one function."""

    def __init__(self, formula: FunctionType) -> None:
        lines, self._first_line = inspect.getsourcelines(formula)
        [tree] = ast.parse(textwrap.dedent("".join(lines))).body
        self._formula = formula
        if not isinstance(tree, ast.FunctionDef):
            raise self._unknown(tree)
        self._tree = tree

    def text(self) -> str:
        arguments = ", ".join(argument.arg for argument in self._tree.args.args)
        names = {node.id for node in ast.walk(self._tree) if _is_assigned(node)}
        declared = [f"let {', '.join(sorted(names))};"] if names else []
        body = _indented([*declared, *self._statements(self._tree.body)])
        return f"function {self._tree.name}({arguments}) {{\n{body}\n}}"

    def _unknown(self, node: ast.AST) -> Untranslatable:
        file = inspect.getsourcefile(self._formula)
        line = self._first_line + getattr(node, "lineno", 1) - 1
        return Untranslatable(f"{file}:{line}: JavaScript cannot say '{ast.unparse(node)}'")

    def _statements(self, body: Iterable[ast.stmt]) -> list[str]:
        return [text for statement in body for text in self._statement(statement)]

    def _statement(self, node: ast.stmt) -> list[str]:
        match node:
            case ast.Expr(ast.Constant(str())):
                return []  # what the function says about itself
            case ast.Assign(targets, value):
                places = " = ".join(map(self._target, targets))
                return [f"{places} = {self._value(value)};"]
            case ast.Return(value) if value is not None:
                return [f"return {self._value(value)};"]
            case ast.If(test, body, orelse):
                then = [f"if ({self._value(test)}) {{", _indented(self._statements(body))]
                other = ["} else {", _indented(self._statements(orelse))] if orelse else []
                return [*then, *other, "}"]
        raise self._unknown(node)

    def _target(self, node: ast.expr) -> str:
        match node:
            case ast.Name(name):
                return name
            case ast.Tuple(parts):
                return f"[{', '.join(map(self._target, parts))}]"
        raise self._unknown(node)

    def _value(self, node: ast.expr) -> str:
        match node:
            case ast.Constant(bool(value)):
                return str(value).lower()
            case ast.Constant(int() | float() as value):
                return repr(value)
            case ast.Name() | ast.Attribute():
                return self._named(node)
            case ast.Subscript(ast.Name(name), ast.Constant(str(key))):
                return f"{name}.{key}"
            case ast.Tuple(parts):
                return f"[{self._listed(parts)}]"
            case ast.Dict(keys, values):
                pairs = zip(keys, values, strict=True)
                return f"{{ {', '.join(starmap(self._pair, pairs))} }}"
            case ast.Call(called, arguments, []):
                return f"{self._named(called)}({self._listed(arguments)})"
            case _:
                return f"({self._operation(node)})"

    def _operation(self, node: ast.expr) -> str:
        match node:
            case ast.BinOp(left, operator, right) if type(operator) in _BINARY:
                return f"{self._value(left)} {_BINARY[type(operator)]} {self._value(right)}"
            case ast.BinOp(left, operator, right) if type(operator) in _CALLED:
                return f"{_CALLED[type(operator)]}({self._listed([left, right])})"
            case ast.UnaryOp(ast.USub(), operand):
                return f"-{self._value(operand)}"
            case ast.UnaryOp(ast.Not(), operand):
                return f"!{self._value(operand)}"
            case ast.Compare(left, [operator], [right]) if type(operator) in _COMPARED:
                return f"{self._value(left)} {_COMPARED[type(operator)]} {self._value(right)}"
            case ast.BoolOp(operator, values):
                sign = " && " if isinstance(operator, ast.And) else " || "
                return sign.join(map(self._value, values))
            case ast.IfExp(test, body, orelse):
                return f"{self._value(test)} ? {self._value(body)} : {self._value(orelse)}"
        raise self._unknown(node)

    def _pair(self, key: ast.expr | None, value: ast.expr) -> str:
        match key:
            case ast.Constant(str(name)):
                return f"{name}: {self._value(value)}"
        raise self._unknown(value)

    def _listed(self, nodes: Sequence[ast.expr]) -> str:
        return ", ".join(map(self._value, nodes))

    def _named(self, node: ast.expr) -> str:
        """A variable, or what a name of the module stands for: a number or a function."""
        match node:
            case ast.Name(name) if name in self._formula.__code__.co_varnames:
                return name
            case ast.Name(name):
                value = self._formula.__globals__.get(name, getattr(builtins, name, None))
            case ast.Attribute(ast.Name("math"), name):
                value = getattr(math, name, None)
            case _:
                raise self._unknown(node)
        if isinstance(value, int | float) and not isinstance(value, bool):
            return "NaN" if math.isnan(value) else repr(value)
        if isinstance(value, FunctionType):
            return value.__name__
        if callable(value) and value in _KNOWN:
            return _KNOWN[value]
        raise self._unknown(node)


def _is_assigned(node: ast.AST) -> TypeGuard[ast.Name]:
    return isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)


def _indented(lines: Iterable[str]) -> str:
    return textwrap.indent("\n".join(lines), "  ")
