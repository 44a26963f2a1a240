"""Findings for programs: one JSON object, whose keys are a contract."""

from __future__ import annotations

import json

from snippet_checker.model import Finding, Result

SCHEMA = 1
"""Grows when a key changes its meaning; keys may be added without it."""


def render(result: Result) -> str:
    """The object of `--format json`; positions are 1-based, ends exclusive."""
    counts = result.counts
    data = {
        "schema": SCHEMA,
        "verl": result.release,
        "summary": {
            "files": counts.files,
            "snippets": counts.snippets,
            "settings": counts.settings,
            "findings": len(result.findings),
            "unchecked": counts.unchecked,
            "ignored": counts.ignored,
            "verified": counts.settings - counts.unchecked,
            "coverage": round(counts.coverage, 6),
            "unverified": dict(sorted(counts.gaps.items())),
        },
        "findings": [_finding(finding) for finding in result.findings],
    }
    return json.dumps(data, ensure_ascii=False, indent=2) + "\n"


def _finding(finding: Finding) -> dict[str, object]:
    span = finding.span
    return {
        "path": span.path,
        "line": span.line,
        "column": span.column,
        "end_line": span.end_line,
        "end_column": span.end_column,
        "rule": finding.rule,
        "severity": finding.severity.value,
        "stage": finding.stage.value,
        "key": finding.key,
        "message": finding.message,
        "suggestion": finding.suggestion,
    }
