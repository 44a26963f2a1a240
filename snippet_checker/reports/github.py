"""Findings for GitHub Actions: workflow commands, which it shows at the lines of a pull request.

Form: https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from snippet_checker.findings import Finding, Result
from snippet_checker.links import Links
from snippet_checker.reports.summary import summary

_IN_MESSAGES = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A"})
_IN_PROPERTIES = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A", ":": "%3A", ",": "%2C"})


def lines(result: Result) -> Iterator[str]:
    """A command for each finding and for each path that was not checked, then the summary."""
    for finding in result.findings:
        yield _finding(finding, result.links)
    for failure in result.failures:
        place = {"file": failure.path, "title": "not checked"}
        yield _command("error", place, failure.message)
    yield summary(result)


def _finding(finding: Finding, links: Links) -> str:
    span = finding.span
    place = {"file": span.path, "line": span.line, "endLine": span.end_line}
    if span.line == span.end_line:  # GitHub refuses columns on several lines
        place |= {"col": span.column, "endColumn": span.end_column}
    more = links.rule(finding.rule) or f"snippet-checker explain {finding.rule}"
    message = f"{finding.message}\nmore: {more}"
    return _command(finding.severity.value, place | {"title": finding.rule}, message)


def _command(name: str, properties: Mapping[str, object], message: str) -> str:
    texts = {key: str(value).translate(_IN_PROPERTIES) for key, value in properties.items()}
    said = ",".join(f"{key}={text}" for key, text in texts.items())
    return f"::{name} {said}::{message.translate(_IN_MESSAGES)}"
