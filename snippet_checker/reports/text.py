"""Findings for people: a line each, and a line that sums up."""

from __future__ import annotations

from collections.abc import Iterator

from snippet_checker.model import Finding, Result


def render(result: Result) -> str:
    """`path:line:column: severity: message [rule]`, then what was checked."""
    return "\n".join([*map(line, result.findings), *_summary(result)]) + "\n"


def line(finding: Finding) -> str:
    """One finding, as editors and CI logs expect it."""
    span = finding.span
    place = f"{span.path}:{span.line}:{span.column}"
    return f"{place}: {finding.severity}: {finding.message} [{finding.rule}]"


def _summary(result: Result) -> Iterator[str]:
    counts = result.counts
    found = len(result.findings)
    findings = "1 finding" if found == 1 else f"{found} findings"
    parts = [
        f"{counts.settings} settings in {counts.snippets} snippets of {counts.files} files",
        f"verl {result.release}",
        findings,
    ]
    if counts.ignored:
        parts.append(f"{counts.ignored} expected or ignored")
    if counts.unchecked:
        parts.append(f"{counts.unchecked} settings could not be judged")
    yield "; ".join(parts)
