"""`removed-key`: an earlier release had this key, the checked one does not."""

from __future__ import annotations

from collections.abc import Iterator

from snippet_checker.model import Problem, Stage
from snippet_checker.rules.base import Case, Rule, best
from snippet_checker.schema.verdict import Absence


def _check(case: Case) -> Iterator[Problem]:
    for verdict in case.absent(Absence.REMOVED):
        key = verdict.setting.key
        message = f"'{key}' was a key of verl until {verdict.release}; {case.release.name}"
        if verdict.candidates:
            message += f" has '{verdict.candidates[0]}'"
        else:
            message += " has nothing in its place"
        yield Problem(verdict.setting.span, message, key, best(verdict))


RULE = Rule("removed-key", Stage.HYDRA, "A key that an earlier release had.", _check)
