"""`unknown-key`: no release of verl ever had this key."""

from __future__ import annotations

from collections.abc import Iterator

from snippet_checker.findings import Problem, Stage
from snippet_checker.judge import other_programs
from snippet_checker.judge.verdict import Absence, Verdict
from snippet_checker.rules.base import Case, Rule, best, did_you_mean
from snippet_checker.snippets.snippet import Context


def _check(case: Case) -> Iterator[Problem]:
    for verdict in case.absent(Absence.UNKNOWN):
        key = verdict.setting.key
        if _is_another_programs(case, verdict):
            continue
        message = f"'{key}' is not a key of verl {case.release.name}, nor of any other release"
        yield Problem(verdict.setting.span, message + did_you_mean(verdict), key, best(verdict))
    for verdict in case.absent(Absence.OTHER_CHOICE):
        key = verdict.setting.key
        choice = f"'{verdict.where}'" if verdict.where else "another choice of config groups"
        message = f"'{key}' is there with {choice} only, so Hydra refuses it here"
        if verdict.where is None:
            message += did_you_mean(verdict)
        yield Problem(verdict.setting.span, message, key, best(verdict))


def _is_another_programs(case: Case, verdict: Verdict) -> bool:
    """Whether running text says that a name without dots is another program's."""
    if case.snippet.context is not Context.MENTION or "." in verdict.setting.key:
        return False
    return other_programs.is_another_programs(case.snippet.block, verdict.setting.span)


RULE = Rule("unknown-key", Stage.HYDRA, "A key that verl does not have.", _check)
