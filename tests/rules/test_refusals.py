"""Each verdict that is not in order is reported by one rule."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from snippet_checker.judge import verdict
from snippet_checker.judge.verdict import Accepted, NeedsPlus, Removed, Unjudged, Verdict
from snippet_checker.rules import all_rules
from snippet_checker.rules.base import FromVerdicts
from snippet_checker.snippets.snippet import FaultKind

OF_THEIR_OWN = {NeedsPlus: "needs-plus", Removed: "removed-key"}
"""The verdicts whose rules look at more than the verdict."""


def final() -> Iterator[type[Verdict]]:
    """The types of verdicts that no other is derived from."""
    kinds = [k for k in vars(verdict).values() if isinstance(k, type) and issubclass(k, Verdict)]
    for kind in kinds:
        if not any(other is not kind and issubclass(other, kind) for other in kinds):
            yield kind


def test_each_verdict_has_one_rule() -> None:
    checks = [rule.check for rule in all_rules().values()]
    said = Counter(
        kind for check in checks if isinstance(check, FromVerdicts) for kind in check.says
    )
    said.update(list(OF_THEIR_OWN))
    expected = {kind for kind in final() if kind not in (Accepted, Unjudged)}
    assert set(said) == expected
    assert set(said.values()) == {1}
    assert set(OF_THEIR_OWN.values()) <= set(all_rules())


def test_each_fault_has_a_rule() -> None:
    assert {kind.value for kind in FaultKind} <= set(all_rules())


def test_each_gap_is_said_in_words() -> None:
    assert all(" " in verdict.reason(gap) for gap in verdict.Gap)
