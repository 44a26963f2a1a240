"""`conflicting-settings`: each setting is fine, and verl refuses them together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from snippet_checker.findings import Problem, Stage
from snippet_checker.hydra.resolved import Resolved
from snippet_checker.hydra.setting import Setting, Value
from snippet_checker.judge.conflicts import conflicts
from snippet_checker.judge.conflicts.checks import Conflict
from snippet_checker.judge.verdict import AlreadyThere, Missing, Refused
from snippet_checker.rules.base import JudgedSnippet, Rule

_PROGRAMS = ("verl.trainer.main_ppo", "verl.trainer.main_ppo_sync")
_LAUNCHABLE = ("data.train_files", "actor_rollout_ref.model.path")
"""Keys that a command has to set before it can train: with them it is meant whole."""


def _check(judged: JudgedSnippet) -> Iterator[Problem]:
    config = judged.judgement.config
    verdicts = judged.judgement.verdicts
    if config is None or judged.module not in _PROGRAMS:
        return
    refused = [*judged.of(Refused)]
    settings = {verdict.setting.key: verdict.setting for verdict in verdicts}
    unknown = [s.key for s in settings.values() if s.value is Value.UNKNOWN or not s.sure]
    for conflict in conflicts(Resolved(config, unknown), judged.release.name):
        if refused and not _holds_beside(refused, conflict):
            continue
        culprits = [settings[key] for key in conflict.keys if key in settings]
        copy = judged.project.verl_copy
        if copy.lacks_check(conflict.refusal, conflict.keys, conflict.files, judged.release):
            continue  # the project's copy of verl takes them
        if _is_meant(conflict, culprits, settings, judged):
            yield _problem(conflict, culprits, judged)


def _holds_beside(refused: Sequence[Refused], conflict: Conflict) -> bool:
    """Whether it stays when what Hydra refuses is mended."""
    return conflict.anyhow and all(_is_apart(one, conflict.keys[0]) for one in refused)


def _is_apart(refused: Refused, key: str) -> bool:
    """Whether a setting was not meant to be the key, nor to choose which keys there are."""
    match refused:
        case Missing(candidates=candidates):
            return key not in candidates
        case AlreadyThere(setting=setting):
            return setting.key != key
    return False


def _is_meant(
    conflict: Conflict, culprits: list[Setting], settings: dict[str, Setting], judged: JudgedSnippet
) -> bool:
    """Whether the command itself is wrong: an example that leaves settings out is not."""
    if all(key in settings for key in _LAUNCHABLE):
        return True
    is_missing = conflict.missing and conflict.keys[0] not in settings
    if is_missing or judged.command is None:
        return False
    return len(culprits) > 1


def _problem(conflict: Conflict, culprits: list[Setting], judged: JudgedSnippet) -> Problem:
    missing = conflict.keys[0]
    is_missing = conflict.missing and all(setting.key != missing for setting in culprits)
    last = culprits[-1] if culprits else None
    named = " and ".join(f"'{setting.key}'" for setting in culprits) or f"'{missing}'"
    verb = "do not go together" if len(culprits) > 1 else "does not go with the rest"
    if is_missing:
        named, verb = f"'{missing}'", "is missing"
    message = f"{named} {verb}: {conflict.why}, so verl {judged.release.name} {conflict.outcome}"
    key = last.key if last is not None else missing
    span = last.span if last is not None else judged.snippet.span
    return Problem(span, message, key, missing if is_missing else None)


RULE = Rule("conflicting-settings", Stage.VERL, "Settings that verl refuses together.", _check)
