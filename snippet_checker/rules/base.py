"""What a rule is, and what it gets to see."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from snippet_checker.model import Problem, Severity, Snippet, Stage
from snippet_checker.schema.judge import Judgement
from snippet_checker.schema.release import Release
from snippet_checker.schema.verdict import Absence, Verdict


@dataclass(frozen=True, slots=True)
class Case:
    """One snippet with the verdicts on its settings, as a rule gets it."""

    snippet: Snippet
    judgement: Judgement

    @property
    def release(self) -> Release:
        return self.judgement.release

    def absent(self, absence: Absence) -> Iterator[Verdict]:
        """The settings whose keys are not there for the given reason."""
        return (v for v in self.judgement.verdicts if v.absence is absence)


@dataclass(frozen=True, slots=True)
class Rule:
    """One check: its stable name, who refuses what it finds, and the function that finds it."""

    id: str
    stage: Stage
    summary: str
    check: Callable[[Case], Iterator[Problem]]
    severity: Severity = Severity.ERROR


def from_faults(rule: str) -> Callable[[Case], Iterator[Problem]]:
    """The check of a rule whose problems a language's parser finds."""

    def check(case: Case) -> Iterator[Problem]:
        for fault in case.snippet.faults:
            if fault.rule == rule:
                yield Problem(fault.span, fault.message, fault.key, fault.suggestion)

    return check


def nothing(_: Case) -> Iterator[Problem]:
    """The check of a rule that the runner itself reports."""
    return iter(())


def did_you_mean(verdict: Verdict) -> str:
    """The end of a message that names what may have been meant."""
    if not verdict.candidates:
        return ""
    best, *others = (f"'{candidate}'" for candidate in verdict.candidates)
    return f"; did you mean {best}?" + (f" (or {' or '.join(others)})" if others else "")


def best(verdict: Verdict) -> str | None:
    return verdict.candidates[0] if verdict.candidates else None
