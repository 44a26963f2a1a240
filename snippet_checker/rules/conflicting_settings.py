"""`conflicting-settings`: each setting is fine, and verl refuses them together."""

from __future__ import annotations

from collections.abc import Iterator

from snippet_checker.findings import Problem, Stage
from snippet_checker.hydra.resolved import Resolved
from snippet_checker.hydra.setting import Setting, Value
from snippet_checker.judge.conflicts import PROGRAMS, conflicts
from snippet_checker.judge.conflicts.checks import Conflict
from snippet_checker.judge.verdict import Refused
from snippet_checker.rules.base import Case, Rule

_LAUNCHABLE = ("data.train_files", "actor_rollout_ref.model.path")
"""Keys that a command has to set before it can train: with them it is meant whole."""


def _check(case: Case) -> Iterator[Problem]:
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
