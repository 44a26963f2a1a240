"""Findings for programs: one JSON object, whose keys are a contract."""

from __future__ import annotations

import json
from collections.abc import Iterator

from snippet_checker.findings import Failure, Finding, Result
from snippet_checker.judge.verdict import reason
from snippet_checker.text.inert import visible

SCHEMA = 1
"""Grows when a key changes its meaning; keys may be added without it."""


def lines(result: Result) -> Iterator[str]:
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
            "unverified": {reason(gap): count for gap, count in sorted(counts.gaps.items())},
            "gaps": dict(sorted(counts.gaps.items())),
            "skipped": dict(sorted(result.skipped.items())),
        },
        "findings": [_finding(finding) for finding in result.findings],
        "failures": [_failure(failure) for failure in result.failures],
    }
    yield from json.dumps(data, ensure_ascii=False, indent=2).split("\n")


def escape(character: str) -> str:
    """A character inside a string of JSON, so that it is read back as it was.

    Half a surrogate pair, or a byte of a file name that is not UTF-8, is no character, and many
    readers refuse the whole text for one; it is shown as people see it: `\\xff`.
    """
    if "\ud800" <= character <= "\udfff":
        return json.dumps(visible(character))[1:-1]
    encoded = character.encode("utf-16-be").hex()
    return "".join(f"\\u{encoded[i : i + 4]}" for i in range(0, len(encoded), 4))


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


def _failure(failure: Failure) -> dict[str, str]:
    return {"path": failure.path, "message": failure.message}
