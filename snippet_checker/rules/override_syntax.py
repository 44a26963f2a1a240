"""`override-syntax`: an argument that Hydra's grammar does not allow."""

from __future__ import annotations

from collections.abc import Iterator

from snippet_checker.findings import Problem, Stage
from snippet_checker.rules.base import FromFaults, JudgedSnippet, Rule
from snippet_checker.snippets.snippet import FaultKind
from snippet_checker.text.places import Span

_faults = FromFaults(FaultKind.OVERRIDE_SYNTAX)


def _check(judged: JudgedSnippet) -> Iterator[Problem]:
    told: set[Span] = set()  # what stands in a variable is wrong wherever that is used
    for problem in _faults(judged):
        if problem.span in told:
            continue
        told.add(problem.span)
        # Without a command, `self.norm=LayerNorm(dim)` is code and no broken override.
        root = (problem.key or "").partition(".")[0]
        if judged.command is not None or root in judged.release.keys:
            yield problem


RULE = Rule(
    "override-syntax",
    Stage.HYDRA,
    "An argument that Hydra's grammar does not allow.",
    _check,
)
