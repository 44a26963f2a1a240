"""`needless-plus`: `+` appends, and Hydra refuses to append a key that is there."""

from __future__ import annotations

from collections.abc import Iterator

from snippet_checker.findings import Problem, Stage
from snippet_checker.hydra.tree import Status
from snippet_checker.rules.base import Case, Rule


def _check(case: Case) -> Iterator[Problem]:
    for verdict in case.judgement.verdicts:
        if verdict.status is Status.PRESENT:
            key = verdict.setting.key
            message = f"'{key}' is there already, so Hydra refuses to append it: leave out the plus"
            yield Problem(verdict.setting.span, message, key, key)


RULE = Rule("needless-plus", Stage.HYDRA, "A `+` before a key that exists.", _check)
