"""`dead-append`: `+` brings in a key that verl refuses later, or that nobody reads."""

from __future__ import annotations

from collections.abc import Iterator

from snippet_checker.model import Problem, Stage
from snippet_checker.rules.base import Case, Rule, best, did_you_mean
from snippet_checker.schema.verdict import Absence


def _check(case: Case) -> Iterator[Problem]:
    for verdict in case.absent(Absence.APPENDED):
        key = verdict.setting.key
        message = f"Hydra appends '{key}', but verl {case.release.name} "
        stage = None
        if verdict.where is not None:
            message += f"refuses it when it builds {verdict.where}, which has no such field"
            stage = Stage.VERL
        else:
            message += "never reads it"
        message += did_you_mean(verdict)
        yield Problem(verdict.setting.span, message, key, best(verdict), stage)


RULE = Rule("dead-append", Stage.SILENT, "A `+` that verl refuses later, or never reads.", _check)
