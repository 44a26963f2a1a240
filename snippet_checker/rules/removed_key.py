"""`removed-key`: an earlier release had this key, the checked one does not."""

from __future__ import annotations

from collections.abc import Iterator

from snippet_checker.findings import Problem, Stage
from snippet_checker.judge.verdict import Removed
from snippet_checker.rules.advice import instead, lacks, left_out
from snippet_checker.rules.base import Case, Rule
from snippet_checker.verl import drift, history


def _check(case: Case) -> Iterator[Problem]:
    for verdict in case.of(Removed):
        key = verdict.setting.key
        message = f"{lacks(key, case)}, which verl had up to {verdict.last}"
        certain = _certain(key, verdict, case)
        candidates = verdict.candidates[:1] if certain is not None else verdict.candidates
        advice = instead(case, candidates, certain=certain)
        change = advice.change(verdict.setting, is_safe=certain == "write")
        if not candidates and case.mentions is None:
            change = left_out(verdict.setting)
        span, stage = verdict.setting.span, case.stage_without(key)
        problem = Problem(span, message + advice.text, key, advice.suggestion, stage, change=change)
        yield from case.unless_told(problem, drift.moved(key), history.fate(key)[1])


def _certain(key: str, verdict: Removed, case: Case) -> str | None:
    """What to do with the first candidate, where a review found what took the key's place."""
    if not verdict.candidates or not drift.is_read(case.release.name):
        return None
    best = verdict.candidates[0].lstrip("+")
    if best == history.fate(key)[1]:
        return "write"
    return "what is set now is" if best == history.instead(key) else None


RULE = Rule("removed-key", Stage.HYDRA, "A key that only earlier releases have.", _check)
