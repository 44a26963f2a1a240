"""`stale-default`: a text states a default that the release does not have."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from snippet_checker.findings import Problem, Stage
from snippet_checker.hydra import override
from snippet_checker.hydra.setting import Value
from snippet_checker.judge import relevance
from snippet_checker.judge.verdict import Gap, Unjudged
from snippet_checker.rules.advice import new_text
from snippet_checker.rules.base import JudgedSnippet, Rule
from snippet_checker.snippets.snippet import Claim
from snippet_checker.verl import values
from snippet_checker.verl.release import Release
from snippet_checker.work import TooMuchWork

_MANDATORY = "???"
_NOTHING = re.compile(r"[-–—/]+")  # stands in a cell that says nothing


def _check(judged: JudgedSnippet) -> Iterator[Problem]:
    if judged.context.starts_other_programs or _is_of_own_config(judged):
        return  # which may have defaults of their own
    for claim in judged.mentions.claims if judged.mentions is not None else ():
        if not relevance.is_distinctive(claim.key, judged.release):
            continue
        if _NOTHING.fullmatch(claim.value) or _is_of_others(claim, judged.release):
            continue
        stated = _read(claim.value)
        if _is_word_without_default(stated, claim.key, judged.release):
            message = (
                f"'{claim.key}' has no default in verl {judged.release.name}: it has to be set"
            )
            yield Problem(claim.value_span, message, claim.key)
            continue
        defaults = _defaults(claim.key, judged.release)
        if not values.is_comparable(stated) or not defaults or _is_one_of(stated, defaults):
            continue
        if isinstance(stated, str) and not any(isinstance(default, str) for default in defaults):
            continue  # a remark: `required`
        if _is_given_by_project(claim, stated, judged):
            continue
        right = "null" if defaults[0] is None else str(defaults[0]) or "''"
        message = (
            f"the default of '{claim.key}' is {right} in verl {judged.release.name}, "
            f"not {claim.value}"
        )
        yield Problem(claim.value_span, message, claim.key, right, change=new_text(right))


def _is_of_own_config(judged: JudgedSnippet) -> bool:
    """Whether a list tells of a config of the project's own, which has another of its keys."""
    has_own = any(verdict.gap is Gap.OWN_KEY for verdict in judged.verdicts_of(Unjudged))
    return has_own and not judged.project.verl_copy.is_whole


def _is_given_by_project(claim: Claim, stated: Any, judged: JudgedSnippet) -> bool:
    """Whether its own code, a file that the page names, or its copy of verl has that default."""
    project, release = judged.project, judged.release
    return (
        project.code.gives_default(claim.key.rpartition(".")[2], stated)
        or project.named_files.give(claim.key, claim.value)
        or project.copy_configs.has_default(stated, _keys(claim.key, release), release)
    )


def _is_of_others(claim: Claim, release: Release) -> bool:
    """Whether a key stands in a table with keys that begin as none of verl's do, in any release.

    Or a single name, with names that are none of verl's.
    """
    if any(relevance.has_foreign_root(name, release) for name in claim.beside):
        return True
    return "." not in claim.key and any(
        relevance.is_not_verls(name, release) for name in claim.beside
    )


def _is_word_without_default(stated: Any, key: str, release: Release) -> bool:
    """Whether a word that verl takes for a key is said to be the default of what has none."""
    keys = _keys(key, release)
    given = [default for full in keys for default in release.defaults(full)]
    if not isinstance(stated, str) or not given or any(one != _MANDATORY for one in given):
        return False
    sets = [one for full in keys for one in values.closed_sets(release, full, None)]
    return bool(sets) and not values.wrong_words(stated, sets)


def _read(text: str) -> Any:
    if text == "None":
        return None
    try:
        return override.parse(f"key={text}").value
    except (override.OverrideError, TooMuchWork):
        return Value.UNKNOWN


def _defaults(key: str, release: Release) -> list[Any]:
    """Every default that `key`, perhaps shortened, may have; none where one is not known."""
    found = [default for full in _keys(key, release) for default in release.defaults(full)]
    return found if all(values.is_comparable(default) for default in found) else []


def _keys(key: str, release: Release) -> dict[str, None]:
    """The full keys that one, perhaps shortened, may be."""
    return dict.fromkeys((*release.expand(key), key))


def _is_one_of(stated: Any, defaults: list[Any]) -> bool:
    return any(stated == default or str(stated) == str(default) for default in defaults)


RULE = Rule("stale-default", Stage.DOCS, "A stated default that is not the release's.", _check)
