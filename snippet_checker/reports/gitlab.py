"""Findings for GitLab: a report of code quality, which merge requests show.

Form: https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterator, Mapping

from snippet_checker.findings import Finding, Result, Severity
from snippet_checker.reports.json import escape

__all__ = ["escape", "lines"]

_SEVERITIES: Mapping[Severity, str] = {Severity.ERROR: "major", Severity.WARNING: "minor"}


def lines(result: Result) -> Iterator[str]:
    """The list of findings, and of paths that were not checked."""
    seen: Counter[tuple[str, ...]] = Counter()
    issues = [_finding(finding, seen) for finding in result.findings]
    issues += [
        _issue("not-checked", failure.message, "major", failure.path, 1, seen)
        for failure in result.failures
    ]
    yield from json.dumps(issues, ensure_ascii=False, indent=2).split("\n")


def _finding(finding: Finding, seen: Counter[tuple[str, ...]]) -> dict[str, object]:
    severity = _SEVERITIES.get(finding.severity, "info")
    span = finding.span
    return _issue(finding.rule, finding.message, severity, span.path, span.line, seen)


def _issue(
    rule: str, message: str, severity: str, path: str, line: int, seen: Counter[tuple[str, ...]]
) -> dict[str, object]:
    """One issue. Its fingerprint stays the same where lines above it come and go."""
    what = (path, rule, message)
    seen[what] += 1
    text = "\0".join([*what, str(seen[what])])
    return {
        "description": message,
        "check_name": rule,
        "fingerprint": hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest(),
        "severity": severity,
        "location": {"path": path, "lines": {"begin": line}},
    }
