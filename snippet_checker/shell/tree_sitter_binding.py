"""The grammar of bash by the native library; the only module that knows it."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import tree_sitter_bash
from tree_sitter import Language, Parser

from snippet_checker.shell.node import Node, ParseTimeout

_SHORT = 8_000  # bytes, of which the worst take a fifth of a second


def parse(text: bytes, is_time_up: Callable[[], bool]) -> Node:
    """The root of the tree of a script in UTF-8; raises ParseTimeout once `is_time_up` says so."""
    parser = _parser()
    if len(text) <= _SHORT:
        return parser.parse(text).root_node
    # The parser asks whether to go on only where it gets its text from a function, and it never
    # frees what that returns: a view is small, and is no copy.
    view = memoryview(text)
    try:
        tree = parser.parse(
            lambda start, _: view[start:],
            progress_callback=lambda *_: is_time_up(),
        )
    except ValueError as error:
        parser.reset()  # or it goes on with this text next time
        raise ParseTimeout from error
    return tree.root_node


@lru_cache(maxsize=1)
def _parser() -> Parser:
    return Parser(Language(tree_sitter_bash.language()))
