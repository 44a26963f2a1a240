"""What Python code takes out of something by name: `config.data.get("output_path")`."""

from __future__ import annotations

import ast

_READERS = frozenset({"get", "pop", "setdefault", "getattr", "select", "hasattr"})


def chain(node: ast.AST) -> list[str]:
    """`a.b["c"].get("d")` as its names; empty for anything else."""
    parts: list[str] = []
    while True:
        read = _one_read(node)
        if read is None:
            break
        name, node = read
        parts.append(name)
    if not parts or not isinstance(node, ast.Name):
        return []
    return [node.id, *reversed(parts)]


def may_hold(owner: str, parent: str) -> bool:
    """Whether what code calls `owner` may be the mapping `parent` of a config."""
    return owner in (parent, "config", "cfg") or owner.endswith(("_config", "_cfg", "kwargs"))


def _one_read(node: ast.AST) -> tuple[str, ast.AST] | None:
    """The name that an expression takes out of another one, and that other one."""
    if isinstance(node, ast.Attribute):
        return node.attr, node.value
    if isinstance(node, ast.Subscript):
        key = _text(node.slice)
        return (key, node.value) if key is not None else None
    if not isinstance(node, ast.Call) or not node.args:
        return None
    if isinstance(node.func, ast.Attribute) and node.func.attr in _READERS:
        key = _text(node.args[0])
        return (key, node.func.value) if key is not None else None
    if isinstance(node.func, ast.Name) and node.func.id in _READERS and len(node.args) > 1:
        key = _text(node.args[1])
        return (key, node.args[0]) if key is not None else None
    return None


def _text(node: ast.expr) -> str | None:
    if not isinstance(node, ast.Constant) or not isinstance(node.value, str):
        return None
    return node.value if node.value.replace("_", "").isalnum() else None
