"""Findings for programs: one JSON object, whose keys are a contract.

The types here are the contract: the object is made from them, and so is its JSON Schema.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from snippet_checker.findings import Edit, Finding, Fix, Result, Severity, Stage
from snippet_checker.judge.verdict import reason
from snippet_checker.links import NO_LINKS, Links
from snippet_checker.text.printable import visible

SCHEMA = 1
"""Grows when a key changes its meaning; keys may be added without it."""

_Count = Annotated[int, Meta(ge=0)]
_Number = Annotated[int, Meta(ge=1)]


class Summary(Struct):
    """How much was looked at, and how it went."""

    files: _Count
    snippets: _Count
    settings: _Count
    findings: _Count
    fixed: _Count
    unchecked: _Count
    ignored: _Count
    accepted: _Count
    verified: _Count
    coverage: Annotated[float, Meta(ge=0, le=1)]
    unverified: dict[str, _Count]
    gaps: dict[str, _Count]
    skipped: dict[str, _Count]


class ReportedEdit(Struct):
    """A text in the place of what stands from `line`, `column` to before the end."""

    line: _Number
    column: _Number
    end_line: _Number
    end_column: _Number
    text: str


class ReportedFix(Struct):
    """What `--fix` writes where it is `safe`, and `--unsafe-fixes` else."""

    safe: bool
    edits: Annotated[list[ReportedEdit], Meta(min_length=1)]


class ReportedFinding(Struct):
    """One finding. Lines and columns count from 1, columns in code points; ends are exclusive.

    `url` is the page of its rule, where the project says where the guide is.
    """

    path: str
    line: _Number
    column: _Number
    end_line: _Number
    end_column: _Number
    rule: str
    severity: Severity
    stage: Stage
    key: str | None
    message: str
    suggestion: str | None
    fix: ReportedFix | None
    url: str | None


class ReportedFailure(Struct):
    """A path that was not checked, and why."""

    path: str
    message: str


class Report(Struct):
    """What `snippet-checker check --format json` prints."""

    schema: Annotated[int, Meta(description="the number of this contract")]
    verl: Annotated[str, Meta(description="the release that was checked against")]
    summary: Summary
    findings: list[ReportedFinding]
    failures: list[ReportedFailure]


def lines(result: Result) -> Iterator[str]:
    """The object of `--format json`; positions are 1-based, ends exclusive."""
    yield from written(report(result))


def report(result: Result) -> Report:
    """A result as programs get it."""
    return Report(
        schema=SCHEMA,
        verl=result.release,
        summary=_summary(result),
        findings=[_reported(finding, result.links) for finding in result.findings],
        failures=[ReportedFailure(one.path, one.message) for one in result.failures],
    )


def reported(found: Finding) -> ReportedFinding:
    """One finding, without the address of its rule's page."""
    return _reported(found, NO_LINKS)


def written(data: object) -> Iterator[str]:
    """Plain data, or types that become such, as lines of JSON."""
    plain = msgspec.to_builtins(data)
    yield from json.dumps(plain, ensure_ascii=False, indent=2).split("\n")


def _summary(result: Result) -> Summary:
    counts = result.counts
    return Summary(
        files=counts.files,
        snippets=counts.snippets,
        settings=counts.settings,
        findings=len(result.findings) + result.left_out,
        fixed=result.fixed,
        unchecked=counts.unchecked,
        ignored=counts.ignored,
        accepted=counts.accepted,
        verified=counts.settings - counts.unchecked,
        coverage=round(counts.coverage, 6),
        unverified={reason(gap): count for gap, count in sorted(counts.gaps.items())},
        gaps=dict(sorted(counts.gaps.items())),
        skipped=dict(sorted(result.skipped.items())),
    )


def _reported(finding: Finding, links: Links) -> ReportedFinding:
    span = finding.span
    return ReportedFinding(
        path=span.path,
        line=span.line,
        column=span.column,
        end_line=span.end_line,
        end_column=span.end_column,
        rule=finding.rule,
        severity=finding.severity,
        stage=finding.stage,
        key=finding.key,
        message=finding.message,
        suggestion=finding.suggestion,
        fix=_fix(finding.fix) if finding.fix is not None else None,
        url=links.rule(finding.rule),
    )


def _fix(fix: Fix) -> ReportedFix:
    return ReportedFix(safe=fix.is_safe, edits=[_edit(edit) for edit in fix.edits])


def _edit(edit: Edit) -> ReportedEdit:
    span = edit.span
    return ReportedEdit(*span.start, *span.end, edit.new)


def escape(character: str) -> str:
    """A character inside a string of JSON, so that it is read back as it was.

    Half a surrogate pair, or a byte of a file name that is not UTF-8, is no character, and many
    readers refuse the whole text for one; it is shown as people see it: `\\xff`.
    """
    if "\ud800" <= character <= "\udfff":
        return json.dumps(visible(character))[1:-1]
    encoded = character.encode("utf-16-be").hex()
    return "".join(f"\\u{encoded[i : i + 4]}" for i in range(0, len(encoded), 4))
