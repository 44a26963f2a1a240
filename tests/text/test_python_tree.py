"""The syntax tree of programs, also of such as Python itself gives up on."""

from __future__ import annotations

import ast

from snippet_checker.text import python_tree


def test_code_that_is_nested_too_deeply_to_be_written_is_left_out() -> None:
    node: ast.expr = ast.Name("a")
    assert python_tree.unparsed(node) == "a"
    for _ in range(10_000):
        node = ast.Starred(node)
    assert python_tree.unparsed(node) == "…"
