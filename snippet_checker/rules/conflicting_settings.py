"""`conflicting-settings`: each setting is fine, and verl refuses them together."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from snippet_checker.findings import Problem, Severity, Stage
from snippet_checker.hydra.resolved import Resolved
from snippet_checker.hydra.setting import Setting, Value
from snippet_checker.judge.conflicts import PROGRAMS, conflicts
from snippet_checker.judge.conflicts.checks import Conflict
from snippet_checker.judge.fragments import is_complete
from snippet_checker.judge.verdict import Refused
from snippet_checker.rules.base import Case, Rule
from snippet_checker.snippets.snippet import Fragment

_TRAINER = "verl.trainer.main_ppo"
_LAUNCHABLE = ("data.train_files", "actor_rollout_ref.model.path")
"""Keys that a command has to set before it can train: with them it is meant whole."""


def _check(case: Case) -> Iterator[Problem]:
    if isinstance(case.snippet, Fragment):
        yield from _in_config(case.snippet, case)
        return
    tree, program = case.judgement.tree, case.module
    verdicts = case.judgement.verdicts
    if tree is None or program not in PROGRAMS or any(case.of(Refused)):
        return
    settings = {verdict.setting.key: verdict.setting for verdict in verdicts}
    unknown = [s.key for s in settings.values() if s.value is Value.UNKNOWN or not s.sure]
    for conflict in conflicts(Resolved(tree, unknown), case.release.name, program):
        culprits = [settings[key] for key in conflict.keys if key in settings]
        own = case.surroundings.own_checks
        if own.lack(conflict.refusal, conflict.keys, conflict.files, case.release):
            continue  # the project's copy of verl takes them
        if _is_meant(conflict, culprits, settings, case):
            yield _problem(conflict, culprits, case)


def _in_config(config: Fragment, case: Case) -> Iterator[Problem]:
    """What a whole config of a project's own sets against itself, laid over verl's.

    What it leaves to the commands that start from it is none of that, and they may set something
    else than it does: it is a warning.
    """
    names = {setting.key for setting in config.settings}
    primary = case.release.entry(_TRAINER)
    if primary is None or not config.is_config or "defaults" in names or not is_complete(config):
        return
    tree, unknown = case.release.tree(primary), []
    settings = {setting.key: setting for setting in config.settings}
    for key, setting in settings.items():
        if setting.value is Value.UNKNOWN or "${" in str(setting.value):
            unknown.append(key)
        else:
            tree.apply(setting)
    for conflict in conflicts(Resolved(tree, unknown), case.release.name, _TRAINER):
        culprits = [settings[key] for key in conflict.keys if key in settings]
        is_said = not conflict.missing and len(culprits) == len(conflict.keys) > 1
        own = case.surroundings.own_checks
        if not is_said or own.lack(conflict.refusal, conflict.keys, conflict.files, case.release):
            continue
        yield replace(_problem(conflict, culprits, case), severity=Severity.WARNING)


def _is_meant(
    conflict: Conflict, culprits: list[Setting], settings: dict[str, Setting], case: Case
) -> bool:
    """Whether the command itself is wrong: an example that leaves settings out is not."""
    if all(key in settings for key in _LAUNCHABLE):
        return True
    is_missing = conflict.missing and conflict.keys[0] not in settings
    if is_missing or case.command is None:
        return False
    return len(culprits) > 1


def _problem(conflict: Conflict, culprits: list[Setting], case: Case) -> Problem:
    missing = conflict.keys[0]
    is_missing = conflict.missing and all(setting.key != missing for setting in culprits)
    last = culprits[-1] if culprits else None
    named = " and ".join(f"'{setting.key}'" for setting in culprits) or f"'{missing}'"
    verb = "do not go together" if len(culprits) > 1 else "does not go with the rest"
    if is_missing:
        named, verb = f"'{missing}'", "is missing"
    message = f"{named} {verb}: {conflict.why}, so verl {case.release.name} {conflict.outcome}"
    key = last.key if last is not None else missing
    span = last.span if last is not None else case.snippet.span
    stage = Stage.SILENT if conflict.goes_on else None
    return Problem(span, message, key, missing if is_missing else None, stage)


RULE = Rule("conflicting-settings", Stage.VERL, "Settings that verl refuses together.", _check)
