"""`future-key`: a later release has this key, the checked one does not yet."""

from __future__ import annotations

from collections.abc import Iterator

from snippet_checker.findings import Problem, Stage
from snippet_checker.judge.verdict import Absence
from snippet_checker.rules.base import Case, Rule, best, did_you_mean


def _check(case: Case) -> Iterator[Problem]:
    for verdict in case.absent(Absence.FUTURE):
        key = verdict.setting.key
        message = (
            f"'{key}' comes with verl {verdict.where}; {case.release.name} does not have it yet"
        )
        yield Problem(verdict.setting.span, message + did_you_mean(verdict), key, best(verdict))


RULE = Rule("future-key", Stage.HYDRA, "A key that only a later release has.", _check)
