"""Findings -> lines: one module a format."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from snippet_checker.findings import Result
from snippet_checker.reports import history, json, text, unread
from snippet_checker.text.inert import Escape, visible

__all__ = ["FORMATS", "Format", "history", "unread"]


@dataclass(frozen=True, slots=True)
class Format:
    """How a result becomes lines.

    Whatever prints them writes each character as `escape` has it that may not stand in a log.
    """

    lines: Callable[[Result], Iterator[str]]
    escape: Escape = visible


FORMATS: dict[str, Format] = {
    "text": Format(text.lines),
    "json": Format(json.lines, json.escape),
}
"""What each `--format` stands for."""
