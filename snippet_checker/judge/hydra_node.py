"""Overrides of Hydra's own settings (`hydra.run.dir=…`), judged by the facts about them.

Hydra's loader imports what a search path names and looks for plugins. So it is never asked: its
own config groups are composed from facts, and the types of their settings are OmegaConf's.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Iterable, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from snippet_checker.hydra import facts as hydra_facts
from snippet_checker.hydra import types as hydra_types
from snippet_checker.hydra.compose import Composer, GroupChoices, Part
from snippet_checker.hydra.composed_config import Growth, Status, apply_to_config, dotted_keys
from snippet_checker.hydra.config_file import ConfigFile
from snippet_checker.hydra.defaults_list import CompositionError, UnknownConfig
from snippet_checker.hydra.setting import Operator, Setting, Value
from snippet_checker.judge.group_choices import choose_groups
from snippet_checker.judge.verdict import (
    Gap,
    NotAGroup,
    NotApplicable,
    Unjudged,
    Unknown,
    Verdict,
    of_status,
    within_budget,
)
from snippet_checker.text.closest import closest
from snippet_checker.work import Work

if TYPE_CHECKING:
    from omegaconf import DictConfig

_ROOT = "$root"
_STEPS_FOR_A_CONFIG, _STEPS_FOR_A_SETTING = 8_000, 1_000
_SEARCH_PATH, _COPIED = "hydra.searchpath", "hydra.job.env_copy"
NO_CHOICES = GroupChoices()
_SCHEMES = frozenset({"file", "pkg", "structured"})


def is_hydras(key: str) -> bool:
    """Whether a key or a config group is Hydra's own."""
    return re.match(r"hydra(?:[./]|$)", key) is not None


def judge(settings: Sequence[Setting], work: Work, *, is_open: bool) -> dict[int, Verdict]:
    """What Hydra does with those of a command's settings that are its own, by their number.

    With `is_open`, more is composed than these settings and Hydra's own configs, and may bring
    keys into the mappings that take any.
    """
    own = {number: s for number, s in enumerate(settings) if is_hydras(s.key)}
    if not own:
        return {}
    composer = _composer()
    verdicts, config, certain = choose_groups(own, composer, composed, _beyond, work.judging)
    work.judging.count(_STEPS_FOR_A_CONFIG + _STEPS_FOR_A_SETTING * len(own))
    node = _Node(config, is_open=is_open or not certain)
    return {
        number: verdicts[number] if number in verdicts else within_budget(setting, node.judge, work)
        for number, setting in own.items()
    }


class _Node:
    """The config of one command below `hydra`, changed override by override."""

    def __init__(self, config: DictConfig, *, is_open: bool) -> None:
        self._config = config
        self._is_open = is_open
        self._growth = Growth()

    def judge(self, setting: Setting) -> Verdict:
        if setting.package is not None:
            return NotAGroup(setting)
        if setting.value is Value.UNKNOWN:
            return self._judge_unknown_value(setting)
        if setting.key == _SEARCH_PATH and setting.operator is not Operator.DELETE:
            wrong = _search_path_verdict(setting)
            if wrong is not None:
                return wrong
        self._growth.add(setting.value)
        self._growth.check()
        status = apply_to_config(self._config, setting)
        if status is Status.MISSING:
            return self._missing(setting)
        if status is Status.PRESENT and not setting.sure:
            status = Status.ACCEPTED  # another branch of the script appends the same key
        if status is Status.ACCEPTED and self._copies_environment(setting.key):
            return Unjudged(setting, Gap.LAUNCH)  # not for the environment here to say
        return of_status(setting, status)

    def _judge_unknown_value(self, setting: Setting) -> Verdict:
        is_there = setting.key in self._keys()
        if setting.operator is Operator.SET and not is_there:
            return self._missing(setting)
        return Unjudged(setting, Gap.LAUNCH)

    def _missing(self, setting: Setting) -> Verdict:
        if self._is_open and not self._lies_in_class(setting.key):
            return Unjudged(setting, Gap.PLUGIN)
        if "/" in setting.key or setting.operator is not Operator.SET:
            return NotApplicable(setting, Status.REFUSED)
        best = closest(setting.key, self._keys())
        candidates = (best,) if best else ()
        return Unknown(setting, candidates)

    def _lies_in_class(self, key: str) -> bool:
        """Whether what holds a key has fixed names, so that nothing else can bring it.

        What a field of any type holds, such as the launcher, is another class with another choice.
        """
        from omegaconf import DictConfig

        holder: Any = self._config._get_node("hydra", validate_access=False)
        for part in key.split(".")[1:-1]:
            inner = holder._get_node(part, validate_access=False)
            if not isinstance(inner, DictConfig) or inner._is_none() or inner._is_missing():
                break
            if inner._metadata.ref_type is Any:
                return False
            holder = inner
        return isinstance(holder, DictConfig) and holder._metadata.object_type is not dict

    def _keys(self) -> frozenset[str]:
        from omegaconf import OmegaConf

        plain: Any = OmegaConf.to_container(self._config, resolve=False)
        return frozenset(key for key in dotted_keys(plain) if "/" not in key)

    def _copies_environment(self, key: str) -> bool:
        """Whether a setting names variables that have to be there at launch."""
        from omegaconf import OmegaConf

        if not f"{_COPIED}.".startswith(f"{key}."):
            return False
        copied = OmegaConf.to_container(self._config, resolve=False)
        for part in _COPIED.split("."):
            copied = copied.get(part) if isinstance(copied, dict) else None
        return bool(copied)


def _search_path_verdict(setting: Setting) -> Verdict | None:
    """The verdict on a search path that only a plugin takes, or nobody."""
    paths = setting.value
    is_merged = setting.operator is not Operator.SET or paths is None
    if is_merged and not isinstance(paths, list):
        return None
    if not isinstance(paths, list) or not all(isinstance(path, str) for path in paths):
        return None if is_merged else NotApplicable(setting, Status.REFUSED)
    schemes = {path.partition("://")[0] for path in paths if "://" in path}
    return None if schemes <= _SCHEMES else Unjudged(setting, Gap.PLUGIN)


def _beyond(error: CompositionError) -> Gap | None:
    return Gap.PLUGIN if isinstance(error, UnknownConfig) else None


@cache
def _composer() -> Composer:
    root = ConfigFile(None, ("hydra/config",), {})
    return Composer({_ROOT: root, **hydra_facts.load().configs})


def composed(choices: GroupChoices = NO_CHOICES) -> DictConfig:
    """A config that holds Hydra's own node, as these choices of its groups compose it."""
    if choices == NO_CHOICES:
        return copy.deepcopy(_by_default())
    return _merged(_composer().parts(_ROOT, choices))


@cache
def _by_default() -> DictConfig:
    return _merged(_composer().parts(_ROOT))


def _merged(parts: Iterable[Part]) -> DictConfig:
    """The parts of a composition as one config in struct mode, as Hydra's loader merges them."""
    from omegaconf import OmegaConf
    from omegaconf.errors import OmegaConfBaseException

    config = OmegaConf.create()
    for package, body in parts:
        known = body.get(hydra_facts.CLASS)
        node = OmegaConf.structured(hydra_types.class_of(known)) if known else body
        part = OmegaConf.create()
        try:
            if package:
                OmegaConf.update(part, package, node, merge=False)
            config.merge_with(part if package else node)
        except OmegaConfBaseException:
            raise CompositionError(f"'{package}' does not go there") from None
    OmegaConf.set_struct(config, True)
    return config
