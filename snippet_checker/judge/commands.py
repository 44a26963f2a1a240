"""Whole launch commands, judged as Hydra judges them: config groups first, then one by one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from snippet_checker.hydra.compose import GroupChoices
from snippet_checker.hydra.defaults_list import CompositionError, UnknownConfig, UnusedChoice
from snippet_checker.hydra.setting import Operator, Setting, Value
from snippet_checker.hydra.tree import Status, Tree, dotted_keys
from snippet_checker.judge import hydra_node
from snippet_checker.judge.diagnosis import APPENDING, appended, diagnose, is_another_programs
from snippet_checker.judge.group_choices import choose_groups
from snippet_checker.judge.own_code import brings_own_code
from snippet_checker.judge.surroundings import Surroundings
from snippet_checker.judge.verdict import (
    Accepted,
    Gap,
    Missing,
    NeedsPlus,
    OtherChoice,
    TakenAway,
    Unjudged,
    Verdict,
    of_status,
    paid,
)
from snippet_checker.snippets.snippet import Command
from snippet_checker.suggest.candidates import is_listed, is_other_name, suggest
from snippet_checker.suggest.key_paths import SHARED_ROOT
from snippet_checker.suggest.likeness import is_slip
from snippet_checker.verl import drift, key_index
from snippet_checker.verl.keyspace import KeySpace
from snippet_checker.verl.release import Primary, Release
from snippet_checker.work import Work

_STEPS_FOR_A_COMMAND = 2_500
_GENERATING = "generation"  # programs that start from the trainer's config, and read more


class CommandJudge:
    """One launch command and what Hydra makes of it.

    `verdicts` has one for each setting of the command. `tree` is the config that comes out; keys
    may be missing from it where not every choice of config groups is known (not `certain`).
    """

    def __init__(self, command: Command, release: Release, primary: Primary, work: Work) -> None:
        self._release, self._primary = release, primary
        self._space = release.space(primary)
        self._own_code = brings_own_code(command)
        self._own_program = not command.starts_verls
        self._generates = _GENERATING in command.entry
        self._extended = command.added_dir is not None or any(
            setting.key == "hydra.searchpath" for setting in command.settings
        )
        composer = release.composer(primary)
        groups = {
            number: setting
            for number, setting in enumerate(command.settings)
            if composer.is_group(setting.key) and not isinstance(setting.value, dict)
        }
        chosen, self.tree, certain = choose_groups(
            groups, composer, partial(release.tree, primary), self._beyond, work.judging
        )
        chosen |= hydra_node.judge(command.settings, work, is_open=self._extended)
        self.certain = certain and not command.elided and not self._extended
        self._before = self.tree.copy()
        self._beside = frozenset(setting.key for setting in command.settings)
        self._pool = work.judging
        self._pool.take(_STEPS_FOR_A_COMMAND)
        self.verdicts = tuple(
            chosen[number] if number in chosen else paid(setting, self._judge, work)
            for number, setting in enumerate(command.settings)
        )

    def _beyond(self, error: CompositionError) -> Gap | None:
        """Where a config from outside verl's package may be what a choice misses."""
        is_missing = isinstance(error, UnknownConfig | UnusedChoice)
        return Gap.OTHER_PROGRAM if self._extended and is_missing else None

    def _judge(self, setting: Setting) -> Verdict:
        key = setting.key
        is_new = not self.tree.has(key)
        before = self.tree.steps
        status = self.tree.apply(setting)
        self._pool.take(self.tree.steps - before)
        if status is Status.MISSING:
            return self._missing(setting)
        if status is Status.PRESENT and not setting.sure and not self._before.has(key):
            # Another branch of the script appends the same key.
            return Accepted(setting)
        if status is Status.PRESENT and setting.value is Value.UNKNOWN and self._is_mapping(key):
            return Unjudged(setting, Gap.LAUNCH)  # Hydra merges a mapping there
        if status is Status.ACCEPTED and isinstance(setting.value, dict):
            return self._appended_inside(setting) or Accepted(setting, (key,))
        is_new = is_new and not self._is_in_list(key)
        if status is Status.ACCEPTED and is_new and setting.operator in APPENDING:
            if self._extended and key not in self._release.all_keys:
                return Unjudged(setting, Gap.OTHER_PROGRAM)
            return self._appended(setting)
        return of_status(setting, status, (key,))

    def _is_in_list(self, key: str) -> bool:
        """Whether a key names an item of a list, which Hydra replaces: `trainer.logger.1`."""
        parts = key.split(".")
        nodes = (".".join(parts[:n]) for n in range(1, len(parts)))
        return any(isinstance(self.tree.value(node), list) for node in nodes)

    def _is_mapping(self, key: str) -> bool:
        return isinstance(self._before.value(key), dict)

    def _appended(self, setting: Setting) -> Verdict:
        if self._is_below_own_key(setting.key):
            return Accepted(setting, (setting.key,))
        return appended(
            setting,
            self._release,
            setting.key,
            self._space,
            self._before,
            self._beside,
            read_elsewhere=self._own_code,
            own_program=self._own_program,
        )

    def _is_below_own_key(self, key: str) -> bool:
        """Whether a key lies in a mapping that a config of the project's own has added."""
        parts = key.split(".")
        above = (".".join(parts[:n]) for n in range(1, len(parts)))
        return any(self._before.has(node) and node not in self._release.all_keys for node in above)

    def _appended_inside(self, setting: Setting) -> Verdict | None:
        """The verdict on the first key inside a mapping that verl refuses or never reads."""
        verdicts = map(self._appended, _new_inside(setting, self._before))
        return next((verdict for verdict in verdicts if not isinstance(verdict, Accepted)), None)

    def _missing(self, setting: Setting) -> Verdict:
        key = setting.key
        if not self.certain and key in self._space:
            return Unjudged(setting, Gap.LAUNCH)
        if self._extended and not is_slip(key, self._release):
            return Unjudged(setting, Gap.OTHER_PROGRAM)
        if self._before.has(key) and not isinstance(setting.value, dict):
            return TakenAway(setting)
        if self._generates and is_another_programs(key, self._release):
            return NeedsPlus(setting, (key,))
        return _explained(setting, self._release, self._primary, self._before, self._beside)


def judge_foreign_command(
    command: Command, release: Release, work: Work, around: Surroundings
) -> Iterator[Verdict]:
    """A command whose program or config is not verl's own, but may extend verl's.

    What verl has can be confirmed. Where the command is about verl's config at all, a name that is
    known drift, or a slip, is wrong there too.
    """
    hydras = hydra_node.judge(command.settings, work, is_open=True)
    keys = [setting.key for setting in command.settings]
    verls = sum(key in release.all_keys for key in keys)
    extends_verl = 2 * verls > len(keys) or any(key.startswith(f"{SHARED_ROOT}.") for key in keys)

    def judged(setting: Setting) -> Verdict:
        key = setting.key
        is_wrong = extends_verl and key not in release.all_keys and is_slip(key, release)
        if is_wrong and not around.own_keys.has(key, release):
            return diagnose(setting, release, key)
        known = setting.key in release.keys and setting.operator is not Operator.ADD
        return Accepted(setting) if known else Unjudged(setting, Gap.OTHER_PROGRAM)

    for number, setting in enumerate(command.settings):
        yield hydras[number] if number in hydras else paid(setting, judged, work)


def _explained(
    setting: Setting, release: Release, primary: Primary, tree: Tree, beside: frozenset[str]
) -> Verdict:
    """Why the config that a command composes has no such key."""
    if isinstance(setting.value, dict) and tree.has(setting.key):
        setting = next(_new_inside(setting, tree), setting)
    space = release.space(primary)
    key, within = setting.key, tuple(tree.dotted_keys())
    if key in space and not tree.has(key):
        choice = _choice_with(key, release, primary, beside)
        if choice is not None:
            return OtherChoice(setting, (choice,), choice)
        found = suggest(key, release, within, setting.value)
        return OtherChoice(setting, tuple(one for one in found if tree.has(one)))
    target = tree.value(f"{space.nearest(key)}._target_")
    if space.refusing_class(key, target) is not None and key in space.declared:
        return OtherChoice(setting, suggest(key, release, within, setting.value))
    if _may_be_appended(key, release, space, tree):
        return NeedsPlus(setting, (key,))
    verdict = diagnose(setting, release, key, within, beside)
    if primary.is_own and isinstance(verdict, Missing):
        verdict = replace(
            verdict, candidates=tuple(_without_needless_plus(c, tree) for c in verdict.candidates)
        )
    return verdict


def _without_needless_plus(candidate: str, tree: Tree) -> str:
    """A key that verl takes with a plus only, as it is set where a project's config has it."""
    key = candidate.lstrip("+")
    return key if tree.has(key) else candidate


def _may_be_appended(key: str, release: Release, space: KeySpace, tree: Tree) -> bool:
    """Whether `+` brings in a key that something in verl reads, and nothing in verl refuses.

    What the config of this very command is built into decides, not what another choice of config
    groups has; and a slip does not become a key by a plus.
    """
    nearest = space.nearest(key)
    refused = space.refusing_class(key, tree.value(f"{nearest}._target_")) is not None
    if refused or drift.moved(key) is not None or is_slip(key, release):
        return False
    if space.accepts_appended(key):
        is_field = key in space.declared
        is_wrong = is_listed(key, release)
        is_anothers = not is_field and is_other_name(key, release)
        return tree.has(nearest) and not (is_wrong or is_anothers)
    was_there = key_index.last_before(key, release.name) is not None
    parent = key.rpartition(".")[0]
    is_read = (
        release.code_reads_path(key) and not was_there and isinstance(tree.value(parent), dict)
    )
    return is_read and not _is_to_come(key, release)


def _is_to_come(key: str, release: Release) -> bool:
    """Whether only later releases have a key of which another program has the end: SFT's model."""
    end = ".".join(key.split(".")[-2:])
    is_anothers = end != key and end in release.all_keys
    return is_anothers and key_index.first_after(key, release.name) is not None


def _new_inside(setting: Setting, tree: Tree) -> Iterator[Setting]:
    """The settings inside a mapping that is set whole whose keys are not there."""
    for inner in dotted_keys(setting.value):
        if not tree.has(f"{setting.key}.{inner}"):
            yield replace(setting, key=f"{setting.key}.{inner}")


def _choice_with(
    key: str, release: Release, primary: Primary, beside: frozenset[str]
) -> str | None:
    """A choice of one config group that brings `key` in: the default, if another one lacks it.

    It is none that takes away what the command sets beside it, nor one inside another group's
    option, which would be of another engine than that.
    """
    composer = release.composer(primary)
    default_tree = release.tree(primary)
    by_default = default_tree.has(key)
    for group, default in composer.group_keys(primary.config_name).items():
        for option in composer.options(group.partition("@")[0]):
            if option == default or "/../" in group:
                continue
            try:
                tree = release.tree(primary, GroupChoices(chosen={group: option}))
            except CompositionError:
                continue
            if tree.has(key) is by_default:
                continue
            kept, lost = (default_tree, tree) if by_default else (tree, default_tree)
            if not any(lost.has(one) and not kept.has(one) for one in beside):
                return f"{group}={default if by_default else option}"
    return None
