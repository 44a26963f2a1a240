"""The syntax tree of a Python program, which is never run."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterator, Sequence


def parsed(text: str) -> ast.Module | None:
    """The tree of a program; None where Python cannot parse it, or not so deep a nesting."""
    try:
        return _parsed(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def unparsed(node: ast.expr) -> str:
    """The code of an expression; one that is nested too deeply for Python is left out as `…`."""
    try:
        return ast.unparse(node)
    except RecursionError:
        return "…"


def last_name(node: ast.expr) -> str:
    """The last part of a name, `b` of `a.b`; nothing for other expressions."""
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def text(node: ast.AST | None) -> str | None:
    """The text that an expression is; None for other expressions."""
    value = node.value if isinstance(node, ast.Constant) else None
    return value if isinstance(value, str) else None


def items(node: ast.expr) -> Sequence[ast.expr]:
    """What a list holds, or the keys of a mapping."""
    if isinstance(node, ast.Dict):
        return [key for key in node.keys if key is not None]
    return node.elts if isinstance(node, ast.List | ast.Tuple | ast.Set) else ()


def texts(*nodes: ast.expr) -> Iterator[str]:
    """The texts among some expressions, and those in lists among them."""
    for node in nodes:
        found = text(node)
        if found is not None:
            yield found
        else:
            yield from texts(*items(node))


def broken_line(text: str) -> int | None:
    """The line at which a text stops being a program; None where it is nested too deeply."""
    try:
        _parsed(text)
    except (SyntaxError, ValueError) as error:  # of U+0000, which has no line
        line: int | None = getattr(error, "lineno", None)
        return line or text[: max(text.find("\0"), 0)].count("\n") + 1
    except (RecursionError, MemoryError):
        pass
    return None


def _parsed(text: str) -> ast.Module:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of escapes in its strings
        # For a mistake, Python looks for the line in a file of that name: so let it be ours.
        return ast.parse(text, filename=__file__)
