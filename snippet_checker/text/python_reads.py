"""What Python code takes out of something by name: `config.data.get("output_path")`."""

from __future__ import annotations

import ast
from collections.abc import Sequence

_READERS = frozenset({"get", "pop", "setdefault", "getattr", "select", "hasattr"})


def chain(node: ast.AST, *, by_helpers: bool = False) -> list[str]:
    """`a.b["c"].get("d")` as its names; empty for anything else.

    With `by_helpers` also what functions that are named so take out: `_get(a.b, ("c", "d"))`.
    """
    parts: list[str] = []
    while True:
        read = _one_read(node) or (_helpers_read(node) if by_helpers else None)
        if read is None:
            break
        names, node = read
        parts += reversed(names)
    if not parts or not isinstance(node, ast.Name):
        return []
    return [node.id, *reversed(parts)]


def key_of_reader(node: ast.AST) -> tuple[str, str] | None:
    """The variable by which something is taken out, and out of what: `config.get(name, 1)`."""
    call = _call_that_reads(node)
    if call is None:
        return None
    key, owner = call
    holder = chain(owner)[-1:] or ([owner.id] if isinstance(owner, ast.Name) else [])
    return (key.id, holder[0]) if isinstance(key, ast.Name) and holder else None


def first_text(call: ast.Call) -> str | None:
    """The name that is the first argument of a call, if it is one."""
    return _text(call.args[0]) if call.args else None


def may_hold(owner: str, parent: str) -> bool:
    """Whether what code calls `owner` may be the mapping `parent` of a config."""
    return owner in (parent, "config", "cfg") or owner.endswith(("_config", "_cfg", "kwargs"))


def _one_read(node: ast.AST) -> tuple[Sequence[str], ast.AST] | None:
    """The name that an expression takes out of another one, and that other one."""
    if isinstance(node, ast.Attribute):
        return [node.attr], node.value
    if isinstance(node, ast.Subscript):
        key = _text(node.slice)
        return ([key], node.value) if key is not None else None
    call = _call_that_reads(node)
    key = _text(call[0]) if call is not None else None
    return ([key], call[1]) if call is not None and key is not None else None


def _call_that_reads(node: ast.AST) -> tuple[ast.expr, ast.expr] | None:
    """By what a call takes something out, and out of what: `a.get(key)`, `getattr(a, key)`."""
    if not isinstance(node, ast.Call) or not node.args:
        return None
    if isinstance(node.func, ast.Attribute) and node.func.attr in _READERS:
        return node.args[0], node.func.value
    if isinstance(node.func, ast.Name) and node.func.id in _READERS and len(node.args) > 1:
        return node.args[1], node.args[0]
    return None


def _helpers_read(node: ast.AST) -> tuple[Sequence[str], ast.AST] | None:
    """The names that a function takes out of its first argument, the outer first, and that one."""
    if not isinstance(node, ast.Call) or len(node.args) < 2 or not _is_reader(node.func):
        return None
    names = _path(node.args[1])
    return (names, node.args[0]) if names else None


def _is_reader(function: ast.expr) -> bool:
    """Whether a function is named after what it does: `OmegaConf.select`, `_cfg_get`."""
    if isinstance(function, ast.Attribute):
        return function.attr in _READERS
    return isinstance(function, ast.Name) and not _READERS.isdisjoint(function.id.split("_"))


def _path(node: ast.expr) -> list[str]:
    """The names in `"a"`, `"a.b"` or `("a", "b")`; none for anything else."""
    if isinstance(node, ast.Tuple | ast.List):
        names = [name for name in map(_text, node.elts) if name is not None]
        return names if len(names) == len(node.elts) else []
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        names = node.value.split(".")
        return names if all(map(_is_name, names)) else []
    return []


def _text(node: ast.expr) -> str | None:
    if not isinstance(node, ast.Constant) or not isinstance(node.value, str):
        return None
    return node.value if _is_name(node.value) else None


def _is_name(text: str) -> bool:
    return text.replace("_", "").isalnum()
