"""The rules that follow from one verdict each: what becomes of the setting, said in a sentence."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from snippet_checker.findings import Problem, Stage
from snippet_checker.hydra.composed_config import Status
from snippet_checker.hydra.setting import Operator
from snippet_checker.judge import explained, other_programs
from snippet_checker.judge.diagnosis import is_other_measure
from snippet_checker.judge.verdict import (
    AlreadyThere,
    DeadAppend,
    Future,
    LostInCopy,
    Misplaced,
    Missing,
    NotAGroup,
    NotApplicable,
    OtherChoice,
    OtherProgram,
    Overwritten,
    Unknown,
    UnknownGroup,
    UnknownOption,
    Verdict,
)
from snippet_checker.rules.advice import Advice, advise, lacks, new_text, referred
from snippet_checker.rules.base import FromVerdicts, JudgedSnippet, Rule
from snippet_checker.suggest.likeness import name_likeness
from snippet_checker.verl import drift


def _problem(verdict: Verdict, message: str, advice: Advice, stage: Stage | None = None) -> Problem:
    setting = verdict.setting
    change = advice.change(setting, is_safe=isinstance(verdict, AlreadyThere))
    message += advice.text
    return Problem(
        setting.span, message, setting.key, advice.suggestion, stage=stage, change=change
    )


def _unknown(verdict: Unknown, judged: JudgedSnippet) -> Problem | None:
    key = verdict.setting.key
    if _is_another_programs(key, verdict, judged) or _is_called_old(verdict, judged):
        return None
    if judged.is_of_outdated_copy(key):
        return _of_outdated_copy(verdict, judged)
    if judged.starts_from_project_config:
        project = f"neither verl {judged.release.name} nor this project's config has"
        message = f"{lacks(key, judged)}, which {project}"
    elif judged.command is not None:
        message = f"{lacks(key, judged)}, which no release of verl has"
    else:
        message = f"no release of verl has '{key}'"
    message += _consequences(verdict, judged)
    advice = advise(judged, verdict.candidates, key)
    return _problem(verdict, message, advice if verdict.candidates else _unless_read(key, judged))


def _unless_read(key: str, judged: JudgedSnippet) -> Advice:
    """What becomes of a key of a command that nothing is like: it goes, unless code reads it.

    A plus helps no key that verl's own class refuses later, and below a value it would put a
    mapping in the place of that.
    """
    primary, config = judged.judgement.primary, judged.judgement.config
    if judged.command is None or primary is None or config is None:
        return Advice("")
    space = judged.release.space(primary)
    above = space.nearest(key)
    held = (space.default(above), *space.defaults(above))
    if above and not any(one is None or isinstance(one, dict) for one in held):
        return Advice(f"; leave it out: '{above}' is a value, and holds no keys")
    if space.refusing_class(key, config) is not None:
        return Advice("")
    return Advice(f"; leave it out, or append it for code of your own that reads it: '+{key}=…'")


def _of_outdated_copy(verdict: Unknown | Misplaced, judged: JudgedSnippet) -> Problem:
    key = verdict.setting.key
    message = f"{lacks(key, judged)}, which only this project's copy of verl has"
    return _for_a_person(verdict, message, judged)


def _for_a_person(
    verdict: Unknown | Misplaced | DeadAppend,
    message: str,
    judged: JudgedSnippet,
    stage: Stage | None = None,
) -> Problem:
    """A key of the project's own copy, which no fix mends: what looks like it is another setting.

    Only what is known of its name says what another release may have in its place.
    """
    setting = verdict.setting
    known = drift.meant_by(setting.key) is not None or drift.moved(setting.key) is not None
    advice = advise(judged, verdict.candidates if known else (), setting.key)
    return Problem(setting.span, message + advice.text, setting.key, advice.suggestion, stage)


def _lost_in_copy(verdict: LostInCopy, judged: JudgedSnippet) -> Problem:
    key, verl = verdict.setting.key, f"verl {judged.release.name}"
    message = f"Hydra refuses '{key}', which {verl} has, and this project's copy of verl has not"
    return _problem(verdict, message, Advice(""))


def _is_another_programs(key: str, verdict: Unknown, judged: JudgedSnippet) -> bool:
    """Whether running text says that a name without dots is another program's."""
    if judged.mentions is None or "." in key:
        return False
    return other_programs.is_another_programs(judged.snippet.block, verdict.setting.span)


def _is_called_old(verdict: Unknown | Misplaced, judged: JudgedSnippet) -> bool:
    """Whether running text names a key that nothing ever had as one not to be written any more."""
    if judged.mentions is None:
        return False
    block, span = judged.snippet.block, verdict.setting.span
    is_old = explained.is_among_old_keys(block, span)
    return is_old or explained.is_denied(block, span, verdict.candidates)


def _consequences(verdict: Missing, judged: JudgedSnippet) -> str:
    """How many keys of the command need the choice that was to be made here."""
    count = sum(_makes_choice(verdict, other.choice) for other in judged.verdicts_of(OtherChoice))
    return f"; {count} keys of this command need it" if count > 1 else ""


def _makes_choice(verdict: Missing, choice: str | None) -> bool:
    """Whether a setting in the wrong place was to choose a config group: `actor.model_engine`."""
    if choice is None or not verdict.candidates:
        return False
    group, _, option = choice.partition("=")
    return verdict.candidates[0] == group and verdict.setting.value == option


def _other_choice(verdict: OtherChoice, judged: JudgedSnippet) -> Problem | None:
    causes = (other for other in judged.verdicts_of(Missing) if not isinstance(other, OtherChoice))
    if any(_makes_choice(other, verdict.choice) for other in causes):
        return None  # it is one of the consequences of that
    key = verdict.setting.key
    choice = f"'{verdict.choice}'" if verdict.choice else "another choice of config groups"
    message = f"{lacks(key, judged)}, which is there with {choice} only"
    if verdict.choice is None:
        return _problem(verdict, message, advise(judged, verdict.candidates, verdict.setting.key))
    return Problem(verdict.setting.span, message, key, verdict.choice)  # another setting


def _future(verdict: Future, judged: JudgedSnippet) -> Problem:
    key = verdict.setting.key
    message = f"{lacks(key, judged)}, which comes with verl {verdict.first}"
    best = next(iter(verdict.candidates), None)
    measured = best is not None and is_other_measure(key, best, judged.release)
    advice = advise(judged, verdict.candidates, key, is_other_measure=measured)
    return _problem(verdict, message, advice)


def _misplaced(verdict: Misplaced, judged: JudgedSnippet) -> Problem | None:
    if _is_called_old(verdict, judged):
        return None
    if judged.is_of_outdated_copy(verdict.setting.key):
        return _of_outdated_copy(verdict, judged)
    message = f"{lacks(verdict.setting.key, judged)} in this place"
    message += _consequences(verdict, judged)
    certain, key = _certainly(verdict, judged), verdict.setting.key
    advice = advise(judged, verdict.candidates, key, certain=certain, is_misplaced=True)
    return _problem(verdict, message, advice)


def _certainly(verdict: Misplaced, judged: JudgedSnippet) -> str | None:
    """How sure it is where a key belongs: others need it there, or there alone is such an end."""
    if _consequences(verdict, judged):
        return "write"
    tail = ".".join(verdict.setting.key.split(".")[-2:])
    places = [key for key in judged.release.keys if key.endswith(f".{tail}")]
    return "write" if places and [*verdict.candidates] == places else None


def _other_program(verdict: OtherProgram, judged: JudgedSnippet) -> Problem:
    key = verdict.setting.key
    message = f"'{key}' is a key of '{verdict.config}', {_not_started(judged)}"
    there = drift.counterpart(key)
    if there is not None and verdict.candidates[:1] == (there,):
        text = f"; the program that starts has '{there}' instead, with other values"
        return _problem(verdict, message, Advice(text, there, leaves_out=True))
    return _problem(verdict, message, advise(judged, verdict.candidates, verdict.setting.key))


def _not_started(judged: JudgedSnippet) -> str:
    if judged.successor_program is not None:
        return f"from which '{judged.successor_program}' does not start"
    return "which is not what this starts"


def _already_there(verdict: AlreadyThere, judged: JudgedSnippet) -> Problem:
    key = verdict.setting.key
    if (meant := referred(key, judged)) is not None:
        message = f"Hydra refuses '{key}', since its parent refers to another key"
        return _problem(verdict, message, Advice(f"; set '{meant}'", meant))
    message = f"Hydra refuses to append '{key}', which is there already"
    if judged.successor_program is not None:
        message = f"'{judged.successor_program}' has '{key}' already"
    message += " in this project's copy of verl" if verdict.in_copy else ""
    return _problem(verdict, message, Advice("; leave out the plus", key))


def _dead_append(verdict: DeadAppend, judged: JudgedSnippet) -> Problem:
    key = verdict.setting.key
    verl = f"verl {judged.release.name}"
    reason, stage = f"nothing in {verl} reads '{key}', and no error says so", None
    if verdict.refused_by is not None:
        reason = f"{verl} stops at '{key}': {verdict.refused_by} has no such field"
        stage = Stage.VERL
    elif (owner := judged.release.owner(key)) is not None:
        reason = f"'{key}' is a key of '{owner.config_name}', {_not_started(judged)}"
        reason += ": nothing reads it, and no error says so"
    if judged.is_of_outdated_copy(key):
        reason += "; only code of this project reads it"
        return _for_a_person(verdict, reason, judged, stage)
    return _problem(verdict, reason, advise(judged, verdict.candidates, verdict.setting.key), stage)


def _unknown_group(verdict: UnknownGroup, judged: JudgedSnippet) -> Problem:
    group = verdict.setting.group_key
    message = f"no defaults list of verl {judged.release.name} chooses the group '{group}' here"
    return _problem(verdict, message, advise(judged, verdict.candidates, verdict.setting.key))


def _not_a_group(verdict: NotAGroup, _: JudgedSnippet) -> Problem:
    key = verdict.setting.key
    message = f"'{key}@…' reads as a config group, and verl has no group '{key}'"
    return _problem(verdict, message, Advice(""))


def _unknown_option(verdict: UnknownOption, _: JudgedSnippet) -> Problem:
    setting = verdict.setting
    options = ", ".join(sorted(verdict.candidates))
    message = f"the config group '{setting.key}' has no option '{setting.value}'; it has {options}"
    span = setting.value_span or setting.span
    best = verdict.later or _like(str(setting.value), verdict.candidates)
    message += f"; what it was is '{verdict.later}' now" if verdict.later is not None else ""
    return Problem(span, message, setting.key, best, change=new_text(best))


def _like(option: str, options: Sequence[str]) -> str | None:
    """The likest of the options, if it is more like than unlike."""
    likest = max(options, key=partial(name_likeness, option), default=None)
    return likest if likest is not None and name_likeness(option, likest) > 0.5 else None


_REASONS = {
    Status.NOTHING_TO_DELETE: "there is nothing at '{key}' to delete",
    Status.OTHER_VALUE: "'{key}' has another value, so Hydra does not delete it",
    Status.REFUSED: "Hydra cannot apply this to '{key}'",
}
_TAKEN_AWAY = "an earlier override of this command replaced what holds '{key}'"


def _refused(verdict: NotApplicable | Overwritten, _: JudgedSnippet) -> Problem:
    setting = verdict.setting
    reason = _TAKEN_AWAY if isinstance(verdict, Overwritten) else _REASONS[verdict.status]
    message = reason.format(key=setting.key)
    if setting.operator is Operator.FORCE:
        message += ": '++' does not choose a config group"
    return Problem(setting.span, message, setting.key)


RULES = (
    Rule(
        "unknown-key",
        Stage.HYDRA,
        "A key that no release has, or that the chosen groups or the project's copy of verl lack.",
        FromVerdicts({Unknown: _unknown, OtherChoice: _other_choice, LostInCopy: _lost_in_copy}),
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
        FromVerdicts({NotApplicable: _refused, Overwritten: _refused}),
    ),
)
