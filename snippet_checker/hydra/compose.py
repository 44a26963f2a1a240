"""Hydra's composition of a config tree, on a snapshot's facts instead of files.

A release's snapshot carries digests of what real Hydra composed, and the tests compare.
"""

from __future__ import annotations

import hashlib
import json
import posixpath
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from typing import Any, NamedTuple, TypeAlias

from msgspec import Struct, field
from msgspec.structs import replace

from snippet_checker.hydra.config_file import ConfigFile
from snippet_checker.hydra.defaults_list import (
    CompositionError,
    Default,
    Option,
    UnknownConfig,
    UnusedChoice,
    absolute,
    option_names,
    parse_default,
)

_MOST_CONFIGS = 1_000  # of one composition; verl's take in about 50
_DEEPEST = 20  # parts of a package

Part: TypeAlias = tuple[str, dict[str, Any]]
"""A package and the body that is merged in there."""


class ReachableConfig(NamedTuple):
    """A config that some choice of groups brings in: its package, its config path, its body."""

    package: str
    config_path: str
    body: dict[str, Any]


_HYDRAS_GROUP = re.compile(r"hydra/[^@]*")  # which Hydra's own defaults list has: its logging
_CHOICE_REFERENCE = re.compile(r"\$\{([^$}:]+)\}")  # not `${oc.env:NAME}`


class GroupChoices(Struct, frozen=True):
    """The config groups that a command chooses (`=`), appends (`+`) and removes (`~`)."""

    chosen: Mapping[str, Option] = field(default_factory=dict)
    appended: tuple[tuple[str, Option], ...] = ()
    removed: Mapping[str, str | None] = field(default_factory=dict)


class Composer:
    """Composes the primary configs of one config dir (and its search path)."""

    def __init__(self, configs: Mapping[str, ConfigFile]) -> None:
        self.configs = configs
        self._groups = {
            parent for name in self.configs for parent in _parents(posixpath.dirname(name))
        }

    @cached_property
    def _options(self) -> dict[str, tuple[str, ...]]:
        """The options of each group, sorted."""
        options: dict[str, list[str]] = {}
        for name in sorted(self.configs):
            group, _, option = name.rpartition("/")
            options.setdefault(group, []).append(option)
        return {group: tuple(names) for group, names in options.items()}

    def is_group(self, name: str) -> bool:
        """Whether Hydra takes `name=…` for the choice of a config group."""
        return posixpath.normpath(name) in self._groups if name else False

    def options(self, group: str) -> tuple[str, ...]:
        """The options of a config group, sorted; none of what is no group."""
        return self._options.get(posixpath.normpath(group), ())

    def compose(self, config_name: str, choices: GroupChoices | None = None) -> dict[str, Any]:
        """The composed tree, interpolations unresolved; raises CompositionError."""
        tree: dict[str, Any] = {}
        for package, body in self.parts(config_name, choices):
            merge(tree, _embed(package, body))
        tree.pop("hydra", None)
        return tree

    def parts(self, config_name: str, choices: GroupChoices | None = None) -> list[Part]:
        """What is merged, in this order; raises CompositionError."""
        run = _Run(self, choices or GroupChoices())
        try:
            parts = run.expand_primary(config_name)
        except RecursionError:
            raise CompositionError("its defaults lists take in one another without end") from None
        run.check_all_used()
        return parts

    def group_keys(self, config_name: str) -> dict[str, str]:
        """The override key of every group in the defaults lists, with its default option."""
        run = _Run(self, GroupChoices())
        run.expand_primary(config_name)
        return dict(run.known)

    def other_choices(self, config_name: str) -> Iterator[tuple[str, str]]:
        """Each group in the defaults lists, with each option that is not its default one.

        Hydra's grammar has no way to write a key that leads out of its group, `a/../b`.
        """
        for key, default in self.group_keys(config_name).items():
            options = self.options(key.partition("@")[0]) if "/../" not in key else ()
            yield from ((key, option) for option in options if option != default)

    def reachable(self, config_name: str) -> Iterator[ReachableConfig]:
        """Every config that some choice of groups brings in, the ones above others first.

        Options may bring in one another at ever deeper packages; that is followed so far only. One
        that cannot be read brings in nothing: who chooses it is told so.
        """
        seen: set[tuple[str, str]] = set()
        waiting = [Default(group=None, name=config_name, package=None)]
        while waiting and len(seen) < _MOST_CONFIGS:
            node, file = waiting.pop(0), None
            with suppress(CompositionError):
                file = self.find(node.config_path)
            if file is None:
                continue
            node.header = absolute(file.package) if file.package is not None else None
            place = (node.final_package(), posixpath.normpath(node.config_path))
            if place in seen or place[0].count(".") > _DEEPEST:
                continue
            seen.add(place)
            yield ReachableConfig(*place, file.body)
            for child in map(parse_default, file.defaults):
                child.parent_group, child.parent_package = node.group_path, place[0]
                waiting += [child] if child.group is None else self._all_options(child)

    def _all_options(self, child: Default) -> list[Default]:
        if "/../" in f"/{child.group_path}":
            # Hydra's grammar has no way to write such a key: only the listed option is reachable.
            return [replace(child, name=name, names=None) for name in child.names or [child.name]]
        return [replace(child, name=name, names=None) for name in self.options(child.group_path)]

    def find(self, config_path: str) -> ConfigFile | None:
        return self.configs.get(posixpath.normpath(config_path).removesuffix(".yaml"))


class _Run:
    """One composition: the choices in force, and which of them have been used."""

    def __init__(self, composer: Composer, choices: GroupChoices) -> None:
        self._composer = composer
        self._choices = choices
        self._chosen: dict[str, Option] = dict(choices.chosen)
        self._used: set[str] = set()
        self._merged: set[str] = set()
        self._expanded = 0
        self.known: dict[str, str] = {}

    def expand_primary(self, config_name: str) -> list[Part]:
        if self._composer.find(config_name) is None:
            raise UnknownConfig(config_name, None, ())
        primary = Default(group=None, name=config_name, package=None)
        appended = [parse_default({key: name}) for key, name in self._choices.appended]
        return self._expand(primary, appended)

    def _expand(self, node: Default, appended: Sequence[Default] = ()) -> list[Part]:
        self._expanded += 1
        if self._expanded > _MOST_CONFIGS:
            raise CompositionError(
                f"its defaults lists take in more than {_MOST_CONFIGS:,} configs"
            )
        file = self._composer.find(node.config_path) if node.name else None
        if file is not None and file.package is not None:
            node.header = absolute(file.package)
        if self._is_removed(node):
            return []
        self._remember(node)
        if node.name is None:
            return []
        if file is None:
            if node.optional:
                return []
            options = self._composer.options(node.group_path) if node.group is not None else ()
            raise UnknownConfig(node.config_path, node.group, options)
        if node.group is not None and not file.defaults:
            self._use_once(node.override_key)
        children = [parse_default(item) for item in file.defaults]
        if not any(child.name == "_self_" for child in children):
            children.append(Default(group=None, name="_self_", package=None))
        children += appended
        self._adopt(node, children)
        return self._expand_children(node, file, children)

    def _adopt(self, node: Default, children: Sequence[Default]) -> None:
        for child in children:
            if child.name == "_self_":
                continue
            child.parent_group, child.parent_package = node.group_path, node.final_package()
            if child.override and not _HYDRAS_GROUP.fullmatch(child.override_key):
                self._chosen.setdefault(child.override_key, child.option)

    def _expand_children(
        self, node: Default, file: ConfigFile, children: Sequence[Default]
    ) -> list[Part]:
        # Hydra walks a list from its end and settles references to other choices last.
        parts: dict[int, list[Part]] = {}
        deferred: list[int] = []
        for index in reversed(range(len(children))):
            child = children[index]
            if child.name == "_self_":
                parts[index] = [(node.final_package(), file.body)]
            elif child.override:
                continue
            else:
                self._apply_choice(child)
                if child.names is not None:
                    parts[index] = self._expand_several(child, child.names)
                elif child.name and "${" in child.name:
                    deferred.append(index)
                else:
                    parts[index] = self._expand(child)
        for index in deferred:
            child = children[index]
            child.name = self._resolve(child.name or "")
            parts[index] = self._expand(child)
        return [part for index in sorted(parts) for part in parts[index]]

    def _expand_several(self, child: Default, names: tuple[str, ...]) -> list[Part]:
        parts: list[list[Part]] = []
        for name in reversed(names):
            one = replace(child, group=None, name=f"{child.group}/{name}", names=None)
            parts.insert(0, self._expand(one))
        return [part for several in parts for part in several]

    def _apply_choice(self, child: Default) -> None:
        if child.group is not None and child.override_key in self._chosen:
            child.name, child.names = option_names(self._chosen[child.override_key])
            self._used.add(child.override_key)

    def _is_removed(self, node: Default) -> bool:
        if node.group is None or node.override_key not in self._choices.removed:
            return False
        wanted = self._choices.removed[node.override_key]
        if wanted is not None and wanted != node.name:
            return False
        self._used.add("~" + node.override_key)
        return True

    def _remember(self, node: Default) -> None:
        if node.group is None:
            return
        name = node.name or ""
        if self.known.setdefault(node.override_key, name) != name:
            raise CompositionError(f"'{node.override_key}' is chosen twice")

    def _use_once(self, key: str) -> None:
        """Hydra refuses to merge one choice twice, but looks at configs without defaults only."""
        if key in self._merged:
            raise CompositionError(f"'{key}' stands twice in the final defaults list")
        self._merged.add(key)

    def _resolve(self, name: str) -> str:
        def chosen(match: re.Match[str]) -> str:
            if match[1] not in self.known:
                raise CompositionError(f"'{name}' refers to a group that is not chosen")
            return self.known[match[1]]

        return _CHOICE_REFERENCE.sub(chosen, name)

    def check_all_used(self) -> None:
        unused = [key for key in self._chosen if key not in self._used]
        unused += [key for key in self._choices.removed if f"~{key}" not in self._used]
        if unused:
            group = unused[0].partition("@")[0]
            places = sorted(known for known in self.known if known.partition("@")[0] == group)
            raise UnusedChoice(unused[0], places)


def merge(into: dict[str, Any], other: Mapping[str, Any]) -> None:
    """Merge as OmegaConf does: mappings into mappings, anything else replaces."""
    for key, value in other.items():
        present = into.get(key)
        if isinstance(present, dict) and isinstance(value, dict):
            merge(present, value)
        else:
            into[key] = _copied(value)


def _copied(value: Any) -> Any:
    """A deep copy of plain data; `copy.deepcopy` takes five times as long."""
    if isinstance(value, dict):
        return {key: _copied(inner) for key, inner in value.items()}
    return [_copied(inner) for inner in value] if isinstance(value, list) else value


def digest(tree: Mapping[str, Any]) -> str:
    """A short digest of a composed tree that does not depend on the order of its keys."""
    canonical = json.dumps(tree, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(canonical.encode()).hexdigest()[:16]


def _embed(package: str, body: dict[str, Any]) -> dict[str, Any]:
    for part in reversed(package.split(".") if package else []):
        body = {part: body}
    return body


def _parents(group: str) -> Iterator[str]:
    while group:
        yield group
        group = posixpath.dirname(group)
