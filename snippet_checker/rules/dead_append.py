"""`dead-append`: `+` brings in a key that verl refuses later, or that nobody reads."""

from __future__ import annotations

from collections.abc import Iterator

from snippet_checker.model import Problem, Stage
from snippet_checker.rules.base import Case, Rule, best, did_you_mean
from snippet_checker.schema.verdict import Absence


def _check(case: Case) -> Iterator[Problem]:
    for verdict in case.absent(Absence.APPENDED):
        key = verdict.setting.key
        message = (
            f"Hydra appends '{key}', but verl {case.release.name} has no such key: it is refused "
            "later, or nothing reads it"
        )
        yield Problem(verdict.setting.span, message + did_you_mean(verdict), key, best(verdict))


RULE = Rule("dead-append", Stage.SILENT, "A `+` that hides a slip of the pen from Hydra.", _check)
