"""Findings for people and editors: a line each, and a line that sums up."""

from __future__ import annotations

from collections.abc import Iterator

from snippet_checker.findings import Result
from snippet_checker.reports.summary import line, summary


def lines(result: Result) -> Iterator[str]:
    """`path:line:column: severity: message [rule]`, then what was checked."""
    yield from map(line, result.findings)
    if not result.is_brief:
        yield summary(result)
