"""What is wrong in a file whose release of verl nobody knows: what each likely release refuses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from snippet_checker.findings import Finding, Severity, Stage

Place: TypeAlias = tuple[int, int]
_OF_ANY_RELEASE = "conflicting-settings"
_NO_MODULE = "unknown-entry"


def place(finding: Finding) -> Place:
    return finding.span.line, finding.span.column


def wrong_on_likely(found: Mapping[str, Sequence[Finding]]) -> tuple[str, frozenset[Place]]:
    """The newest likely release, and the places at which all likely ones find something.

    `found` has what each release finds, the newest one last. Those that refuse least are likely.
    """
    refused = {release: sum(map(_is_refused, findings)) for release, findings in found.items()}
    least = min(refused.values())
    likely = [release for release, count in refused.items() if count == least]
    places = (frozenset(map(place, found[release])) for release in likely)
    return likely[-1], frozenset.intersection(*places)


def wrong_in(findings: Sequence[Finding]) -> int:
    """How much is wrong in a file, without what is so on every release."""
    errors = (one for one in findings if one.severity is Severity.ERROR)
    return sum(one.rule != _OF_ANY_RELEASE for one in errors)


def _is_refused(finding: Finding) -> bool:
    is_before_verl = finding.stage is Stage.HYDRA or finding.rule == _NO_MODULE
    return is_before_verl and finding.severity is Severity.ERROR
