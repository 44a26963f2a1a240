"""Findings for people at a terminal: the line of the file, and what in it is meant."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from snippet_checker.model import Finding, Result, Severity
from snippet_checker.reports import text

_COLOURS = {Severity.ERROR: "bold red", Severity.WARNING: "bold yellow"}


def show(result: Result, console: Console) -> None:
    """Write the text report with the source below each finding, in colours."""
    lines: dict[str, Sequence[str]] = {}
    for finding in result.findings:
        path = finding.span.path
        if path not in lines:
            lines[path] = _lines(path)
        console.print(_headline(finding), soft_wrap=True)
        if finding.span.line <= len(lines[path]):
            console.print(_excerpt(finding, lines[path][finding.span.line - 1]), soft_wrap=True)
    console.print(Text(text.summary(result), "red" if result.findings else "green"))


def _headline(finding: Finding) -> Text:
    span = finding.span
    return Text.assemble(
        (f"{span.path}:{span.line}:{span.column}", "bold"),
        ": ",
        (finding.severity, _COLOURS[finding.severity]),
        f": {finding.message} ",
        (f"[{finding.rule}]", "dim"),
    )


def _excerpt(finding: Finding, source: str) -> Text:
    span = finding.span
    end = span.end_column if span.end_line == span.line else len(source) + 1
    before, meant = source[: span.column - 1], source[span.column - 1 : end - 1]
    margin = " " * len(str(span.line))
    # Tabs stay tabs and CJK characters are two cells wide, or the mark would stand elsewhere.
    indent = "".join("\t" if c == "\t" else " " * cell_len(c) for c in before)
    return Text.assemble(
        (f"  {span.line} | ", "dim"),
        before,
        (meant, _COLOURS[finding.severity]),
        source[end - 1 :],
        (f"\n  {margin} | ", "dim"),
        indent,
        ("^" * max(1, cell_len(meant)), _COLOURS[finding.severity]),
    )


def _lines(path: str) -> Sequence[str]:
    try:
        return Path(path).read_text(encoding="utf-8").split("\n")
    except (OSError, UnicodeDecodeError):
        return ()
