"""`unknown-option`: a config group has no such option."""

from __future__ import annotations

from collections.abc import Iterator

from snippet_checker.findings import Problem, Stage
from snippet_checker.hydra.tree import Status
from snippet_checker.rules.base import Case, Rule, best


def _check(case: Case) -> Iterator[Problem]:
    for verdict in case.judgement.verdicts:
        if verdict.status is not Status.UNKNOWN_OPTION:
            continue
        setting = verdict.setting
        options = ", ".join(sorted(verdict.candidates))
        message = (
            f"the config group '{setting.key}' has no option '{setting.value}'; it has {options}"
        )
        yield Problem(setting.value_span or setting.span, message, setting.key, best(verdict))


RULE = Rule("unknown-option", Stage.HYDRA, "An option that its config group lacks.", _check)
