"""The release that a site describes, and how its facts are written in the pages."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.util.docutils import SphinxDirective

from snippet_checker.hydra.setting import Value, mappings_around
from snippet_checker.verl.release import Release, load, releases
from verl_docs import reference
from verl_docs.interface import _, name_of
from verl_docs.reference import Key as Key

# The programs with keys or defaults of their own.
PROGRAMS = (
    "verl.trainer.main_ppo",
    "verl.trainer.sft_trainer",
    "verl.experimental.fully_async_policy.fully_async_main",
    "verl.experimental.one_step_off_policy.main_ppo",
    "verl.trainer.main_eval",
    "scripts.megatron_merge_lora",
)


@dataclass(frozen=True, slots=True)
class Facts:
    """A release of verl, the programs that a site shows, and where verl's repository is.

    The first program is the one that most readers start.
    """

    name: str
    programs: tuple[str, ...]
    repository: str

    @classmethod
    def of(cls, config: Config) -> Facts:
        """Those that a project asks for in its `conf.py`."""
        return cls(config.verl_release, tuple(config.verl_programs), config.verl_repository)

    @property
    def release(self) -> Release:
        return load(self.name)

    @property
    def first(self) -> str:
        return self.programs[0]

    def keys_of(self, program: str) -> dict[str, Key]:
        """Every leaf that `program` can have, by its full name, in the order of its config."""
        return reference.of_program(self.release, program).keys

    def builds_on_first(self, program: str) -> bool:
        """Whether a program has all keys of the first one."""
        return (
            program != self.first
            and self.keys_of(program).keys() >= self.keys_of(self.first).keys()
        )

    def added_keys(self, program: str) -> list[Key]:
        """The keys of a program, without those that it has from the first program."""
        inherited = self.keys_of(self.first) if self.builds_on_first(program) else {}
        return [key for name, key in self.keys_of(program).items() if name not in inherited]

    def changed_keys(self, program: str) -> list[tuple[Key, Key]]:
        """The keys that a program has from the first one, and sets to something else in its YAML.

        Each as it is in the first program, and as it is here.
        """
        if not self.builds_on_first(program):
            return []
        pairs = (
            (key, self.keys_of(program)[name]) for name, key in self.keys_of(self.first).items()
        )
        return [
            (there, here)
            for there, here in pairs
            if (there.default, there.needs_plus) != (here.default, here.needs_plus)
        ]

    def names_of(self, program: str) -> frozenset[str]:
        """The keys of a program, and the mappings around them."""
        return _names_of(self.release, program)

    def is_listed(self, name: str) -> bool:
        """Whether the reference has a key or a mapping of that name."""
        return any(name in self.names_of(program) for program in self.programs)

    def find(self, name: str) -> Key | None:
        """The key of that full name, in the first program that has it."""
        found = (self.keys_of(program).get(name) for program in self.programs)
        return next((key for key in found if key is not None), None)

    def source_url(self, path: str) -> str:
        """The address of a file of verl's repository at the release's tag."""
        return f"{self.repository}/blob/v{self.name}/{path}"


class FactsDirective(SphinxDirective):
    """A directive that shows facts of verl."""

    @property
    def facts(self) -> Facts:
        return Facts.of(self.config)


@cache
def _names_of(release: Release, program: str) -> frozenset[str]:
    leaves = reference.of_program(release, program).keys.keys()
    return frozenset(leaves | {mapping for name in leaves for mapping in mappings_around(name)})


def shown(value: Any) -> str:
    """A value as a reader would write it in an override."""
    if value is None:
        return "null"
    if isinstance(value, list):
        return "[" + ",".join(map(shown, value)) + "]"
    return '""' if value == "" else str(value)


def default_of(key: Key) -> str | None:
    """The default as text; None where only a run can tell, or where there is none.

    A mapping that another key holds is that other key's to tell.
    """
    is_told_there = key.follows is not None and isinstance(key.default, dict)
    return None if isinstance(key.default, Value) or is_told_there else shown(key.default)


def kinds_of(key: Key) -> str:
    """What the key takes, in the reader's language; empty where that is not known."""
    return _(" or ").join(name_of(kind) for kind in key.kinds)


def setup(app: Sphinx) -> None:
    app.add_config_value("verl_release", releases()[-1], "env", types=(str,))
    app.add_config_value("verl_programs", PROGRAMS, "env", types=(tuple, list))
    app.add_config_value(
        "verl_repository", "https://github.com/verl-project/verl", "env", types=(str,)
    )
