"""`deprecated-key`: verl still takes the key, and says that it will not for long."""

from __future__ import annotations

from collections.abc import Iterator

from snippet_checker.findings import Problem, Severity, Stage
from snippet_checker.rules.advice import new_key
from snippet_checker.rules.base import JudgedSnippet, Rule, unreviewed_note
from snippet_checker.rules.conflicting_settings import may_stop
from snippet_checker.verl import lifecycle


def _check(judged: JudgedSnippet) -> Iterator[Problem]:
    release = judged.release
    for verdict in judged.changed_settings():
        key = verdict.keys[0]
        note = lifecycle.deprecated(key, release.name)
        if note is None or lifecycle.ineffective(key, release.name, judged.module) is not None:
            continue
        named = note.replacement(key, release)
        copy = judged.project.copy_configs
        if named is not None and copy.has_only_old_name(key, named, release):
            continue
        if not note.stops and judged.project.code.reads_without_verl(key):
            continue
        successor = judged.key_if_settable(named)
        if not note.is_reviewed(release.name):
            problem = unreviewed_note(judged, verdict.setting, "is deprecated", note)
            yield from judged.unless_explained(problem, successor)
            continue
        message = f"'{key}' is deprecated in verl {release.name}: {note.why}"
        message += f"; set '{successor}'" if successor else ""
        change = new_key(verdict.setting, successor) if not note.other_value else None
        stage = Stage.VERL if note.stops and may_stop(judged, key) else None
        problem = Problem(verdict.setting.span, message, key, successor, stage, change=change)
        yield from judged.unless_explained(problem, successor)


RULE = Rule(
    "deprecated-key",
    Stage.SILENT,
    "A key that verl is about to drop.",
    _check,
    Severity.WARNING,
)
