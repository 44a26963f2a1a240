"""The config groups that a command chooses, composed as Hydra would."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TypeVar

from msgspec.structs import replace

from snippet_checker.hydra.compose import Composer, GroupChoices
from snippet_checker.hydra.composed_config import Status
from snippet_checker.hydra.defaults_list import CompositionError, UnknownConfig, UnusedChoice
from snippet_checker.hydra.setting import Operator, Setting, Value
from snippet_checker.judge.verdict import (
    Accepted,
    Gap,
    NotApplicable,
    Unjudged,
    UnknownGroup,
    UnknownOption,
    Verdict,
)
from snippet_checker.suggest import likeness
from snippet_checker.verl import drift
from snippet_checker.work import Budget

_STEPS_TO_COMPOSE = 1_000

_RESOLVER = re.compile(r"\$\{[^$}:]+:")  # `${oc.env:NAME}`, which the launch decides


Composed = TypeVar("Composed")


def choose_groups(
    settings: Mapping[int, Setting],
    composer: Composer,
    compose: Callable[[GroupChoices], Composed],
    beyond: Callable[[CompositionError], Gap | None],
    budget: Budget,
) -> tuple[dict[int, Verdict], Composed, bool]:
    """Compose with the groups that a command chooses, leaving out what Hydra refuses.

    What took the place of an option that is gone is chosen for it. Returns a verdict for each of
    the `settings` that choose one, by its number, what `compose` made of the others, and whether
    every choice is known. `beyond` says why an error may be none at launch, if it may.
    Raises CompositionError where the config itself is refused, whatever is chosen.
    """
    verdicts = dict(_before_composing(settings, composer))
    usable = {n: settings[n] for n, one in verdicts.items() if isinstance(one, Accepted)}
    while True:
        budget.count(_STEPS_TO_COMPOSE + len(usable))
        if usable and not budget.has_room():
            verdicts |= {number: Unjudged(setting, Gap.WORK) for number, setting in usable.items()}
            usable = {}
        try:
            composed = compose(_choices(usable.values()))
        except CompositionError as error:
            if not usable or _is_of_config(error, compose):
                raise
            number = _blame(usable, error)
            blamed, gap = usable.pop(number), beyond(error)
            verdict = Unjudged(blamed, gap) if gap else _group_verdict(blamed, error)
            verdicts[number] = verdict
            if isinstance(verdict, UnknownOption) and verdict.later is not None:
                usable[number] = replace(blamed, value=verdict.later)
        else:
            certain = not any(isinstance(verdict, Unjudged) for verdict in verdicts.values())
            return verdicts, composed, certain


def _before_composing(
    settings: Mapping[int, Setting], composer: Composer
) -> Iterator[tuple[int, Verdict]]:
    """The verdicts on choices by themselves; those that are accepted are to be composed."""
    groups = {
        number: setting
        for number, setting in settings.items()
        if composer.is_group(setting.key) and not isinstance(setting.value, dict)
    }
    removed = {s.group_key for s in groups.values() if s.value is Value.ABSENT}
    for number, setting in groups.items():
        is_open = _is_open(setting) and setting.group_key not in removed
        if setting.value is Value.UNKNOWN or is_open or not setting.sure:
            yield number, _possible_choice(setting, composer)
        elif setting.operator is Operator.FORCE or not _is_option(setting):
            yield number, NotApplicable(setting, Status.REFUSED)
        else:
            yield number, Accepted(setting)


def _is_of_config(error: CompositionError, compose: Callable[[GroupChoices], Composed]) -> bool:
    """Whether the config is refused without any choice, too, and for the same reason."""
    try:
        compose(GroupChoices())
    except CompositionError as without:
        return str(without) == str(error)
    return False


def _possible_choice(setting: Setting, composer: Composer) -> Verdict:
    """The verdict on a choice that may not be made, or whose option is not known."""
    options = composer.options(setting.key)
    is_named = isinstance(setting.value, str) and not _is_open(setting)
    if is_named and setting.value not in options:
        return _group_verdict(setting, UnknownConfig(setting.value, setting.key, options))
    return Unjudged(setting, Gap.LAUNCH)


def _is_open(setting: Setting) -> bool:
    """Whether Hydra asks the environment which option is meant."""
    return isinstance(setting.value, str) and _RESOLVER.search(setting.value) is not None


def _is_option(setting: Setting) -> bool:
    if setting.operator is Operator.DELETE:
        return setting.value is Value.ABSENT or isinstance(setting.value, str | None)
    return isinstance(setting.value, str | list)


def _choices(groups: Iterable[Setting]) -> GroupChoices:
    chosen, appended, removed = {}, [], {}
    for setting in groups:
        key = setting.group_key
        if setting.operator is Operator.DELETE:
            removed[key] = setting.value if isinstance(setting.value, str) else None
        elif setting.operator is Operator.ADD:
            appended.append((key, setting.value))
        else:
            chosen[key] = setting.value
    return GroupChoices(chosen, tuple(appended), removed)


def _blame(groups: Mapping[int, Setting], error: CompositionError) -> int:
    """The number of the choice that Hydra refuses; the last one where it does not say."""
    last = max(groups)
    if isinstance(error, UnusedChoice):
        return next((n for n, s in groups.items() if s.group_key == error.key), last)
    if isinstance(error, UnknownConfig):
        return next((n for n, s in groups.items() if s.key == error.group), last)
    return last


def _group_verdict(setting: Setting, error: CompositionError) -> Verdict:
    if isinstance(error, UnusedChoice) and setting.operator is Operator.DELETE:
        if error.key in error.candidates:
            return NotApplicable(setting, Status.OTHER_VALUE)
        return UnknownGroup(setting)
    if isinstance(error, UnusedChoice):
        return UnknownGroup(setting, error.candidates)
    if isinstance(error, UnknownConfig):
        options = sorted(
            error.options, key=lambda option: -likeness.name_likeness(str(setting.value), option)
        )
        return UnknownOption(setting, tuple(options), drift.later_option(setting.value, options))
    return NotApplicable(setting, Status.REFUSED)
