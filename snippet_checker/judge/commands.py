"""Whole launch commands, judged as Hydra judges them: config groups first, then one by one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property, partial

from msgspec import Struct
from msgspec.structs import replace

from snippet_checker.hydra.compose import GroupChoices
from snippet_checker.hydra.composed_config import ComposedConfig, Status, dotted_keys
from snippet_checker.hydra.defaults_list import CompositionError, UnknownConfig, UnusedChoice
from snippet_checker.hydra.setting import Operator, Setting, Value, mappings_around
from snippet_checker.judge import hydra_node
from snippet_checker.judge.context import Context
from snippet_checker.judge.diagnosis import (
    APPENDING,
    KeyContext,
    appended,
    diagnose,
    is_another_programs,
    is_read_where_new,
)
from snippet_checker.judge.evidence import apply_evidence, is_only_in_outdated_copy
from snippet_checker.judge.group_choices import choose_groups
from snippet_checker.judge.own_code import brings_own_code
from snippet_checker.judge.subject import Basis, Subject
from snippet_checker.judge.verdict import (
    Accepted,
    DeadAppend,
    Gap,
    Misplaced,
    Missing,
    NeedsPlus,
    OtherChoice,
    Overwritten,
    Unjudged,
    Unknown,
    Verdict,
    of_status,
    within_budget,
)
from snippet_checker.snippets.snippet import Command
from snippet_checker.suggest import own_keys
from snippet_checker.suggest.candidates import is_listed, is_other_name, suggest
from snippet_checker.suggest.key_paths import SHARED_ROOT
from snippet_checker.suggest.likeness import is_misspelled
from snippet_checker.verl import drift, lifecycle
from snippet_checker.verl.keyspace import KeySpace
from snippet_checker.verl.release import Primary, Release
from snippet_checker.work import Budget, Work

_STEPS_FOR_A_COMMAND = 2_500
_GENERATING = "generation"  # programs that start from the trainer's config, and read more


def judge_command(
    command: Command, primary: Primary, subject: Subject, work: Work
) -> tuple[tuple[Verdict, ...], ComposedConfig | None]:
    """Compose the config groups that a command chooses, then apply its overrides in turn.

    Returns a verdict for each setting, and the config, if every choice of groups is known.
    Raises CompositionError where the config itself is refused, whatever is chosen.
    """
    extended = command.searches_further
    chosen, config, all_known = _choose_groups(command, primary, subject, work)
    of_hydra = hydra_node.judge(command.settings, work, is_open=extended)
    certain = all_known and not command.elided and not extended
    composed = _Composed(command, primary, subject, config.copy(), certain)
    work.judging.count(_STEPS_FOR_A_COMMAND)
    judged = chosen | of_hydra
    override = partial(_override, composed=composed, config=config, budget=work.judging)
    verdicts = tuple(
        judged[number] if number in judged else within_budget(setting, override, work)
        for number, setting in enumerate(command.settings)
    )
    return verdicts, config if certain else None


class _Composed(Struct, frozen=True, dict=True):
    """A command before its overrides: `config` is the config that its groups composed.

    Keys may be missing there where not every choice of config groups is known (not `certain`).
    """

    command: Command
    primary: Primary
    subject: Subject
    config: ComposedConfig
    certain: bool

    @property
    def release(self) -> Release:
        return self.subject.release

    @cached_property
    def extended(self) -> bool:
        """Whether it takes in configs of which nothing is known."""
        return self.command.searches_further

    @cached_property
    def values(self) -> Mapping[str, object]:
        """What the command sets, by key."""
        return {setting.key: setting.value for setting in self.command.settings}

    @cached_property
    def keys(self) -> frozenset[str]:
        """All keys that the command sets."""
        return frozenset(self.values)

    @property
    def key_context(self) -> KeyContext:
        own = self.command.starts_project_program
        return KeyContext(self.release, self.space, self.config, self.keys, own)

    @property
    def space(self) -> KeySpace:
        return self.release.space(self.primary)

    @cached_property
    def _brings_own_code(self) -> bool:
        return brings_own_code(self.command)

    def is_read_elsewhere(self, key: str) -> bool:
        """Whether code of the user's own may read a key."""
        return self._brings_own_code and not is_only_in_outdated_copy(key, self.subject)

    def sets(self, key: str, value: str) -> bool:
        """Whether the command, or else its config, sets a key to a word."""
        return bool(self.values.get(key, self.config.value(key)) == value)


def _choose_groups(
    command: Command, primary: Primary, subject: Subject, work: Work
) -> tuple[dict[int, Verdict], ComposedConfig, bool]:
    """The verdicts on choices of config groups, what they compose, and whether all are known."""

    def beyond(error: CompositionError) -> Gap | None:
        is_missing = isinstance(error, UnknownConfig | UnusedChoice)
        return Gap.OTHER_PROGRAM if is_missing and command.searches_further else None

    release = subject.release
    settings, compose = dict(enumerate(command.settings)), partial(release.composed, primary)
    return choose_groups(settings, release.composer(primary), compose, beyond, work.judging)


def _override(
    setting: Setting, composed: _Composed, config: ComposedConfig, budget: Budget
) -> Verdict:
    """The verdict on one override, which is applied to `config`."""
    key = setting.key
    is_new = not config.has(key)
    before = config.steps
    status = config.apply(setting)
    budget.count(config.steps - before)
    if status is Status.MISSING:
        return _missing(setting, composed)
    if status is Status.PRESENT and not setting.sure and not composed.config.has(key):
        # Another branch of the script appends the same key.
        return Accepted(setting)
    is_mapping = isinstance(composed.config.value(key), dict)
    if status is Status.PRESENT and setting.value is Value.UNKNOWN and is_mapping:
        return Unjudged(setting, Gap.LAUNCH)  # Hydra merges a mapping there
    if status is Status.ACCEPTED and isinstance(setting.value, dict):
        return _appended_inside(setting, composed) or Accepted(setting, (key,))
    around = map(config.value, mappings_around(key))
    is_new = is_new and not any(isinstance(value, list) for value in around)
    if status is Status.ACCEPTED and is_new and setting.operator in APPENDING:
        if composed.extended and key not in composed.release.all_keys:
            return Unjudged(setting, Gap.OTHER_PROGRAM)
        return _appended(setting, composed)
    return of_status(setting, status, (key,))


def _appended(setting: Setting, composed: _Composed) -> Verdict:
    """The verdict on a key that is new to the config."""
    release, key = composed.release, setting.key
    own = (node for node in mappings_around(key) if node not in release.all_keys)
    if any(map(composed.config.has, own)):
        return Accepted(setting, (key,))  # in a mapping that the project's own config has added
    command, module = composed.command, release.entry_module(composed.command.entry)
    if not command.starts_project_program and lifecycle.is_read_besides(key, release.name, module):
        return Accepted(setting, (key,))
    is_read = composed.is_read_elsewhere(key)
    return appended(setting, key, composed.key_context, composed.space, read_elsewhere=is_read)


def _appended_inside(setting: Setting, composed: _Composed) -> Verdict | None:
    """The verdict on the first key inside a mapping that verl refuses or never reads."""
    verdicts = (_appended(inner, composed) for inner in _new_inside(setting, composed.config))
    return next((verdict for verdict in verdicts if not isinstance(verdict, Accepted)), None)


def _missing(setting: Setting, composed: _Composed) -> Verdict:
    """The verdict on a key that the config has not."""
    key, release = setting.key, composed.release
    if not composed.certain and key in composed.space:
        return Unjudged(setting, Gap.LAUNCH)
    if composed.extended and not is_misspelled(key, release):
        return Unjudged(setting, Gap.OTHER_PROGRAM)
    if composed.config.has(key) and not isinstance(setting.value, dict):
        return Overwritten(setting)
    if _GENERATING in composed.command.entry and is_another_programs(key, release):
        return NeedsPlus(setting, (key,))
    verdict = _explained(setting, composed)
    if isinstance(verdict, Missing) and verdict.candidates:
        meant = (drift.in_command(c, composed.sets) for c in verdict.candidates)
        verdict = replace(verdict, candidates=tuple(key for key in meant if key is not None))
    return verdict


def judge_foreign_command(
    command: Command, release: Release, work: Work, context: Context
) -> Iterator[Verdict]:
    """A command whose program or config is not verl's own, but may extend verl's.

    What verl has can be confirmed. Where the command is about verl's config at all, a name that is
    known drift, or a misspelling, is wrong there too.
    """
    hydras = hydra_node.judge(command.settings, work, is_open=True)
    keys = [setting.key for setting in command.settings]
    verls = sum(key in release.all_keys for key in keys)
    extends_verl = 2 * verls > len(keys) or any(key.startswith(f"{SHARED_ROOT}.") for key in keys)

    subject = Subject(Basis.FOREIGN, command, release, context)

    def judged(setting: Setting) -> Verdict:
        key = setting.key
        if extends_verl and key not in release.all_keys and is_misspelled(key, release):
            found = apply_evidence(diagnose(setting, key, KeyContext(release)), key, subject)
            if setting.operator in APPENDING and isinstance(found, Missing):  # Hydra takes it
                refusing = (space.refusing_class(key) for space in release.spaces)
                return DeadAppend(setting, next(filter(None, refusing), None), found.candidates)
            return found
        known = key in release.keys and setting.operator is not Operator.ADD
        return Accepted(setting) if known else Unjudged(setting, Gap.OTHER_PROGRAM)

    for number, setting in enumerate(command.settings):
        yield hydras[number] if number in hydras else within_budget(setting, judged, work)


def _explained(setting: Setting, composed: _Composed) -> Verdict:
    """Why the config that a command composes has no such key."""
    release, config, space = composed.release, composed.config, composed.space
    if isinstance(setting.value, dict) and config.has(setting.key):
        setting = next(_new_inside(setting, config), setting)
    key, within = setting.key, tuple(config.dotted_keys())
    if key in space and not config.has(key):
        choice = _choice_with(key, release, composed.primary, composed.keys)
        if choice is not None:
            return OtherChoice(setting, (choice,), choice)
        found = suggest(key, release, within, setting.value)
        return OtherChoice(setting, tuple(one for one in found if config.has(one)))
    if space.refusing_class(key, config) is not None and key in space.declared:
        return OtherChoice(setting, suggest(key, release, within, setting.value))
    is_open = composed.primary.is_project_config and _lies_in_open(key, release, config)
    if is_open or _may_be_appended(key, release, space, config):
        return NeedsPlus(setting, (key,))
    verdict = diagnose(setting, key, composed.key_context)
    if not composed.primary.is_project_config:
        return verdict
    is_unknown = isinstance(verdict, Unknown | Misplaced)
    if is_unknown and (meant := own_keys.closest_own_key(key, within, release)) is not None:
        return replace(verdict, candidates=(meant,))
    candidates = tuple(_without_needless_plus(one, config) for one in verdict.candidates)
    return replace(verdict, candidates=candidates)


def _without_needless_plus(candidate: str, config: ComposedConfig) -> str:
    """A key that verl takes with a plus only, as it is set where a project's config has it."""
    key = candidate.lstrip("+")
    return key if config.has(key) else candidate


def _may_be_appended(key: str, release: Release, space: KeySpace, config: ComposedConfig) -> bool:
    """Whether `+` brings in a key that something in verl reads, and nothing in verl refuses.

    What the config of this very command is built into decides, not what another choice of config
    groups has; and a misspelling does not become a key by a plus.
    """
    refused = space.refusing_class(key, config) is not None
    if refused or drift.moved(key) is not None or is_misspelled(key, release):
        return False
    if space.accepts_appended(key):
        is_field = key in space.declared
        is_wrong = is_listed(key, release)
        is_anothers = not is_field and is_other_name(key, release)
        return config.has(space.nearest(key)) and not (is_wrong or is_anothers)
    return is_read_where_new(key, release, config)


def _lies_in_open(key: str, release: Release, config: ComposedConfig) -> bool:
    """Whether a project's config has a mapping whose keys verl hands on, with some of its own."""
    parent = key.rpartition(".")[0]
    is_there = release.has_key(parent) and isinstance(config.value(parent), dict)
    return is_there and release.accepts_appended(key) and not is_misspelled(key, release)


def _new_inside(setting: Setting, config: ComposedConfig) -> Iterator[Setting]:
    """The settings inside a mapping that is set whole whose keys are not there."""
    for inner in dotted_keys(setting.value):
        if not config.has(f"{setting.key}.{inner}"):
            yield replace(setting, key=f"{setting.key}.{inner}")


def _choice_with(
    key: str, release: Release, primary: Primary, beside: frozenset[str]
) -> str | None:
    """A choice of one config group that brings `key` in: the default, if another one lacks it.

    A choice does not count that takes away what the command sets beside it, or that lies inside
    another group's option: it would be of another engine.
    """
    composer = release.composer(primary)
    default_config = release.composed(primary)
    by_default = default_config.has(key)
    for group, option in composer.other_choices(primary.config_name):
        try:
            config = release.composed(primary, GroupChoices(chosen={group: option}))
        except CompositionError:
            continue
        if config.has(key) is by_default:
            continue
        kept, lost = (default_config, config) if by_default else (config, default_config)
        if not any(lost.has(one) and not kept.has(one) for one in beside):
            default = composer.group_keys(primary.config_name)[group]
            return f"{group}={default if by_default else option}"
    return None
