"""Findings -> text: one module a format."""

from __future__ import annotations

from collections.abc import Callable

from snippet_checker.model import Result
from snippet_checker.reports import history, json, text

__all__ = ["FORMATS", "history"]

FORMATS: dict[str, Callable[[Result], str]] = {"text": text.render, "json": json.render}
"""The renderer of each `--format`."""
