"""`refused-override`: Hydra refuses the override for a reason of its own."""

from __future__ import annotations

from collections.abc import Iterator

from snippet_checker.findings import Problem, Stage
from snippet_checker.hydra.setting import Operator
from snippet_checker.hydra.tree import Status
from snippet_checker.rules.base import Case, Rule

_REASONS = {
    Status.NOTHING_TO_DELETE: "there is nothing at '{key}' to delete",
    Status.OTHER_VALUE: "'{key}' has another value, so Hydra does not delete it",
    Status.TAKEN_AWAY: "an earlier override of this command replaced what holds '{key}'",
    Status.REFUSED: "Hydra cannot apply this to '{key}'",
}


def _check(case: Case) -> Iterator[Problem]:
    for verdict in case.judgement.verdicts:
        reason = _REASONS.get(verdict.status)
        if reason is None:
            continue
        key = verdict.setting.key
        message = reason.format(key=key)
        if verdict.setting.operator is Operator.FORCE:
            message += ": '++' does not choose a config group"
        yield Problem(verdict.setting.span, message, key)


RULE = Rule("refused-override", Stage.HYDRA, "An override that Hydra cannot apply.", _check)
