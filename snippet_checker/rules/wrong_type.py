"""`wrong-type`: a value of a kind that verl cannot use for this key."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from snippet_checker.findings import Problem, Stage
from snippet_checker.hydra.setting import Setting
from snippet_checker.judge.verdict import Accepted
from snippet_checker.rules.advice import new_text
from snippet_checker.rules.base import JudgedSnippet, Rule
from snippet_checker.suggest import likeness
from snippet_checker.verl import lifecycle, values

_MEANT = {
    "none": "null",
    "nil": "null",
    "yes": "True",
    "on": "True",
    "no": "False",
    "off": "False",
}
_NAMES = {
    bool: "true or false",
    int: "a whole number",
    float: "a number with a fraction",
    str: "text",
    list: "a list",
    dict: "a mapping",
}


def _check(judged: JudgedSnippet) -> Iterator[Problem]:
    for verdict in judged.with_values():
        setting = verdict.setting
        wanted = values.kinds(judged.release, verdict.keys)
        if values.fits(setting.value, wanted) and not _is_pythons_none(judged, verdict):
            continue
        if not judged.snippet.block.whole_file and values.leaves_number_open(setting.value):
            continue
        if _is_taken(judged, verdict) or not judged.is_surely_verls(verdict):
            continue
        if judged.project.verl_copy.takes(setting.value, verdict.keys, judged.release):
            continue
        if wanted == {values.Kind.MAPPING}:
            yield _not_a_mapping(judged, setting)
        else:
            yield _misfit(setting, wanted)


def _misfit(setting: Setting, wanted: frozenset[values.Kind]) -> Problem:
    is_quoted = values.is_quoted(setting.value, wanted)
    meant = str(setting.value) if is_quoted else _meant(str(setting.value), wanted)
    message = (
        f"'{setting.key}' takes {_takes(wanted)}, and {_shown(setting.value)} is "
        f"{_NAMES[type(setting.value)]}"
    )
    if is_quoted:
        message += ", because of quotes that reach Hydra: leave them out"
    else:
        message += "; Hydra accepts it all the same" + (f"; write {meant}" if meant else "")
    span, change = setting.value_span, new_text(meant)
    return Problem(
        span or setting.span, message, setting.key, meant, change=change if span else None
    )


def _not_a_mapping(judged: JudgedSnippet, setting: Setting) -> Problem:
    """A switch is often meant for what has become a mapping: `multi_turn=True`."""
    switch = f"{setting.key}.enable"
    is_switch = isinstance(setting.value, bool) and judged.release.has_key(switch)
    message = (
        f"'{setting.key}' holds further keys, and {_shown(setting.value)} takes their place, so "
        f"verl fails later; " + (f"set '{switch}'" if is_switch else "set those")
    )
    span = setting.value_span or setting.span
    return Problem(span, message, setting.key, switch if is_switch else None)


def _is_taken(judged: JudgedSnippet, verdict: Accepted) -> bool:
    """Whether the program, or one that may be meant, makes a number of the value."""
    value, release = verdict.setting.value, judged.release
    modules = (
        [judged.module] if judged.module else [entry.module for entry in release.facts.entries]
    )
    return any(lifecycle.takes_value(key, value, release.name, modules) for key in verdict.keys)


def _is_pythons_none(judged: JudgedSnippet, verdict: Accepted) -> bool:
    """Whether `None` is written for null where the default is null: Hydra takes it for text."""
    if verdict.setting.value != "None":
        return False
    defaults = judged.defaults(verdict)
    return bool(defaults) and all(default is None for default in defaults)


def _takes(wanted: frozenset[values.Kind]) -> str:
    return " or ".join(sorted(wanted)) or "null or a value"


def _meant(text: str, wanted: frozenset[values.Kind]) -> str | None:
    """The word that a text stands for: `None` for null, `Flase` for False."""
    known = _MEANT.get(text.lower())
    if known in ("True", "False") and values.Kind.SWITCH not in wanted:
        return None
    if known is None and values.Kind.SWITCH in wanted:
        return next(
            (w for w in ("True", "False") if likeness.is_typo(text.lower(), w.lower())), None
        )
    return known


def _shown(value: Any) -> str:
    return f"'{value}'" if isinstance(value, str) else str(value)


RULE = Rule("wrong-type", Stage.SILENT, "A value of a kind that the key cannot use.", _check)
