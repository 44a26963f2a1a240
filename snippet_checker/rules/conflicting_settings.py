"""`conflicting-settings`: each setting is fine, and verl refuses them together."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial

from msgspec import Struct
from msgspec.structs import replace

from snippet_checker.findings import CONFLICTS, Problem, Severity, Stage
from snippet_checker.hydra.composed_config import ComposedConfig
from snippet_checker.hydra.resolved import Resolved
from snippet_checker.hydra.setting import Operator, Setting, Value
from snippet_checker.judge.conflicts import Applicability, conflicts, programs
from snippet_checker.judge.conflicts.checks import Check, ConfigValues, Conflict
from snippet_checker.judge.conflicts.reached import (
    deciding_keys,
    is_by_worker,
    is_reached,
    starts_workers,
)
from snippet_checker.judge.subject import is_complete
from snippet_checker.judge.verdict import (
    AlreadyThere,
    Misplaced,
    Missing,
    OtherProgram,
    Refused,
    Removed,
)
from snippet_checker.projects.own_checks import OwnCheck
from snippet_checker.projects.refusals import VerlsCheck
from snippet_checker.rules.base import JudgedSnippet, Rule
from snippet_checker.snippets.snippet import Command, Fragment
from snippet_checker.verl.release import Release
from snippet_checker.verl.values import is_placeholder

_TRAINER = "verl.trainer.main_ppo"
_EVALUATION = "verl.trainer.main_eval"
_DATA = "data.train_files"
_MODELS = ("actor_rollout_ref.model.path", "model.path", "model.partial_pretrain")
"""Keys that a command has to set before it can train: with them it is meant whole."""
_TRAINERS_KEYS = (
    "actor_rollout_ref.actor.ppo_mini_batch_size",
    "actor_rollout_ref.rollout.n",
    "algorithm.adv_estimator",
    "data.train_batch_size",
    "trainer.n_gpus_per_node",
)
"""Keys that say that a config is verl's trainer's."""
_ANSWERS = "actor_rollout_ref.rollout.n"
_NUMBERS_OF_ANSWERS = frozenset({"n", "n_agent", "group_size"})


def _check(judged: JudgedSnippet) -> Iterator[Problem]:
    if isinstance(judged.snippet, Fragment):
        yield from _in_config(judged.snippet, judged)
        return
    config = judged.config_as_run
    if config is None:
        return
    known = _resolved_config(config, judged)
    find = _finder(judged, config, known)
    if find is None:
        return
    refused = [*judged.verdicts_of(Refused)]
    settings = _settings(judged)
    mistaken = [one for one in refused if not judged.is_of_outdated_copy(one.setting.key)]
    mended = _mended(config, mistaken) if refused else None
    found = find(_resolved_config(mended, judged)) if mended else ()
    left = {conflict.keys for conflict in found}
    is_whole = _is_whole(judged, config, settings)
    for conflict in find(known):
        if refused and conflict.keys not in left and not _stays_when_mended(refused, conflict):
            continue
        culprits = [settings[key] for key in conflict.keys if key in settings]
        if conflict.only_unsaid and not _is_unset_switch(conflict, culprits, settings, judged):
            continue
        if conflict.keys[0] == _ANSWERS and _repeats_elsewhere(judged):
            continue
        is_wrong = is_whole or _is_wrong_itself(conflict, culprits, settings, judged)
        if is_wrong and not _is_taken_by_copy(conflict, judged, known):
            yield _problem(conflict, culprits, known, judged)


def _is_whole(
    judged: JudgedSnippet, config: ComposedConfig, settings: Mapping[str, Setting]
) -> bool:
    """Whether a command says all that a run needs: its data and its model."""
    if judged.module == _EVALUATION and "data.path" in settings:
        return True

    def is_said(key: str) -> bool:
        return key in settings or _is_set_by_project_config(key, config, judged)

    return (is_said(_DATA) or _gives_data(judged)) and any(map(is_said, _MODELS))


def _repeats_elsewhere(judged: JudgedSnippet) -> bool:
    """Whether a key of the project's own says how many answers a prompt gets: `env.rollout.n`."""
    return any(
        one.key.rpartition(".")[2] in _NUMBERS_OF_ANSWERS
        and one.key not in judged.release.all_keys
        and (not isinstance(one.value, int) or one.value > 1)
        for one in judged.snippet.settings
    )


def _gives_data(judged: JudgedSnippet) -> bool:
    """Whether a program of the project's own has its data without a setting."""
    command = judged.command
    if command is None or judged.module is not None:
        return False
    return judged.project.config_flow(command.entry, judged.release).gives_data


def _finder(
    judged: JudgedSnippet, config: ComposedConfig, known: Resolved
) -> Callable[[Resolved], Iterable[Conflict]] | None:
    """What finds the conflicts of the program that a command starts, if there are rules for it."""
    release, program = judged.release, judged.module
    copy, command = judged.project.verl_copy, judged.command
    around: frozenset[str] = frozenset()
    if command is not None and copy.is_run_from(release):
        around = copy.releases_around - {release.name}
    in_copy = partial(_is_in_copy, judged=judged, config=known)
    applicability = Applicability(releases=around, is_in_copy=in_copy)
    if program in programs():
        return partial(
            conflicts, release=release.name, program=program, applicability=applicability
        )
    if program is not None or command is None:
        return None
    if not all(config.has(key) for key in _TRAINERS_KEYS):
        return None
    own = _OwnProgram(judged, command, _words(config), known)
    applicability = replace(applicability, applies=own.meets)
    return partial(conflicts, release=release.name, program=_TRAINER, applicability=applicability)


def _is_in_copy(conflict: Conflict, *, judged: JudgedSnippet, config: Resolved) -> bool:
    """Whether the project's copy of verl comes to a check of another release."""
    return judged.project.verl_copy.has_check(_verls_check(conflict, config), judged.release)


def _verls_check(conflict: Conflict, config: Resolved) -> VerlsCheck:
    return VerlsCheck(conflict.refusal, conflict.keys, config.value)


class _OwnProgram(Struct, frozen=True):
    """A program of a project's own that a command starts, and what its config comes to."""

    judged: JudgedSnippet
    command: Command
    words: frozenset[str]
    config: Resolved

    def meets(self, check: Check, conflict: Conflict) -> bool:
        """Whether the program hands its config, as it is, to a check.

        That is verl's, or stands in code of the project's own as it stands in verl's.
        """
        release = self.judged.release
        flow = self.judged.project.config_flow(self.command.entry, release)
        if any(map(flow.may_change, deciding_keys(conflict))):
            return False
        names = flow.names(self.words)
        if is_reached(check, conflict, release.name, names):
            return True
        if not check.refusal or check.training_only:
            return False
        found = flow.own_checks(self.words, called=not is_by_worker(check))
        is_started = starts_workers(names) or not is_by_worker(check)
        return is_started and any(
            _is_verls_check(one, check, conflict, self.config) for one in found
        )


def _is_verls_check(own: OwnCheck, check: Check, conflict: Conflict, config: Resolved) -> bool:
    """Whether a check of a project's own is verl's, and stands beside the names of the keys."""
    if not _verls_check(conflict, config).is_in(own.refused):
        return False
    for key in conflict.keys[:1] if conflict.missing else conflict.keys:
        *_, parent, leaf = key.split(".")
        if is_by_worker(check) and parent == "trainer":
            continue  # a worker knows how many there are
        if not {leaf, leaf.removesuffix("_per_gpu")} & own.names or parent not in own.names:
            return False
    return True


def _words(config: ComposedConfig) -> frozenset[str]:
    values = (config.value(key) for key in config.dotted_keys())
    return frozenset(value for value in values if isinstance(value, str))


def _is_set_by_project_config(key: str, config: ComposedConfig, judged: JudgedSnippet) -> bool:
    """Whether a config of the project's own says something else than verl's."""
    value = config.value(key)
    known = isinstance(value, str) and not is_placeholder(value)
    return judged.starts_from_project_config and known and value not in judged.release.defaults(key)


def may_stop(judged: JudgedSnippet, key: str) -> bool:
    """Whether a setting may be one that verl refuses: in a command, beside the others there."""
    config = judged.config_as_run
    if config is None or judged.module is None:
        return True
    known = _resolved_config(config, judged)
    find = _finder(judged, config, known)
    if find is None:
        return True
    return any(key in one.keys for one in find(known) if not one.only_unsaid)


def _settings(judged: JudgedSnippet) -> dict[str, Setting]:
    return {verdict.setting.key: verdict.setting for verdict in judged.judgement.verdicts}


def _resolved_config(config: ComposedConfig, judged: JudgedSnippet) -> Resolved:
    """What a command's config comes to, as far as the text says."""
    settings = _settings(judged).values()
    unknown = [s.key for s in settings if s.value is Value.UNKNOWN or not s.sure]
    tails = {s.key: s.tail for s in settings if s.tail is not None and s.sure}
    return Resolved(config, unknown, tails)


def _mended(config: ComposedConfig, refused: Sequence[Refused]) -> ComposedConfig | None:
    """The config with what is to be set instead of the keys that Hydra refuses.

    None where it refuses anything else, which may be meant for any other key: what is known is
    where a key went, that it has its name in another place or program, or that it is there.
    """
    mended = config.copy()
    for one in refused:
        key = _instead(one)
        if key is None:
            return None
        if key:
            setting = replace(one.setting, key=key.lstrip("+"), operator=Operator.SET)
            mended.apply(setting)
    return mended


def _instead(refused: Refused) -> str | None:
    """The key to set instead: empty if the setting goes, None if that is not known."""
    match refused:
        case AlreadyThere(setting=setting):
            return setting.key
        case Misplaced(setting=setting, candidates=(first, *_)):
            return first if _leaf(first) == _leaf(setting.key) else None
        case Removed(candidates=candidates) | OtherProgram(candidates=candidates):
            return next(iter(candidates), "")
    return None


def _leaf(key: str) -> str:
    return key.rpartition(".")[2]


def _stays_when_mended(refused: Sequence[Refused], conflict: Conflict) -> bool:
    """Whether it stays when what Hydra refuses is fixed."""
    return conflict.anyhow and all(_is_unrelated(one, conflict.keys[0]) for one in refused)


def _is_unrelated(refused: Refused, key: str) -> bool:
    """Whether a setting was not meant to be the key, nor to choose which keys there are."""
    match refused:
        case Missing(candidates=candidates):
            return key not in candidates
        case AlreadyThere(setting=setting):
            return setting.key != key
    return False


def _in_config(fragment: Fragment, judged: JudgedSnippet) -> Iterator[Problem]:
    """What a whole config of a project's own sets against itself, laid over verl's.

    What it leaves to the commands that start from it is none of that, and they may set something
    else than it does: it is a warning.
    """
    extends = any(setting.key == "defaults" for setting in fragment.settings)
    primary = judged.judgement.primary
    if primary is None or primary != judged.release.entry(_TRAINER):
        return  # of another program, or of none
    is_trainers = fragment.is_config and judged.module in (None, _TRAINER)
    if not is_trainers or extends or not is_complete(fragment):
        return
    config, unknown = judged.release.composed(primary), []
    settings = {setting.key: setting for setting in fragment.settings}
    for key, setting in settings.items():
        is_open = setting.value is Value.UNKNOWN or "${" in str(setting.value)
        if is_open or isinstance(config.value(key), dict):  # where OmegaConf would be asked
            unknown.append(key)
        else:
            config.apply(setting)
    known = Resolved(config, unknown)
    for conflict in conflicts(known, judged.release.name, _TRAINER):
        culprits = [settings[key] for key in conflict.keys if key in settings]
        is_said = not conflict.missing and len(culprits) == len(conflict.keys) > 1
        if is_said and not _is_taken_by_copy(conflict, judged, known):
            problem = _problem(conflict, culprits, known, judged)
            yield replace(problem, severity=Severity.WARNING)


def _is_taken_by_copy(conflict: Conflict, judged: JudgedSnippet, config: Resolved) -> bool:
    """Whether the project's copy of verl takes the settings together."""
    copy, where = judged.project.verl_copy, conflict.files
    if conflict.unread is not None and copy.reads_in(where, conflict.unread):
        return True
    if conflict.unlisted is not None and copy.names_in(where, conflict.unlisted):
        return True
    if conflict.made is not None and _goes_around(conflict.made, judged):
        return True
    return copy.lacks_check(_verls_check(conflict, config), where, judged.release)


def _goes_around(made: str, judged: JudgedSnippet) -> bool:
    """Whether a setting of the copy's own, which is not off, decides that its trainer makes it."""
    project = judged.project
    return any(
        one.value not in (False, None)
        and project.copy_configs.adds_key(one.key, judged.release)
        and project.verl_copy.asks_before(made, one.key)
        for one in judged.snippet.settings
    )


def _is_unset_switch(
    conflict: Conflict, culprits: list[Setting], settings: dict[str, Setting], judged: JudgedSnippet
) -> bool:
    """Whether something is set that counts with the first key only, and nobody set that."""
    is_unsaid = conflict.keys[0] not in settings and not judged.starts_from_project_config
    return is_unsaid and bool(culprits)


def _is_wrong_itself(
    conflict: Conflict, culprits: list[Setting], settings: dict[str, Setting], judged: JudgedSnippet
) -> bool:
    """Whether the command itself is wrong: an example that leaves settings out is not."""
    is_missing = conflict.missing and conflict.keys[0] not in settings
    if is_missing or judged.command is None:
        return False
    return len(culprits) > 1


def _problem(
    conflict: Conflict, culprits: list[Setting], config: Resolved, judged: JudgedSnippet
) -> Problem:
    missing = conflict.keys[0]
    is_missing = conflict.missing and all(setting.key != missing for setting in culprits)
    last = culprits[-1] if culprits else None
    named = " and ".join(f"'{setting.key}'" for setting in culprits) or f"'{missing}'"
    verb = "do not go together" if len(culprits) > 1 else "does not go with the rest"
    if is_missing:
        named, verb = f"'{missing}'", "is missing"
    who = "this copy of verl" if conflict.refused_by_copy else f"verl {judged.release.name}"
    message = f"{named} {verb}: {conflict.why}, so {who} {conflict.outcome}"
    if not is_missing:
        message += _numbers_of_defaults(conflict, culprits, config, judged.release)
    key = last.key if last is not None else missing
    span = last.span if last is not None else judged.snippet.span
    stage = Stage.SILENT if conflict.goes_on else None
    message += f"; write {conflict.instead}" if conflict.instead else ""
    severity = Severity.WARNING if conflict.doubtful else None
    instead = conflict.instead
    if is_missing:
        needs_plus = (instead or "").startswith("+")
        instead = "+" * needs_plus + missing
    return Problem(span, message, key, instead, stage, severity=severity)


def _numbers_of_defaults(
    conflict: Conflict, culprits: list[Setting], config: Resolved, release: Release
) -> str:
    """The numbers that nobody set, and that a fix may set as well."""
    said = {setting.key for setting in culprits}
    told, values = "", ConfigValues(config)
    for key in conflict.keys:
        number = values.figure(key)
        if key not in said and number not in (None, 1) and number in release.defaults(key):
            told += f"; '{key}' is {number} by default"
    return told


RULE = Rule(CONFLICTS, Stage.VERL, "Settings that verl refuses together.", _check)
