"""What the tests share: looking up in a file what a span claims to be there."""

from __future__ import annotations

from snippet_checker.text.places import Span


def text_at(source: str, span: Span) -> str:
    """The characters of `source` that a span on one line covers."""
    assert span.line == span.end_line
    line = source.split("\n")[span.line - 1]
    return line[span.column - 1 : span.end_column - 1]
