"""One release of verl: its entry points, what each composes, and every key that exists in it."""

from __future__ import annotations

import copy
import fnmatch
import posixpath
import re
from collections import defaultdict
from collections.abc import Mapping
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from msgspec import Struct
from packaging.version import InvalidVersion, Version

from snippet_checker.errors import UserError
from snippet_checker.hydra.compose import Composer, GroupChoices
from snippet_checker.hydra.composed_config import ComposedConfig
from snippet_checker.hydra.config_file import ConfigFile
from snippet_checker.hydra.search_path import search_path
from snippet_checker.text.python_reads import may_hold
from snippet_checker.verl import drift
from snippet_checker.verl import facts as facts_file
from snippet_checker.verl.facts import Facts
from snippet_checker.verl.keyspace import KeySpace

SNAPSHOTS = Path(__file__).parent / "snapshots"
_WILDCARD = re.compile(r"\[[^\[\]]*+\]|[*?\[\]]")
_VERLS_PROGRAM = re.compile(r"verl(?:\.|$)|(?=.*\.py$)(?:.*/)?verl/")
DEFAULT_CONFIG = "ppo_trainer"


class UnknownRelease(UserError, ValueError):
    """No snapshot of that release is there."""


class Primary(Struct, frozen=True):
    """A config that a program can be started with: a config dir and a name in it.

    One that `is_project_config` lies in a project that builds on verl.
    """

    config_dir: str
    config_name: str
    is_project_config: bool = False


class Release:
    """What one release of verl accepts.

    `keys` are those of its YAML files, under any choice of config groups, and `all_keys` those that
    only dataclasses declare as well. `spaces` have both for each of `primaries`.

    Releases are equal that hold the same facts, also where one knows a config of a project's own
    besides (`with_config`). So what is worked out from verl's keys is kept once for all of these;
    nothing may be kept by a release that depends on a project's config.
    """

    def __init__(self, facts: Facts) -> None:
        self.facts = facts
        self.name = facts.release
        self._composers: dict[Primary, Composer] = {}
        self._spaces: dict[Primary, KeySpace] = {}
        self._defaults: dict[Primary, dict[str, Any]] = {}  # composed without any choice

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Release) and other.facts is self.facts

    def __hash__(self) -> int:
        return id(self.facts)

    @cached_property
    def primaries(self) -> tuple[Primary, ...]:
        """Every primary config, the ones that entry points start from first."""
        named = [Primary(e.config_dir, e.config_name) for e in self.facts.entries]
        rest = [
            Primary(directory, name)
            for directory, files in self.facts.configs.items()
            for name in files
            if "/" not in name
        ]
        ordered = dict.fromkeys(sorted(named, key=_familiar_first) + rest)
        return tuple(p for p in ordered if p.config_name in self.facts.configs[p.config_dir])

    @cached_property
    def modules(self) -> tuple[str, ...]:
        """The entry points: each program that Hydra starts, by its module."""
        return tuple(entry.module for entry in self.facts.entries)

    def entry(self, name: str) -> Primary | None:
        """The primary config that a module, a script's path or a config name starts from."""
        module = self.entry_module(name)
        for entry in self.facts.entries:
            if entry.module == module:
                return Primary(entry.config_dir, entry.config_name)
        for primary in self.primaries:
            if primary.config_name == name.removesuffix(".yaml"):
                return primary
        return None

    def entry_module(self, name: str) -> str | None:
        """The entry point that a module's name or a script's path means."""
        return next((m for m in (name, module_name(name)) if m in self.modules), None)

    def has_module(self, name: str) -> bool:
        """Whether the wheel holds this module, package or script, entry point or not."""
        base = module_name(name).replace(".", "/")
        wanted = {f"{base}.py", f"{base}/__main__.py", f"{base}/__init__.py"}
        return not wanted.isdisjoint(self.facts.files)

    def with_config(self, primary: Primary, configs: Mapping[str, ConfigFile]) -> Release:
        """This release, where a program may start from a config of a project's own, too.

        `configs` are those that Hydra finds from there, the primary one among them. The keys and
        the primaries of the release stay those of verl.
        """
        _ = self.all_keys, self.by_leaf  # found out once, for all that are made so
        release = copy.copy(self)
        release._composers = {**self._composers, primary: Composer(configs)}
        release._spaces, release._defaults = dict(self._spaces), dict(self._defaults)
        return release

    def composer(self, primary: Primary) -> Composer:
        if primary not in self._composers:
            configs = search_path(self.facts.configs, primary.config_dir, primary.config_name)
            self._composers[primary] = Composer(configs)
        return self._composers[primary]

    def composed(self, primary: Primary, choices: GroupChoices | None = None) -> ComposedConfig:
        """What Hydra composes; raises CompositionError where it would refuse."""
        if choices is not None and choices != GroupChoices():
            return ComposedConfig(self.composer(primary).compose(primary.config_name, choices))
        if primary not in self._defaults:
            self._defaults[primary] = self.composer(primary).compose(primary.config_name)
        return ComposedConfig(self._defaults[primary])

    def space(self, primary: Primary) -> KeySpace:
        if primary not in self._spaces:
            composer = self.composer(primary)
            self._spaces[primary] = KeySpace(composer, primary.config_name, self.facts)
        return self._spaces[primary]

    @cached_property
    def spaces(self) -> tuple[KeySpace, ...]:
        """The keys of each of `primaries`."""
        return tuple(map(self.space, self.primaries))

    @cached_property
    def keys(self) -> frozenset[str]:
        """Every key of every primary config under any choice of groups."""
        return frozenset().union(*(space.keys for space in self.spaces))

    @cached_property
    def roots(self) -> frozenset[str]:
        """The first names of keys: `trainer`, `actor_rollout_ref`."""
        return frozenset(key for key in self.keys if "." not in key)

    @cached_property
    def all_keys(self) -> frozenset[str]:
        """`keys`, and those that only the dataclasses declare."""
        declared = (space.declared for space in self.spaces)
        return self.keys.union(*declared)

    @cached_property
    def by_leaf(self) -> dict[str, tuple[str, ...]]:
        """Full keys by their last part: what programs compose by default first, in its order."""
        found: dict[str, list[str]] = defaultdict(list)
        for key in self._familiar_keys():
            found[key.rpartition(".")[2]].append(key)
        return {leaf: tuple(keys) for leaf, keys in found.items()}

    def _familiar_keys(self) -> dict[str, None]:
        """Keys in the order in which a reader is likely to mean them."""
        live: dict[str, None] = {}
        referring: dict[str, None] = {}
        for primary in self.primaries:
            config = self.composed(primary)
            for key in config.dotted_keys():
                refers = isinstance(value := config.value(key), str) and "${" in value
                (referring if refers else live)[key] = None
        legacy = {key: None for key in live if drift.is_legacy(key)}
        optional = [key for space in self.spaces for key in sorted(space.keys)]
        declared = [key for space in self.spaces for key in space.declared]
        ordered = [key for key in live if key not in legacy]
        return dict.fromkeys([*ordered, *referring, *optional, *declared, *legacy])

    def has_key(self, key: str) -> bool:
        """Whether some program has `key`, or a key that a whole one with `*` stands for."""
        return key in self.all_keys or ("*" in key and any(fnmatch.filter(self.all_keys, key)))

    def owner(self, key: str) -> Primary | None:
        """The first program that has `key`, as users meet them."""
        if key not in self.all_keys:
            return None
        return next(p for p in self.primaries if key in self.space(p).all_keys)

    def defaults(self, key: str) -> list[Any]:
        """What any program, under any choice of groups, gives `key`, unresolved."""
        return [default for space in self.spaces for default in space.defaults(key)]

    def is_mapping(self, key: str) -> bool:
        """Whether `key` holds further keys in some program; an empty mapping counts as a value."""
        return any(isinstance(v := s.default(key), dict) and bool(v) for s in self.spaces)

    def accepts_appended(self, key: str) -> bool:
        """Whether some program passes on `key` if `+` brings it in: it lies in an open mapping."""
        return any(space.accepts_appended(key) for space in self.spaces)

    def code_reads_path(self, key: str) -> bool:
        """Whether verl's code looks for `key` itself, present or not."""
        return ".".join(key.split(".")[-2:]) in self.facts.reads

    def code_reads_name(self, key: str) -> bool:
        """Whether verl's code takes a value of this name out of a config of that name."""
        parents, _, leaf = key.rpartition(".")
        parent = parents.rpartition(".")[2]
        return any(may_hold(owner, parent) for owner in self._readers.get(leaf, ()))

    @cached_property
    def _readers(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = defaultdict(list)
        for read in self.facts.reads:
            owner, _, leaf = read.rpartition(".")
            found[leaf].append(owner)
        return found

    def expand(self, shortened: str) -> tuple[str, ...]:
        """The full keys that a shortened one (`fsdp_config.param_offload`) may stand for."""
        candidates = self.by_leaf.get(shortened.rpartition(".")[2], ())
        dotted = "." + shortened
        return tuple(key for key in candidates if ("." + key).endswith(dotted))

    def glob(self, pattern: str) -> tuple[str, ...]:
        """The full keys that a pattern with `*` stands for, its beginning left open."""
        if any(piece not in self._text_of_keys for piece in _WILDCARD.split(pattern)):
            return ()  # most patterns are about something else, and this is soon seen
        matcher = "*" + pattern.lstrip("*")
        return tuple(sorted(key for key in self.all_keys if fnmatch.fnmatchcase(key, matcher)))

    @cached_property
    def _text_of_keys(self) -> str:
        return "\n".join(self.all_keys)


def _familiar_first(primary: Primary) -> tuple[bool, bool, str]:
    return (
        primary.config_name != DEFAULT_CONFIG,
        "experimental" in primary.config_dir,
        primary.config_name,
    )


def module_name(name: str) -> str:
    """The module that a name, or a script's path from any folder above the package, means."""
    if not name.endswith(".py"):
        return name
    path = posixpath.normpath(name).removesuffix(".py")
    for top in ("verl/", "scripts/"):
        index = f"/{path}".rfind(f"/{top}")
        if index >= 0:
            return path[index:].replace("/", ".")
    return path.replace("/", ".")


def is_verls_program(name: str) -> bool:
    """Whether a module's name or a script's path lies in verl's package."""
    return _VERLS_PROGRAM.match(name) is not None


@cache
def releases() -> tuple[str, ...]:
    """The releases that have a snapshot, oldest first."""
    return tuple(sorted((path.stem for path in SNAPSHOTS.glob("*.*.json")), key=Version))


def older_than(release: str) -> tuple[str, ...]:
    """The releases before one, oldest first."""
    return tuple(name for name in releases() if Version(name) < Version(release))


def newest() -> str:
    return releases()[-1]


def numbers(version: str) -> tuple[int, ...] | None:
    """The numbers of a version: `0.4.1.dev` has those of 0.4.1. None for other texts."""
    try:
        return Version(version).release
    except InvalidVersion:
        return None


@cache
def numbers_of_releases() -> Mapping[str, tuple[int, ...]]:
    """The numbers of each release that there is a schema of."""
    return {name: Version(name).release for name in releases()}


def nearest(version: str) -> str | None:
    """The release of a version, or the last one before that, or the first there is."""
    said, known = numbers(version), numbers_of_releases()
    if said is None or version in known:
        return version if said is not None else None
    older = [name for name, parts in known.items() if parts <= said]
    return max(older, key=Version) if older else min(known, key=Version)


@cache
def load(release: str) -> Release:
    """The release's schema, or the one that a path to a snapshot (`….json`) holds.

    People may write `v0.9.1`, `0.9` for the newest of these, or `latest`. Raises UnknownRelease
    with the releases that there are, or what is wrong with the file. Only people name files: what a
    document names is compared with `releases()` before.
    """
    if is_snapshot(release):
        return _from_file(Path(release))
    release = _meant(release)
    path = SNAPSHOTS / f"{release}.json"
    if release not in releases():
        if (meant := _without_dots(release)) is not None:
            raise UnknownRelease(f"there is no schema of verl {release}; did you mean {meant}?")
        known = ", ".join(releases())
        raise UnknownRelease(
            f"there is no schema of verl {release}; choose one of {known}, or make one: "
            f"snippet-checker schema add {release}"
        )
    return Release(facts_file.load(path))


def _without_dots(said: str) -> str | None:
    """The release with the same figures: 0.9.1 for `0.91`."""
    figures = said.replace(".", "")
    return next((name for name in releases() if name.replace(".", "") == figures), None)


def _meant(said: str) -> str:
    """The release that a person means."""
    if said == "latest":
        return newest()
    name = said.removeprefix("v")
    if name in releases():
        return name
    series = [one for one in releases() if one.startswith(f"{name}.")]
    return series[-1] if series else said


def is_snapshot(name: str) -> bool:
    """Whether a release is named by the path of its snapshot."""
    return name.endswith(".json")


def _from_file(path: Path) -> Release:
    try:
        return Release(facts_file.load(path))
    except OSError as error:
        raise UnknownRelease(f"{path} cannot be read: {error.strerror}") from None
    except (ValueError, RecursionError) as error:
        raise UnknownRelease(
            f"{path} is no snapshot of verl that this version reads ({error}); make it again: "
            "snippet-checker schema add RELEASE --to FOLDER"
        ) from None
