"""The rules that follow from one verdict each: what becomes of the setting, said in a sentence."""

from __future__ import annotations

from snippet_checker.findings import Problem, Stage
from snippet_checker.hydra.setting import Operator
from snippet_checker.hydra.tree import Status
from snippet_checker.judge import other_programs
from snippet_checker.judge.verdict import (
    AlreadyThere,
    DeadAppend,
    Future,
    Misplaced,
    Missing,
    NotAGroup,
    NotApplicable,
    OtherChoice,
    OtherProgram,
    TakenAway,
    Unknown,
    UnknownGroup,
    UnknownOption,
)
from snippet_checker.rules.base import Case, FromVerdicts, Rule, best, did_you_mean


def _with_guess(
    verdict: Missing | DeadAppend | UnknownGroup, message: str, stage: Stage | None = None
) -> Problem:
    """The problem of a key, with what may have been meant."""
    setting, candidates = verdict.setting, verdict.candidates
    message += did_you_mean(candidates)
    return Problem(setting.span, message, setting.key, best(candidates), stage)


def _unknown(verdict: Unknown, case: Case) -> Problem | None:
    key = verdict.setting.key
    if _is_another_programs(key, verdict, case):
        return None
    message = f"'{key}' is not a key of verl {case.release.name}, nor of any other release"
    if case.starts_from_own_config:
        message = (
            f"'{key}' is neither a key of verl {case.release.name} nor of this project's config"
        )
    return _with_guess(verdict, message)


def _is_another_programs(key: str, verdict: Unknown, case: Case) -> bool:
    """Whether running text says that a name without dots is another program's."""
    if case.mentions is None or "." in key:
        return False
    return other_programs.is_another_programs(case.snippet.block, verdict.setting.span)


def _other_choice(verdict: OtherChoice, _: Case) -> Problem:
    key = verdict.setting.key
    choice = f"'{verdict.choice}'" if verdict.choice else "another choice of config groups"
    message = f"'{key}' is there with {choice} only, so Hydra refuses it here"
    if verdict.choice is None:
        message += did_you_mean(verdict.candidates)
    return Problem(verdict.setting.span, message, key, best(verdict.candidates))


def _future(verdict: Future, case: Case) -> Problem:
    key = verdict.setting.key
    message = f"'{key}' comes with verl {verdict.first}; {case.release.name} does not have it yet"
    return _with_guess(verdict, message)


def _misplaced(verdict: Misplaced, case: Case) -> Problem:
    key = verdict.setting.key
    parent, _, leaf = key.rpartition(".")
    message = (
        f"'{key}' is not a key of verl {case.release.name}, nor of any other release: "
        f"'{leaf}' does not stand under '{parent}'"
    )
    if verdict.candidates:
        places = " or ".join(f"'{candidate}'" for candidate in verdict.candidates)
        message += f"; there is {places}"
    return Problem(verdict.setting.span, message, key, best(verdict.candidates))


def _other_program(verdict: OtherProgram, _: Case) -> Problem:
    key = verdict.setting.key
    message = f"'{key}' is a key of '{verdict.config}', which is not what this starts"
    return _with_guess(verdict, message)


def _already_there(verdict: AlreadyThere, _: Case) -> Problem:
    key = verdict.setting.key
    message = f"'{key}' is there already, so Hydra refuses to append it: leave out the plus"
    return Problem(verdict.setting.span, message, key, key)


def _dead_append(verdict: DeadAppend, case: Case) -> Problem:
    key = verdict.setting.key
    verl = f"verl {case.release.name}"
    reason, stage = f"{verl} never reads it", None
    if verdict.refused_by is not None:
        reason = f"{verdict.refused_by}, which {verl} builds there, has no such field"
        stage = Stage.VERL
    return _with_guess(verdict, f"Hydra appends '{key}', but {reason}", stage)


def _unknown_group(verdict: UnknownGroup, case: Case) -> Problem:
    key, package = verdict.setting.key, verdict.setting.package
    group = key if package is None else f"{key}@{package}"
    message = f"no defaults list of verl {case.release.name} chooses the group '{group}' here"
    return _with_guess(verdict, message)


def _not_a_group(verdict: NotAGroup, _: Case) -> Problem:
    key = verdict.setting.key
    message = f"'{key}@…' reads as a config group, and verl has no group '{key}'"
    return Problem(verdict.setting.span, message, key)


def _unknown_option(verdict: UnknownOption, _: Case) -> Problem:
    setting = verdict.setting
    options = ", ".join(sorted(verdict.candidates))
    message = f"the config group '{setting.key}' has no option '{setting.value}'; it has {options}"
    span = setting.value_span or setting.span
    return Problem(span, message, setting.key, best(verdict.candidates))


_REASONS = {
    Status.NOTHING_TO_DELETE: "there is nothing at '{key}' to delete",
    Status.OTHER_VALUE: "'{key}' has another value, so Hydra does not delete it",
    Status.REFUSED: "Hydra cannot apply this to '{key}'",
}
_TAKEN_AWAY = "an earlier override of this command replaced what holds '{key}'"


def _refused(verdict: NotApplicable | TakenAway, _: Case) -> Problem:
    setting = verdict.setting
    reason = _TAKEN_AWAY if isinstance(verdict, TakenAway) else _REASONS[verdict.status]
    message = reason.format(key=setting.key)
    if setting.operator is Operator.FORCE:
        message += ": '++' does not choose a config group"
    return Problem(setting.span, message, setting.key)


RULES = (
    Rule(
        "unknown-key",
        Stage.HYDRA,
        "A key that no release has, or that is there only with other config groups.",
        FromVerdicts({Unknown: _unknown, OtherChoice: _other_choice}),
    ),
    Rule(
        "future-key",
        Stage.HYDRA,
        "A key that only later releases have.",
        FromVerdicts({Future: _future}),
    ),
    Rule(
        "misplaced-root",
        Stage.HYDRA,
        "A real name under a parent that does not have it.",
        FromVerdicts({Misplaced: _misplaced, OtherProgram: _other_program}),
    ),
    Rule(
        "needless-plus",
        Stage.HYDRA,
        "A `+` before a key that is there.",
        FromVerdicts({AlreadyThere: _already_there}),
    ),
    Rule(
        "dead-append",
        Stage.SILENT,
        "A `+` that verl refuses later, or never reads.",
        FromVerdicts({DeadAppend: _dead_append}),
    ),
    Rule(
        "unknown-group",
        Stage.HYDRA,
        "A config group that cannot be chosen under this name.",
        FromVerdicts({UnknownGroup: _unknown_group, NotAGroup: _not_a_group}),
    ),
    Rule(
        "unknown-option",
        Stage.HYDRA,
        "An option that a config group does not have.",
        FromVerdicts({UnknownOption: _unknown_option}),
    ),
    Rule(
        "refused-override",
        Stage.HYDRA,
        "An override that Hydra reads and cannot apply.",
        FromVerdicts({NotApplicable: _refused, TakenAway: _refused}),
    ),
)
