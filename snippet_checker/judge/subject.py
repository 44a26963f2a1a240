"""A snippet as a judge of its settings meets it: how they were judged, and beside what."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from enum import Enum, auto
from functools import cached_property

from msgspec import Struct

from snippet_checker.hydra.setting import Operator, Setting
from snippet_checker.judge.context import Context
from snippet_checker.projects.project import Project
from snippet_checker.snippets.snippet import Fragment, Snippet
from snippet_checker.suggest.key_paths import SHARED_ROOT
from snippet_checker.verl.release import Primary, Release

_GOES_ON = "\\"  # at the end of a line of a command
_PAIRS = (("(", ")"), ("{", "}"))
_SECTIONS = frozenset({"data", "algorithm", "trainer"})  # of every program that trains with RL


class Basis(Enum):
    """What the settings of a snippet were judged by."""

    COMPOSED = auto()  # a command, by the config that it composes
    FOREIGN = auto()  # a command of which verl composes nothing
    LOOSE = auto()  # without a command, or without knowing its config


class Subject(Struct, frozen=True, dict=True):
    """The snippet whose settings were judged.

    `primary` is the config that a composed command starts from. A loose one that `names_program`
    says which program of verl's it is for.
    """

    basis: Basis
    snippet: Snippet
    release: Release
    context: Context
    primary: Primary | None = None
    names_program: bool = False

    @property
    def project(self) -> Project:
        return self.context.project

    @property
    def is_on_page(self) -> bool:
        """Whether it is a piece of a config in a document."""
        return self.snippet.is_config and not self.snippet.block.whole_file

    @cached_property
    def shares_config(self) -> bool:
        """Whether it has settings of the section that verl's trainers share."""
        return any(s.key.partition(".")[0] == SHARED_ROOT for s in self.snippet.settings)

    @cached_property
    def chooses_own_option(self) -> bool:
        """Whether it chooses an option that a group has in the project's copy of verl alone."""
        return any(self.adds_option(setting) for setting in self.snippet.settings)

    def adds_option(self, setting: Setting) -> bool:
        """Whether a setting chooses such an option."""
        primary, release = self.starts_from, self.release
        if primary is None or not isinstance(setting.value, str):
            return False
        if not release.composer(primary).is_group(setting.key):
            return False
        copy = self.project.copy_configs
        return copy.adds_option(setting.group_key, setting.value, primary, release)

    def chosen_options(self, primary: Primary) -> dict[str, str] | None:
        """The options of config groups that it chooses; None where only a run knows one."""
        composer = self.release.composer(primary)
        chosen = {
            setting.group_key: setting.value
            for setting in self.snippet.settings
            if setting.operator is Operator.SET and composer.is_group(setting.key)
        }
        options = {key: value for key, value in chosen.items() if isinstance(value, str)}
        return options if options.keys() == chosen.keys() else None

    @property
    def starts_from(self) -> Primary | None:
        """The config of verl's that a command starts from."""
        return None if self.primary is None or self.primary.is_project_config else self.primary

    @cached_property
    def verls_configs(self) -> tuple[Primary, ...]:
        """The config of verl's that a command starts from, or those that its own takes in."""
        return tuple(self._verls_configs)

    @property
    def verls_configs_at_root(self) -> Iterator[Primary]:
        """Of these, the ones whose keys count from the root of its config."""
        return (one for one, packages in self._verls_configs.items() if "" in packages)

    @cached_property
    def _verls_configs(self) -> Mapping[Primary, frozenset[str]]:
        """These, each with the packages that it is taken into."""
        if self.primary is None or not self.primary.is_project_config:
            return {} if self.primary is None else {self.primary: frozenset({""})}
        packages: dict[str, set[str]] = defaultdict(set)
        for one in self.release.composer(self.primary).reachable(self.primary.config_name):
            packages[one.config_path].add(one.package)
        return {
            one: frozenset(packages[one.config_name])
            for one in self.release.primaries
            if one.config_name in packages
        }

    def begins_line(self, setting: Setting) -> bool:
        """Whether an override begins one of the lines that the line of the program goes on in.

        In an expansion, `${A:+\\` and a line further `+a=1}`, it does not count as the beginning.
        """
        block = self.snippet.block
        start, at = (block.offset(*one.span.start) for one in (self.snippet, setting))
        before = block.text[start:at]
        *lines, operator = before.split("\n")
        return (
            block.whole_file
            and bool(lines)
            and operator.lstrip(" \t\"'") == setting.operator
            and block.text.startswith(f"{setting.key}=", at)
            and all(line.endswith(_GOES_ON) for line in lines)
            and all(before.count(first) == before.count(last) for first, last in _PAIRS)
        )

    @property
    def extends_verls(self) -> bool:
        """Whether it is a part of a project's own config, which may add any key."""
        if not isinstance(self.snippet, Fragment):
            return False
        return self.snippet.package is not None or (
            self.snippet.is_config
            and (
                any(setting.key == "defaults" for setting in self.snippet.settings)
                or is_complete(self.snippet)
                or (self.snippet.block.whole_file and self.project.starts_from_file)
            )
        )


def is_complete(snippet: Snippet) -> bool:
    """Whether a file has most sections of verl's config, so that a program may start from it.

    Settings for verl's own program would leave out what they do not change.
    """
    if not snippet.block.whole_file:
        return False
    roots = {setting.key.partition(".")[0] for setting in snippet.settings}
    return SHARED_ROOT in roots and len(roots & _SECTIONS) == len(_SECTIONS)
