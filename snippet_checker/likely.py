"""What is wrong in a file whose release of verl nobody knows: what each likely release refuses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from snippet_checker.findings import Finding, Severity, Stage

Place: TypeAlias = tuple[int, int]
CONFLICTS = "conflicting-settings"
_NO_MODULE = "unknown-entry"


def place(finding: Finding) -> Place:
    return finding.span.line, finding.span.column


def wrong_on_likely(found: Mapping[str, Sequence[Finding]]) -> tuple[str, frozenset[Place]]:
    """The newest likely release, and the places at which all likely ones find something.

    `found` has what each release finds, the newest one last. Those that refuse least are likely.
    """
    refused = {release: _refused(findings) for release, findings in found.items()}
    least = min(refused.values())
    likely = [release for release, count in refused.items() if count == least]
    places = (frozenset(map(place, found[release])) for release in likely)
    return likely[-1], frozenset.intersection(*places)


def wrong_in(findings: Sequence[Finding]) -> tuple[int, int]:
    """How many programs are not there, and how much else is wrong that is not so everywhere.

    What stands behind such a program is not judged.
    """
    errors = [one for one in findings if one.severity is Severity.ERROR]
    return _missing(errors), sum(one.rule not in (CONFLICTS, _NO_MODULE) for one in errors)


def _refused(findings: Sequence[Finding]) -> tuple[int, int]:
    errors = [one for one in findings if one.severity is Severity.ERROR]
    return _missing(errors), sum(one.stage is Stage.HYDRA for one in errors)


def _missing(errors: Sequence[Finding]) -> int:
    return sum(one.rule == _NO_MODULE for one in errors)
