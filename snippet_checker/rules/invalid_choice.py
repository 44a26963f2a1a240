"""`invalid-choice`: a word that verl's code does not know for this key."""

from __future__ import annotations

import re
from collections.abc import Iterator

from snippet_checker.findings import Problem, Severity, Stage
from snippet_checker.hydra.setting import Setting, Value
from snippet_checker.judge.own_code import brings_own_code
from snippet_checker.judge.verdict import Accepted
from snippet_checker.projects.refusals import VerlsCheck
from snippet_checker.rules.advice import of_value
from snippet_checker.rules.base import JudgedSnippet, Rule
from snippet_checker.rules.ineffective_key import keys_without_effect
from snippet_checker.text.closest import closest, is_misspelling
from snippet_checker.verl import lifecycle, values
from snippet_checker.verl.facts import ClosedSet

_READ_WITH = {
    # Only agent loops parse calls of tools: verl/experimental/agent_loop/tool_agent_loop.py
    "actor_rollout_ref.rollout.multi_turn.format": ("actor_rollout_ref.rollout.mode", "async"),
}
_ESTIMATORS = {
    # PPO's own estimator; the others differ from GRPO in the loss, as verl's examples set them.
    "ppo": "gae",
    "dapo": "grpo",
    "gspo": "grpo",
    "cispo": "grpo",
    "dr_grpo": "grpo",
}
_OWN_WORD = re.compile(r"(?:my|your|user|custom)[_-]")  # as documents call what a reader registers


def _check(judged: JudgedSnippet) -> Iterator[Problem]:
    own_code = brings_own_code(judged.snippet)
    command = judged.command
    started = command.entry if command is not None else None
    without_effect = keys_without_effect(judged)
    for verdict in judged.with_values():
        note = _refusal(verdict, judged)
        if note is not None:
            if not _is_dropped(note, verdict, judged):
                yield _refused(verdict.setting, note)
            continue
        sets = judged.closed_sets_for(verdict)
        if not sets or not _is_read(verdict, judged) or not without_effect.isdisjoint(verdict.keys):
            continue
        is_open = any(one.open for one in sets)
        if is_open and (own_code or _is_readers(str(verdict.setting.value), judged)):
            continue
        defaults = set(map(str, judged.defaults(verdict)))
        wrong = (w for w in values.wrong_words(verdict.setting.value, sets) if w not in defaults)
        word = next((w for w in wrong if not _is_own_word(w, sets, started, judged)), None)
        if word is None:
            continue
        is_outdated = judged.project.is_word_of_outdated_copy(word, sets, judged.release, started)
        problem = _problem(verdict, word, sets, is_outdated=is_outdated)
        is_near = is_misspelling(word, problem.suggestion)
        if not is_near and judged.project.has_unseen_fork:
            continue
        if judged.is_surely_verls(verdict) or is_near:
            yield problem


def _is_readers(word: str, judged: JudgedSnippet) -> bool:
    """Whether a word is one that the document shows how to register."""
    return _OWN_WORD.match(word) is not None or word in judged.context.registered


def _refusal(verdict: Accepted, judged: JudgedSnippet) -> lifecycle.Note | None:
    """Why a word is refused that an earlier release took, which no code can bring back."""
    word, release = verdict.setting.value, judged.release
    note = (
        lifecycle.refused_word(verdict.keys[0], word, release.name)
        if isinstance(word, str)
        else None
    )
    return note if note is not None and note.is_reviewed(release.name) else None


def _is_dropped(note: lifecycle.Note, verdict: Accepted, judged: JudgedSnippet) -> bool:
    """Whether the project's copy of verl no longer has the check that refuses a word."""
    check = VerlsCheck(frozenset(note.refusal), verdict.keys[:1], lambda _: verdict.setting.value)
    return judged.project.verl_copy.lacks_check(check, (note.file,), judged.release)


def _refused(setting: Setting, note: lifecycle.Note) -> Problem:
    message = f"'{setting.key}' does not take '{setting.value}' any more: {note.why}"
    message += f"; write '{note.instead}'" if note.instead else ""
    return of_value(setting, message, note.instead)


def _is_own_word(
    word: str, sets: tuple[ClosedSet, ...], started: str | None, judged: JudgedSnippet
) -> bool:
    return judged.project.code.accepts_word(word, sets, judged.release, started)


def _is_read(verdict: Accepted, judged: JudgedSnippet) -> bool:
    """Whether the mode that the snippet sets, or else the release's, looks at the key at all."""
    condition = _READ_WITH.get(verdict.keys[0])
    if condition is None:
        return True
    switch, word = condition
    said = [other.setting.value for other in judged.verdicts_of(Accepted) if switch in other.keys]
    return any(value in (word, Value.UNKNOWN) for value in said or judged.release.defaults(switch))


def _problem(
    verdict: Accepted, word: str, sets: tuple[ClosedSet, ...], *, is_outdated: bool
) -> Problem:
    """What is wrong with a word; one that `is_outdated` is of the project's own copy of verl."""
    setting = verdict.setting
    words = sorted({word for one in sets for word in one.values if not word.endswith("+")})
    stage = min((one.stage for one in sets), key=lambda stage: stage is not Stage.VERL)
    if values.is_quoted(word, frozenset({values.Kind.LIST})):
        message = f"'{setting.key}' gets '{word}' as one word, because of quotes that reach Hydra"
        message += ": leave them out"
        return of_value(setting, message, word, stage, writes=False)
    unreviewed = [one.source for one in sets if one.unreviewed]
    if unreviewed:
        message = (
            f"'{setting.key}' gets '{word}', which is not named in {unreviewed[0]}; there are "
        )
        message += f"{', '.join(words)}; whether other code takes it has not been read yet"
    else:
        message = f"'{setting.key}' does not take '{word}'; it takes {', '.join(words)}"
        if stage is Stage.SILENT:
            message += ", and any other word goes unnoticed"
    best = _meant(setting.key, word, words) if not is_outdated else None
    if is_outdated:
        message += "; only code of this project takes it"
    elif best is not None:
        message += f"; did you mean '{best}'?"
    severity = Severity.WARNING if unreviewed else None
    is_whole = setting.value == word  # in a list, others stand beside it
    return of_value(setting, message, best, stage, severity, writes=is_whole)


def _meant(key: str, word: str, words: list[str]) -> str | None:
    """The word that was meant: in other letters, by the algorithm's name, or the closest one."""
    by_case = {known.lower(): known for known in words}
    if word.lower() in by_case:
        return by_case[word.lower()]
    estimator = _ESTIMATORS.get(word.lower()) if key.endswith("adv_estimator") else None
    return estimator if estimator in words else closest(word, words)


RULE = Rule("invalid-choice", Stage.VERL, "A word that verl does not know for the key.", _check)
