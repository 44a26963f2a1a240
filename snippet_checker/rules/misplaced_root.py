"""`misplaced-root`: the name is verl's, the path to it is not."""

from __future__ import annotations

from collections.abc import Iterator

from snippet_checker.findings import Problem, Stage
from snippet_checker.judge.verdict import Absence
from snippet_checker.rules.base import Case, Rule, best, did_you_mean


def _check(case: Case) -> Iterator[Problem]:
    for verdict in case.absent(Absence.MISPLACED):
        key = verdict.setting.key
        parent, _, leaf = key.rpartition(".")
        message = (
            f"'{key}' is not a key of verl {case.release.name}, nor of any other release: "
            f"'{leaf}' does not stand under '{parent}'"
        )
        if verdict.candidates:
            places = " or ".join(f"'{candidate}'" for candidate in verdict.candidates)
            message += f"; there is {places}"
        yield Problem(verdict.setting.span, message, key, best(verdict))
    for verdict in case.absent(Absence.OTHER_PROGRAM):
        key = verdict.setting.key
        message = f"'{key}' is a key of '{verdict.where}', which is not what this starts"
        yield Problem(verdict.setting.span, message + did_you_mean(verdict), key, best(verdict))


RULE = Rule("misplaced-root", Stage.HYDRA, "A real name under a parent that lacks it.", _check)
