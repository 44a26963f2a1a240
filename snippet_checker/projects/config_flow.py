"""Where the config of a program of a project's own goes: what of verl gets it, changed or not."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from types import MappingProxyType
from typing import TypeAlias

from msgspec import Struct

from snippet_checker.projects.own_checks import OwnCheck

TRAINER = "verl.trainer.ppo.ray_trainer.RayPPOTrainer"
VALIDATION = "verl.utils.config.validate_config"
PROGRAM = "verl.trainer.main_ppo.run_ppo"
RUNNER = "verl.trainer.main_ppo.TaskRunner"
OTHER_RUNNER = "verl.trainer.main_ppo_v0.TaskRunner"
"""The runner for the trainer before the first version of the new one, from 0.9.0 on."""
RUNNERS_WORKERS = f"{RUNNER}.add_actor_rollout_worker"
"""The method of the runner that says which workers there are."""
WORKER_GROUPS = (
    "verl.single_controller.ray.RayClassWithInitArgs",
    "verl.single_controller.ray.base.RayClassWithInitArgs",
)
"""What a trainer starts its workers with."""
TRAINERS_WORKERS = f"{TRAINER}.init_workers"
"""The method of the trainer that builds what its workers get."""
CALLED = "()"
"""Stands behind a name that is called with the config."""
WITHOUT_CRITIC = "(no critic)"
"""Stands behind the name of the validation where the call says that there is no critic."""

OWN = "own:"
"""Stands before a class or function of the project's own that is named or called."""


class WordCondition(Struct, frozen=True):
    """That one of some words is what a value is compared with, or that none is."""

    words: frozenset[str]
    holds: bool

    @property
    def opposite(self) -> WordCondition:
        return WordCondition(self.words, not self.holds)

    def is_met(self, words: Collection[str]) -> bool:
        return self.words.isdisjoint(words) != self.holds


Reached: TypeAlias = frozenset[tuple[str, frozenset[WordCondition]]]
"""Names of verl's, each with the conditions under which the program comes to it."""


class ConfigFlow(Struct, frozen=True):
    """The names of verl's that a program comes to, and what it does to the config on the way.

    `written` are the last names of keys that it sets; one that ends in a dot stands for all in a
    mapping of that name. One that `is_remade` is merged with others there, and nothing is known of
    it. One that `gives_data` has a dataset of its own. `checks` are what the code of the project's
    own refuses, by the names of its functions and classes in `reached`.
    """

    reached: Reached = frozenset()
    written: frozenset[str] = frozenset()
    is_remade: bool = False
    gives_data: bool = False
    checks: Mapping[str, tuple[OwnCheck, ...]] = MappingProxyType({})

    def may_change(self, key: str) -> bool:
        """Whether a key may have another value when verl gets the config."""
        parent, _, leaf = key.rpartition(".")
        return leaf in self.written or f"{parent.rpartition('.')[2]}." in self.written

    def own_checks(self, words: Collection[str], *, called: bool) -> Iterator[OwnCheck]:
        """What refuses something in the code that is called with the config, or is only named."""
        for name in self.names(words):
            if name.startswith(OWN) and name.endswith(CALLED) is called:
                yield from self.checks.get(name.removesuffix(CALLED), ())

    def names(self, words: Collection[str]) -> frozenset[str]:
        """What the program comes to, if the words are the values of its config."""
        if self.is_remade:
            return frozenset()
        return frozenset(
            name
            for name, conditions in self.reached
            if all(one.is_met(words) for one in conditions)
        )


NO_FLOW = ConfigFlow()
"""That of a program of which nothing is known."""
