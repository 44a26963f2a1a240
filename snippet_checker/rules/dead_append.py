"""`dead-append`: `+` brings in a key that verl refuses later, or that nobody reads."""

from __future__ import annotations

from collections.abc import Iterator

from snippet_checker.findings import Problem, Stage
from snippet_checker.judge.verdict import Absence
from snippet_checker.rules.base import Case, Rule, best, did_you_mean


def _check(case: Case) -> Iterator[Problem]:
    for verdict in case.absent(Absence.APPENDED):
        key = verdict.setting.key
        verl = f"verl {case.release.name}"
        stage = None if verdict.where is None else Stage.VERL
        reason = f"{verl} never reads it"
        if verdict.where is not None:
            reason = f"{verdict.where}, which {verl} builds there, has no such field"
        message = f"Hydra appends '{key}', but {reason}{did_you_mean(verdict)}"
        yield Problem(verdict.setting.span, message, key, best(verdict), stage)


RULE = Rule("dead-append", Stage.SILENT, "A `+` that verl refuses later, or never reads.", _check)
