"""`unverified-setting`: nothing can be said of a setting; reported with `--strict` only."""

from __future__ import annotations

from collections.abc import Iterator

from snippet_checker.findings import Problem, Stage
from snippet_checker.judge.verdict import Unjudged, reason
from snippet_checker.rules.base import Case, Rule


def _check(case: Case) -> Iterator[Problem]:
    for verdict in case.counted():
        if isinstance(verdict, Unjudged):
            key = verdict.setting.key
            message = f"'{key}' was not verified: {reason(verdict.gap)}"
            yield Problem(verdict.setting.span, message, key)


RULE = Rule(
    "unverified-setting",
    Stage.DOCS,
    "A setting about which nothing can be said; with `--strict` only.",
    _check,
    strict_only=True,
)
