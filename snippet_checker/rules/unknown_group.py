"""`unknown-group`: a config group choice that no defaults list has a place for."""

from __future__ import annotations

from collections.abc import Iterator

from snippet_checker.findings import Problem, Stage
from snippet_checker.hydra.tree import Status
from snippet_checker.rules.base import Case, Rule, best, did_you_mean


def _check(case: Case) -> Iterator[Problem]:
    for verdict in case.judgement.verdicts:
        key = verdict.setting.key
        if verdict.status is Status.UNKNOWN_GROUP:
            group = key if verdict.setting.package is None else f"{key}@{verdict.setting.package}"
            verl = f"verl {case.release.name}"
            message = f"no defaults list of {verl} chooses the group '{group}' here"
            yield Problem(verdict.setting.span, message + did_you_mean(verdict), key, best(verdict))
        elif verdict.status is Status.NOT_A_GROUP:
            message = f"'{key}@…' reads as a config group, and verl has no group '{key}'"
            yield Problem(verdict.setting.span, message, key)


RULE = Rule("unknown-group", Stage.HYDRA, "A config group that is not there to choose.", _check)
