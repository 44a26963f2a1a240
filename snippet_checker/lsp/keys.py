"""The keys, values and config groups that can be written at a place."""

from __future__ import annotations

import posixpath
from collections.abc import Sequence
from functools import cached_property
from typing import Any

from msgspec import Struct

from snippet_checker.hydra.composed_config import ComposedConfig
from snippet_checker.hydra.setting import Value
from snippet_checker.lsp.analysis import Analysis
from snippet_checker.results import CheckedBlock
from snippet_checker.rules import JudgedSnippet
from snippet_checker.snippets.snippet import Command
from snippet_checker.verl import values
from snippet_checker.verl.keyspace import KeySpace
from snippet_checker.verl.release import Primary, Release, load
from snippet_checker.verl.values import Kind

_SWITCHES = ("true", "false")


class Keys(Struct, frozen=True, dict=True):
    """What one program accepts; `config` is what a command composes, if that is known."""

    release: Release
    primary: Primary
    config: ComposedConfig | None = None

    @cached_property
    def _space(self) -> KeySpace:
        return self.release.space(self.primary)

    @cached_property
    def _names(self) -> list[str]:
        """Every key, those first that a run has without any further choice."""
        composed = self.config or self.release.composed(self.primary)
        known = [*composed.dotted_keys(), *sorted(self._space.keys), *self._space.declared]
        return [key for key in dict.fromkeys(known) if not key.endswith("_target_")]

    @cached_property
    def _parents(self) -> frozenset[str]:
        return frozenset(key.rpartition(".")[0] for key in self._names)

    @cached_property
    def _known(self) -> frozenset[str]:
        return frozenset(self._names)

    def has(self, key: str) -> bool:
        """Whether the program takes a key under some choice of groups, perhaps with a plus."""
        return key in self._known

    def is_mapping(self, key: str) -> bool:
        """Whether a key holds further ones."""
        return key in self._parents

    def needs_plus(self, key: str) -> bool:
        """Whether only `+` can bring a key into a command, whatever groups it chooses."""
        return key in self._space.declared

    def children(self, parent: str) -> list[str]:
        """The full keys right below a mapping, or all roots below the empty one."""
        return [key for key in self._names if key.rpartition(".")[0] == parent]

    def below(self, parent: str, start: str) -> list[str]:
        """The settings at any depth below a mapping whose last name begins in some way."""
        prefix = f"{parent}." if parent else ""
        return [
            key
            for key in self._names
            if key.startswith(prefix)
            and key.rpartition(".")[2].startswith(start)
            and not self.is_mapping(key)
        ]

    def roots_of(self, shortened: str) -> str:
        """The full key that one which begins in the middle stands for, or as it is."""
        if not shortened or self.has(shortened.partition(".")[0]):
            return shortened
        ending = f".{shortened}"
        return next((key for key in self._names if key.endswith(ending)), shortened)

    def default(self, key: str) -> Any:
        """What a run has without a setting, unresolved; `Value.ABSENT` where there is nothing."""
        config = self.release.composed(self.primary)
        if config.has(key):
            return config.value(key)
        return next(iter(self._space.defaults(key)), Value.ABSENT)

    def kinds(self, key: str) -> list[Kind]:
        """The kinds of values that a key takes; none where that is not known."""
        return sorted(values.kinds(self.release, [key]))

    def words(self, key: str) -> list[str]:
        """The words that a key takes, where those are known."""
        classes = self._space.classes(key.rpartition(".")[0])
        sets = values.closed_sets(self.release, key, classes)
        return list(dict.fromkeys(word for one in sets for word in one.values))

    def values(self, key: str) -> list[str]:
        """What may be written as the value of a key, the default first."""
        default = self.default(key)
        found = [shown(default)] if values.is_comparable(default) else []
        if Kind.SWITCH in self.kinds(key):
            found += _SWITCHES
        return list(dict.fromkeys([*found, *self.words(key)]))

    @cached_property
    def groups(self) -> dict[str, str]:
        """The config groups that a command can choose, with what is chosen without it."""
        composer = self.release.composer(self.primary)
        known = composer.group_keys(self.primary.config_name)
        return {group: option for group, option in known.items() if ".." not in group}

    def options(self, group: str) -> tuple[str, ...]:
        """What a config group can be set to."""
        path = posixpath.normpath(group.partition("@")[0])
        return self.release.composer(self.primary).options(path)


def keys_at(block: CheckedBlock, analysis: Analysis, line: int) -> Keys:
    """What the program accepts that a line most likely belongs to."""
    judged = _snippet_at(block.snippets, line)
    if judged is not None:
        return keys_of(judged)
    release = load(analysis.options.release)
    named = release.entry(analysis.options.entry) if analysis.options.entry else None
    return Keys(release, named or release.primaries[0])


def keys_of(judged: JudgedSnippet) -> Keys:
    """What the program of a snippet accepts."""
    judgement = judged.judgement
    return Keys(judged.release, judgement.primary or judged.release.primaries[0], judgement.config)


def _snippet_at(snippets: Sequence[JudgedSnippet], line: int) -> JudgedSnippet | None:
    """The last snippet that begins above a line, a command before anything else."""
    commands = [judged for judged in snippets if isinstance(judged.snippet, Command)] or snippets
    above = [judged for judged in commands if judged.snippet.span.line <= line]
    return above[-1] if above else next(iter(commands), None)


def shown(value: Any) -> str:
    """A value as people write it in an override or in YAML."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return f"[{','.join(map(shown, value))}]"
    return str(value) if value != "" else '""'
