"""`removed-key`: an earlier release had this key, the checked one does not."""

from __future__ import annotations

from collections.abc import Iterator

from snippet_checker.findings import Problem, Stage
from snippet_checker.judge.verdict import Removed
from snippet_checker.rules.base import Case, Rule, best, did_you_mean
from snippet_checker.verl import drift, history


def _check(case: Case) -> Iterator[Problem]:
    for verdict in case.of(Removed):
        key = verdict.setting.key
        message = f"'{key}' was a key of verl until {verdict.last}; {case.release.name}"
        successor = best(verdict.candidates) if drift.is_read(case.release.name) else None
        if successor is not None and successor == history.fate(key)[1]:
            message += f" has '{successor}'"
        elif successor is not None and successor == history.instead(key):
            message += f" has no key of that name; what is set now is '{successor}'"
        else:
            message += " has no key of that name" + did_you_mean(verdict.candidates)
        problem = Problem(verdict.setting.span, message, key, best(verdict.candidates))
        yield from case.unless_told(problem, drift.moved(key), history.fate(key)[1])


RULE = Rule("removed-key", Stage.HYDRA, "A key that only earlier releases have.", _check)
