"""What a reader wants to know about a key of one program: for the generated reference."""

from __future__ import annotations

import posixpath
import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from snippet_checker.hydra.compose import GroupChoices
from snippet_checker.hydra.composed_config import ComposedConfig, dotted_keys
from snippet_checker.hydra.defaults_list import CompositionError
from snippet_checker.hydra.resolved import Resolved
from snippet_checker.hydra.setting import Value
from snippet_checker.verl import history, lifecycle, values
from snippet_checker.verl.facts import ClosedSet
from snippet_checker.verl.release import Primary, Release

SHARED_CONFIGS = "verl/trainer/config"
# A default that is nothing but a reference: a path made of several keys is none of them.
_FOLLOWED = re.compile(r"\$\{(?:oc\.select:\s*)?([a-z]\w*(?:\.\w+)+)\s*(?:\}$|,)")


@dataclass(frozen=True, slots=True)
class Key:
    """A leaf of one program's config space.

    `default` is what a run gets if nothing is set, references followed; `Value.UNKNOWN` where
    only a run can tell and `Value.ABSENT` where there is none. `follows` is the key that the
    default refers to. `choices` are the group choices of which one is needed for the key to be
    there; none where it always is. `file` is the path in the wheel of the file that declares it.
    """

    name: str
    default: Any
    follows: str | None
    kinds: tuple[values.Kind, ...]
    words: tuple[str, ...]
    first: str
    file: str
    choices: tuple[str, ...]
    needs_plus: bool
    deprecated: lifecycle.Note | None
    ineffective: lifecycle.Note | None

    @property
    def parent(self) -> str:
        return self.name.rpartition(".")[0]

    @property
    def leaf(self) -> str:
        return self.name.rpartition(".")[2]


class Reference:
    """Every leaf that a program can have, in the order of its composed config."""

    def __init__(self, release: Release, program: str) -> None:
        primary = release.entry(program)
        if primary is None:
            raise ValueError(f"verl {release.name} has no program '{program}'")
        self._release = release
        self._module = release.entry_module(program)
        self._space = release.space(primary)
        self._files = _files(release, primary)
        self._configs, self._choices = _configs(release, primary)
        names = [*dict.fromkeys(self._leaves())]
        self.keys = {name: self._key(name) for name in names}

    def _leaves(self) -> Iterator[str]:
        for key, config in self._configs.items():
            value = config.value(key)
            if (not isinstance(value, dict) or not value) and not key.endswith("_target_"):
                yield key
        for key in self._space.declared:
            if key.rpartition(".")[0] in self._configs:
                yield key

    def _key(self, name: str) -> Key:
        declared = self._space.declared.get(name)
        module = self._module
        return Key(
            name,
            self._default(name),
            self._followed(name),
            tuple(sorted(self._kinds(name))),
            tuple(dict.fromkeys(w for c in self._sets(name) for w in c.values)),
            history.first_with(name) or self._release.name,
            self._declared_in(name) if declared is not None else self._files[name],
            self._choices.get(name if declared is None else name.rpartition(".")[0], ()),
            declared is not None,
            lifecycle.deprecated(name, self._release.name),
            lifecycle.ineffective(name, self._release.name, module),
        )

    def _kinds(self, name: str) -> frozenset[values.Kind]:
        followed = self._followed(name)
        return values.kinds(self._release, [name]) or (
            values.kinds(self._release, [followed]) if followed is not None else frozenset()
        )

    def _sets(self, name: str) -> tuple[ClosedSet, ...]:
        parent = name.rpartition(".")[0]
        return values.closed_sets(self._release, name, self._space.classes(parent))

    def _default(self, name: str) -> Any:
        declared = self._space.declared.get(name)
        if declared is not None:
            return declared.default if declared.has_default else Value.ABSENT
        config = self._configs[name]
        raw = config.value(name)
        return raw if raw == "???" else Resolved(config).value(name)

    def _followed(self, name: str) -> str | None:
        raw = self._configs[name].value(name) if name in self._configs else None
        match = _FOLLOWED.match(raw) if isinstance(raw, str) else None
        return match[1] if match is not None and match[1] in self._space else None

    def _declared_in(self, name: str) -> str:
        """The file of the dataclass that declares a field which the YAML leaves out."""
        declarations = self._release.facts.declarations
        parent, _, leaf = name.rpartition(".")
        classes = sorted(self._space.classes(parent))
        return next(declarations[c].file for c in classes if leaf in declarations[c].fields)


@cache
def of_program(release: Release, program: str) -> Reference:
    """The reference of the program that a module or a config name means; raises ValueError."""
    return Reference(release, program)


def _files(release: Release, primary: Primary) -> dict[str, str]:
    """For each key the path in the wheel of the YAML file that is closest to it.

    Of several options of a config group, the default one counts.
    """
    composer = release.composer(primary)
    groups = composer.group_keys(primary.config_name).items()
    usual = {posixpath.normpath(f"{key.partition('@')[0]}/{name}") for key, name in groups}
    closest: dict[str, tuple[tuple[int, bool], str]] = {}
    for package, path, body in composer.reachable(primary.config_name):
        rank = (len(package), path in usual)
        own = path in release.facts.configs[primary.config_dir]
        file = f"{primary.config_dir if own else SHARED_CONFIGS}/{path}.yaml"
        for key in dotted_keys(body):
            full = f"{package}.{key}" if package else key
            if full not in closest or closest[full][0] < rank:
                closest[full] = (rank, file)
    return {key: file for key, (_, file) in closest.items()}


def _configs(
    release: Release, primary: Primary
) -> tuple[dict[str, ComposedConfig], dict[str, tuple[str, ...]]]:
    """For each key a composed config that has it, and the group choices that bring it in."""
    composed = release.composed(primary)
    configs = dict.fromkeys(composed.dotted_keys(), composed)
    needed: dict[str, list[str]] = defaultdict(list)
    for group, option in release.composer(primary).other_choices(primary.config_name):
        try:
            config = release.composed(primary, GroupChoices({group: option}))
        except CompositionError:
            continue
        for key in config.dotted_keys():
            if configs.setdefault(key, config) is not composed:
                needed[key].append(f"{group}={option}")
    return configs, {key: tuple(choices) for key, choices in needed.items()}
