"""Whole launch commands, judged as Hydra judges them: config groups first, then one by one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from snippet_checker.model import Operator, Setting, Snippet, Value
from snippet_checker.schema import drift, likeness
from snippet_checker.schema.compose import Choices, Composer
from snippet_checker.schema.defaults_list import CompositionError, UnknownConfig, UnusedChoice
from snippet_checker.schema.release import Primary, Release
from snippet_checker.schema.tree import Status, Tree, dotted_keys
from snippet_checker.schema.verdict import (
    APPENDING,
    Absence,
    Verdict,
    appended,
    diagnose,
    is_mapping,
)


def judge_command(snippet: Snippet, release: Release, primary: Primary) -> Iterator[Verdict]:
    """The verdicts on the settings of a command that starts from `primary`."""
    composer = release.composer(primary)
    groups = [s for s in snippet.settings if composer.is_group(s.key) and not is_mapping(s)]
    verdicts, tree, certain = _choose_groups(groups, release, primary)
    space = release.space(primary)
    before = tree.copy()
    for setting in snippet.settings:
        if id(setting) in verdicts:
            yield verdicts[id(setting)]
        elif setting.key.partition(".")[0].partition("/")[0] == "hydra":
            yield Verdict(setting, Status.UNJUDGED)
        else:
            is_new = not tree.has(setting.key)
            status = tree.apply(setting)
            if status is Status.MISSING and not certain and setting.key in space:
                status = Status.UNJUDGED
            if status is Status.ACCEPTED and is_new and setting.operator in APPENDING:
                yield appended(setting, release, setting.key, space, tree)
            else:
                if status is Status.MISSING and before.has(setting.key):
                    status = Status.TAKEN_AWAY
                yield _explained(setting, status, release, primary, before)


def judge_foreign_command(snippet: Snippet, release: Release) -> Iterator[Verdict]:
    """A command whose program or config is not verl's own, but may extend verl's.

    What verl has can be confirmed, and a name that is known drift is wrong there too.
    """
    for setting in snippet.settings:
        if drift.find(setting.key) is not None and setting.key not in release.known:
            yield diagnose(setting, release, setting.key)
        else:
            known = setting.key in release.keys and setting.operator is not Operator.ADD
            yield Verdict(setting, Status.ACCEPTED if known else Status.UNJUDGED)


def _choose_groups(
    groups: list[Setting], release: Release, primary: Primary
) -> tuple[dict[int, Verdict], Tree, bool]:
    """Compose with the groups that a command chooses, leaving out what Hydra refuses.

    Returns a verdict for each of `groups` by identity, the tree, and whether every choice is known.
    """
    verdicts = {id(setting): Verdict(setting, Status.ACCEPTED) for setting in groups}
    usable = []
    for setting in groups:
        if setting.value is Value.UNKNOWN or not setting.sure:
            verdicts[id(setting)] = _possible_choice(setting, release.composer(primary))
        elif setting.operator is Operator.FORCE or not _is_option(setting):
            verdicts[id(setting)] = Verdict(setting, Status.REFUSED)
        else:
            usable.append(setting)
    while True:
        try:
            tree = release.tree(primary, _choices(usable))
        except CompositionError as error:
            blamed = _blame(usable, error)
            verdicts[id(blamed)] = _group_verdict(blamed, error)
            usable.remove(blamed)
        else:
            certain = all(verdict.status is not Status.UNJUDGED for verdict in verdicts.values())
            return verdicts, tree, certain


def _possible_choice(setting: Setting, composer: Composer) -> Verdict:
    """The verdict on a choice that may not be made, or whose option is not known."""
    options = composer.options(setting.key)
    if isinstance(setting.value, str) and setting.value not in options:
        return _group_verdict(setting, UnknownConfig(setting.value, setting.key, options))
    return Verdict(setting, Status.UNJUDGED)


def _is_option(setting: Setting) -> bool:
    if setting.operator is Operator.DELETE:
        return setting.value is Value.ABSENT or isinstance(setting.value, str | None)
    return isinstance(setting.value, str | list)


def _choices(groups: list[Setting]) -> Choices:
    chosen, appended, removed = {}, [], {}
    for setting in groups:
        key = _group_key(setting)
        if setting.operator is Operator.DELETE:
            removed[key] = setting.value if isinstance(setting.value, str) else None
        elif setting.operator is Operator.ADD:
            appended.append((key, setting.value))
        else:
            chosen[key] = setting.value
    return Choices(chosen, tuple(appended), removed)


def _group_key(setting: Setting) -> str:
    return f"{setting.key}@{setting.package}" if setting.package else setting.key


def _blame(groups: list[Setting], error: CompositionError) -> Setting:
    if isinstance(error, UnusedChoice):
        return next((s for s in groups if _group_key(s) == error.key), groups[-1])
    if isinstance(error, UnknownConfig):
        return next((s for s in groups if s.key == error.group), groups[-1])
    return groups[-1]


def _group_verdict(setting: Setting, error: CompositionError) -> Verdict:
    if isinstance(error, UnusedChoice) and setting.operator is Operator.DELETE:
        status = Status.OTHER_VALUE if error.key in error.candidates else Status.UNKNOWN_GROUP
        return Verdict(setting, status)
    if isinstance(error, UnusedChoice):
        return Verdict(setting, Status.UNKNOWN_GROUP, candidates=error.candidates)
    if isinstance(error, UnknownConfig):
        options = sorted(
            error.options, key=lambda option: -likeness.name_likeness(str(setting.value), option)
        )
        return Verdict(setting, Status.UNKNOWN_OPTION, candidates=tuple(options))
    return Verdict(setting, Status.REFUSED)


def _explained(
    setting: Setting, status: Status, release: Release, primary: Primary, tree: Tree
) -> Verdict:
    if status is not Status.MISSING:
        return Verdict(setting, status)
    if isinstance(setting.value, dict):
        setting = _missing_inside(setting, tree)
    space = release.space(primary)
    key, within = setting.key, tuple(tree.dotted_keys())
    if key in space and not tree.has(key):
        candidates = likeness.suggest(key, release, within)
        choice = _choice_with(key, release, primary)
        return Verdict(setting, status, Absence.OTHER_CHOICE, choice, candidates)
    if space.accepts_appended(key) and tree.has(space.nearest(key)):
        return Verdict(setting, status, Absence.NEEDS_PLUS, candidates=(key,))
    return diagnose(setting, release, key, within)


def _missing_inside(setting: Setting, tree: Tree) -> Setting:
    """The first setting inside a mapping that is set whole whose key is not there."""
    for inner in dotted_keys(setting.value):
        if not tree.has(f"{setting.key}.{inner}"):
            return replace(setting, key=f"{setting.key}.{inner}")
    return setting


def _choice_with(key: str, release: Release, primary: Primary) -> str | None:
    """A choice of one config group that brings `key` in."""
    composer = release.composer(primary)
    for group, default in composer.group_keys(primary.config_name).items():
        for option in composer.options(group.partition("@")[0]):
            if option == default:
                continue
            try:
                tree = release.tree(primary, Choices(chosen={group: option}))
            except CompositionError:
                continue
            if tree.has(key):
                return f"{group}={option}"
    return None
