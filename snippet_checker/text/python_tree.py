"""The syntax tree of a Python program, which is never run."""

from __future__ import annotations

import ast
import warnings


def parsed(text: str) -> ast.Module | None:
    """The tree of a program; None where the text is none, or is nested too deeply for Python."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of escapes in its strings
            # For a mistake, Python looks for the line in a file of that name: so let it be ours.
            return ast.parse(text, filename=__file__)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
