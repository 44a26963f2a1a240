"""`override-syntax`: an argument that Hydra's grammar does not allow."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec.structs import replace

from snippet_checker.findings import Problem, Stage
from snippet_checker.rules.base import FromFaults, JudgedSnippet, Rule
from snippet_checker.snippets.snippet import Fault, FaultKind
from snippet_checker.text.places import Span
from snippet_checker.verl.values import Kind, closed_sets, kinds, kinds_of_annotation

_PLAIN = re.compile(r"[^()\[\]{}]+")  # values without a function or brackets
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
            yield _with_advice(problem, judged) if isinstance(problem, Fault) else problem


def _with_advice(fault: Fault, judged: JudgedSnippet) -> Problem:
    """A fault, and for a sweep what is probably meant: a list, or a text with commas in it."""
    if fault.sweep is None:
        return fault
    (before, values), key = fault.sweep, fault.key or ""
    is_plain = _PLAIN.fullmatch(values) is not None
    sets, declared = closed_sets(judged.release, key, None), _declared(key, judged)
    if any(one.commas for one in sets) or (declared == {Kind.TEXT} and not sets and is_plain):
        written = f'{before}"{values}"'
        advice = f"'{key}' takes a text, which needs quotes that reach Hydra: '{written}'"
    elif _takes_one(key, judged, declared):
        written, advice = None, f"'{key}' takes one value"
    else:
        written = f"{before}[{values}]" if is_plain else None
        advice = "a list stands in brackets"
    return replace(fault, message=f"{fault.message}; {advice}", suggestion=written)


def _takes_one(key: str, judged: JudgedSnippet, declared: frozenset[Kind]) -> bool:
    """Whether a key takes no list: as it is declared, or as its default is a number or a switch."""
    given = kinds(judged.release, [key])
    is_number = bool(given) and given.isdisjoint({Kind.TEXT, Kind.LIST, Kind.MAPPING})
    return is_number or (bool(declared) and Kind.LIST not in declared)


def _declared(key: str, judged: JudgedSnippet) -> frozenset[Kind]:
    """The kinds that verl declares for a key; empty where some program leaves that open."""
    fields = (space.field(key) for space in judged.release.spaces if key in space)
    found = [kinds_of_annotation(f.annotation) if f is not None else set() for f in fields]
    return frozenset().union(*found) if all(found) else frozenset()


RULE = Rule(
    "override-syntax",
    Stage.HYDRA,
    "An argument that Hydra's grammar does not allow.",
    _check,
)
