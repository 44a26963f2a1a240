"""`needs-plus`: verl reads this key, but Hydra takes it with `+` only."""

from __future__ import annotations

from collections.abc import Iterator

from snippet_checker.model import Problem, Stage
from snippet_checker.rules.base import Case, Rule
from snippet_checker.schema.verdict import Absence


def _check(case: Case) -> Iterator[Problem]:
    for verdict in case.absent(Absence.NEEDS_PLUS):
        key = verdict.setting.key
        message = f"'{key}' is not in verl's YAML, so Hydra takes it with a plus only: '+{key}=…'"
        yield Problem(verdict.setting.span, message, key, f"+{key}")


RULE = Rule("needs-plus", Stage.HYDRA, "A key that has to be appended with `+`.", _check)
