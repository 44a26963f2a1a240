"""Python -> settings: assignments to a config object, and override strings."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Any

from snippet_checker.languages import words
from snippet_checker.languages.words import Word
from snippet_checker.model import Block, Context, Operator, Setting, Snippet, Value

_ASSIGNMENT = re.compile(
    r"^\s*(?:\w+\.)*(?:config|cfg|conf)\.(?P<key>[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+)\s*=(?!=)[ \t]*"
    r"(?P<value>[^\n#]*)",
    re.MULTILINE,
)
_STRING = re.compile(
    r"""(?<![\w])(?P<quote>["'])(?P<text>[+~]{0,2}[A-Za-z_]\w*(?:\.\w+)+=[^"'\n{]*)(?P=quote)"""
)


def read(block: Block) -> Iterator[Snippet]:
    """One snippet of everything that the code sets by a dotted name."""
    snippet = words.snippet(block, Context.FRAGMENT, _override_strings(block))
    assigned = tuple(
        Setting(
            match["key"],
            Operator.SET,
            _literal(match["value"]),
            block.span(*match.span("key")),
            block.span(*_stripped(match)),
        )
        for match in _ASSIGNMENT.finditer(block.text)
    )
    settings = assigned + snippet.settings
    if settings or snippet.faults:
        span = block.span(0, len(block.text))
        yield Snippet(block, Context.FRAGMENT, span, settings=settings, faults=snippet.faults)


def _stripped(match: re.Match[str]) -> tuple[int, int]:
    start = match.start("value")
    return start, start + len(match["value"].rstrip())


def _literal(text: str) -> Any:
    """The value of an expression that is a literal."""
    try:
        return ast.literal_eval(text.strip())
    except (ValueError, SyntaxError, TypeError, MemoryError):
        return Value.UNKNOWN


def _override_strings(block: Block) -> Iterator[Word]:
    for match in _STRING.finditer(block.text):
        yield Word(match["text"], tuple(range(*match.span("text"))))
