"""`unknown-reference`: a value that refers to a key which is not there."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from snippet_checker.findings import Problem, Stage
from snippet_checker.hydra import references
from snippet_checker.hydra.setting import Setting
from snippet_checker.judge import hydra_node
from snippet_checker.judge.diagnosis import KeyContext, diagnose
from snippet_checker.judge.verdict import Gap, Refused, Unjudged, Verdict
from snippet_checker.rules.advice import advise, of_value
from snippet_checker.rules.base import JudgedSnippet, Rule
from snippet_checker.snippets.snippet import Fragment
from snippet_checker.suggest import likeness
from snippet_checker.verl import key_index


def _check(judged: JudgedSnippet) -> Iterator[Problem]:
    for verdict in judged.judgement.verdicts:
        setting = verdict.setting
        if isinstance(verdict, Refused) or not setting.sure or _is_others(verdict):
            continue
        for key in dict.fromkeys(references.referred(setting.key, setting.value)):
            if _is_missing(judged, setting.key, key):
                yield _problem(judged, verdict, key)


def _is_others(verdict: Verdict) -> bool:
    """Whether nothing shows that the setting is about verl."""
    return isinstance(verdict, Unjudged) and verdict.gap is Gap.NOT_VERL


def _problem(judged: JudgedSnippet, verdict: Verdict, key: str) -> Problem:
    candidates = tuple(_candidates(judged, verdict.setting, key))
    setting = verdict.setting
    stage = Stage.HYDRA if hydra_node.is_hydras(setting.key) else Stage.VERL
    who = "Hydra" if stage is Stage.HYDRA else "verl"
    message = f"'{setting.key}' refers to '{key}', which is not there; "
    advice = advise(judged, candidates, key)
    message += f"{who} stops when it resolves the value{advice.text}"
    return of_value(setting, message, advice.suggestion, stage, writes=False)


def _candidates(judged: JudgedSnippet, setting: Setting, key: str) -> Iterator[str]:
    """The references that may have been meant; one of a key to itself would never end."""
    if key.isupper():
        yield f"${{oc.env:{key}}}"
    elif hydra_node.is_hydras(key):
        yield f"${{hydra:{key.partition('.')[2]}}}"
    else:
        place = KeyContext(judged.release, config=judged.judgement.config)
        found = diagnose(replace(setting, key=key), key, place).candidates
        yield from (f"${{{candidate}}}" for candidate in found if candidate != setting.key)


def _is_missing(judged: JudgedSnippet, at: str, key: str) -> bool:
    """Whether no config that the snippet may belong to has `key`.

    Around settings without a command there may be more than they show, so that only
    misspelled keys and keys of earlier releases are sure to be wrong there.
    """
    if hydra_node.is_hydras(at) and hydra_node.is_hydras(key):
        return False
    if judged.judgement.config is not None:
        return references.leads_nowhere(key, judged.judgement.config)
    if not isinstance(judged.snippet, Fragment) or key in judged.release.all_keys:
        return False
    shown = (setting.key for setting in judged.snippet.settings)
    if any(f"{other}.".startswith(f"{key}.") for other in shown):
        return False
    was_there = key_index.last_before(key, judged.release.name) is not None
    return was_there or likeness.is_misspelled(key, judged.release)


RULE = Rule(
    "unknown-reference", Stage.VERL, "A value that refers to a key which is not there.", _check
)
