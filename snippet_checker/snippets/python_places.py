"""Where the expressions of a Python program stand in its text."""

from __future__ import annotations

import ast

from snippet_checker.snippets import python_strings
from snippet_checker.text.lines import line_starts
from snippet_checker.text.words import UNKNOWN, Word, unknown_at


class PythonPlaces:
    """The places of a program's nodes in its text; `ast` counts in bytes of lines."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._lines = text.split("\n")
        self._starts = line_starts(text)

    def literal(self, node: ast.Constant | ast.JoinedStr) -> Word | None:
        """A string with its places, unknown where those are not found; None for other constants."""
        if isinstance(node, ast.Constant) and not isinstance(node.value, str):
            return None
        start, end = self.offsets(node)
        word = python_strings.word_of(self._text, start, end)
        return word if word.text == _value_of(node) else unknown_at(start)

    def shown(self, node: ast.expr, text: str) -> Word:
        """The text that a node is shown as, character by character where it is written so."""
        start, end = self.offsets(node)
        is_verbatim = self._text[start:end] == text
        return Word(text, tuple(range(start, end)) if is_verbatim else (start,) * len(text))

    def unknown(self, node: ast.AST) -> Word:
        """A word for a node whose value only a run knows."""
        return unknown_at(self.offsets(node)[0])

    def offsets(self, node: ast.AST) -> tuple[int, int]:
        """Where a node begins and ends."""
        first = self._offset(getattr(node, "lineno", 1), getattr(node, "col_offset", 0))
        end = self._offset(getattr(node, "end_lineno", 1), getattr(node, "end_col_offset", 0))
        return first, end

    def _offset(self, line: int, column: int) -> int:
        text = self._lines[line - 1]
        if not text.isascii():
            column = len(text.encode()[:column].decode(errors="ignore"))
        return self._starts[line - 1] + column


def _value_of(node: ast.Constant | ast.JoinedStr) -> str:
    if isinstance(node, ast.Constant):
        return python_strings.with_fields(str(node.value))
    parts = node.values
    return "".join(str(p.value) if isinstance(p, ast.Constant) else UNKNOWN for p in parts)
