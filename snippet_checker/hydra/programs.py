"""Python modules that Hydra starts: which config each names, read from its code.

Nothing is imported; `ast` reads the text.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from msgspec import Struct

from snippet_checker.text.python_tree import text


class Main(Struct, frozen=True):
    """One use of Hydra's `main`: where it stands, and the config that it names.

    `config_path` and `config_name` are None where the code leaves them out. A use that is not
    `readable` gives one of them as something else than a literal.
    """

    line: int
    config_path: str | None
    config_name: str | None
    readable: bool = True


def mains(module: ast.Module) -> Iterator[Main]:
    """The uses of Hydra's `main` in a module."""
    names = frozenset(_names_of_main(module))
    calls = {
        id(node.func): node
        for node in ast.walk(module)
        if isinstance(node, ast.Call) and ast.unparse(node.func) in names
    }
    for node in ast.walk(module):
        if isinstance(node, ast.Name | ast.Attribute) and ast.unparse(node) in names:
            call = calls.get(id(node))
            if call is None:
                yield Main(node.lineno, None, None, readable=False)
            else:
                yield _main(call)


def _names_of_main(module: ast.Module) -> Iterator[str]:
    """What a module calls Hydra's `main`: `hydra.main`, or what it imports it as."""
    for node in ast.walk(module):
        if isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name == "hydra" or (alias.name.startswith("hydra.") and not alias.asname):
                    yield f"{alias.asname or 'hydra'}.main"
                elif alias.name == "hydra.main":
                    yield f"{alias.asname}.main"
        elif isinstance(node, ast.ImportFrom) and node.module in ("hydra", "hydra.main"):
            yield from (alias.asname or alias.name for alias in node.names if alias.name == "main")


def _main(call: ast.Call) -> Main:
    given = dict(zip(("config_path", "config_name"), call.args, strict=False))
    given |= {word.arg: word.value for word in call.keywords if word.arg is not None}
    path, name = (given.get(word) for word in ("config_path", "config_name"))
    readable = all(node is None or _is_text(node) for node in (path, name))
    return Main(call.lineno, text(path), text(name), readable)


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str | None)
