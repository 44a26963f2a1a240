"""What YAML and Python write a value as, in the types that OmegaConf has."""

from __future__ import annotations

import ast
from typing import Any

from snippet_checker.hydra.setting import Value
from snippet_checker.text.python_tree import parsed
from snippet_checker.work import TooMuchWork

_MOST_BITS = 2_000  # of a whole number; Python refuses to write those of many more


def plain(value: Any) -> Any:
    """The value of a literal; UNKNOWN for what no config holds: sets, bytes, dates, `...`.

    Raises TooMuchWork for a number that is too long to be written, such as `0xfff…`.
    """
    if isinstance(value, int) and value.bit_length() > _MOST_BITS:
        raise TooMuchWork("it holds a number of more than 600 digits")
    if value is None or isinstance(value, bool | int | float | str | Value):
        return value
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if isinstance(value, dict):
        return {_name(name): plain(item) for name, item in value.items()}
    return Value.UNKNOWN


def _name(key: Any) -> str:
    plain(key)  # a number that nobody can write
    return str(key)


def read(text: str) -> Any:
    """The value of a Python literal; UNKNOWN for any other text."""
    tree = parsed(text.strip())
    statement = tree.body[0] if tree is not None and len(tree.body) == 1 else None
    if not isinstance(statement, ast.Expr):
        return Value.UNKNOWN
    try:
        return plain(ast.literal_eval(statement.value))
    except (ValueError, TypeError, RecursionError, TooMuchWork):  # TypeError: `{[1]: 2}`
        return Value.UNKNOWN
