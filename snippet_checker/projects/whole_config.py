"""A whole config of a project's own, written out for one release of verl.

A program of the project starts from it, and nothing of verl's is composed into it. So it says which
verl the project is for, where nothing else does: the release that has most of its keys.
"""

from __future__ import annotations

import posixpath
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any

from msgspec import Struct

from snippet_checker.hydra.compose import Composer
from snippet_checker.hydra.composed_config import dotted_items
from snippet_checker.hydra.defaults_list import CompositionError
from snippet_checker.projects.config_folder import ConfigFolder
from snippet_checker.projects.files import ProjectFiles, folders_above
from snippet_checker.projects.programs import imports_verl, starting_from
from snippet_checker.verl import key_index
from snippet_checker.verl.release import load, newest, releases

_SUFFIX = ".yaml"
_NAMES = ("ppo_trainer", "ppo_megatron_trainer")  # verl's own, under which a copy is kept
_SECTIONS = frozenset({"actor_rollout_ref", "algorithm", "data", "trainer"})
_MOST_FILES = 4
_MANY = 150  # keys, of the 170 to 600 that a release's own form of the config has
_ENOUGH = 0.7  # of its keys that the release has


class WholeConfig(Struct, frozen=True):
    """The `file` with such a config, and the release that it is written out for."""

    file: str
    release: str


def whole_config(path: str, folders: Sequence[str], files: ProjectFiles) -> WholeConfig | None:
    """Such a config of the project: the file `path` itself, or else the one nearest to its root."""
    own = written_out_for(path, files)
    if own is not None:
        return WholeConfig(path, own)
    for file in _files(folders[-1], files):
        keys = _keys_of(file, files)
        release = _release_of(keys) if keys else None
        if release is not None and _is_started(file, files):
            return WholeConfig(file, release)
    return None


def written_out_for(path: str, files: ProjectFiles) -> str | None:
    """The release of a file with as many keys of verl's as nobody writes by hand.

    Such a file is a whole config, whatever starts from it.
    """
    keys = _keys_of(path, files) if path.endswith(_SUFFIX) else frozenset()
    return _release_of(keys) if len(keys) >= _MANY else None


def _files(root: str, files: ProjectFiles) -> Iterator[str]:
    for name in _NAMES:
        for folder in files.holding(f"{name}{_SUFFIX}", root)[:_MOST_FILES]:
            yield posixpath.join(folder, f"{name}{_SUFFIX}")


def _keys_of(file: str, files: ProjectFiles) -> frozenset[str]:
    """The keys of a config that its own folder makes whole; none where it takes in others."""
    folder, name = posixpath.split(file)
    body: dict[str, Any] = {}
    with suppress(CompositionError):
        body = Composer(ConfigFolder(files, folder)).compose(name.removesuffix(_SUFFIX))
    if not body.keys() >= _SECTIONS:
        return frozenset()
    return frozenset(key for key, value in dotted_items(body) if not isinstance(value, dict))


def _is_started(file: str, files: ProjectFiles) -> bool:
    """Whether a program starts from a config that imports something of verl's, itself or below.

    It may leave that to the modules beside it.
    """
    programs = list(starting_from(file, folders_above(files, file), files))
    around = posixpath.dirname(posixpath.dirname(file))
    return any(map(imports_verl, programs)) or (
        bool(programs) and any(imports_verl(text) for _, text in files.programs_below(around))
    )


def _release_of(keys: frozenset[str]) -> str | None:
    """The release that has most of some keys; of several, the last one with the fewest others.

    None where no release has enough of them, or the newest has as many.
    """
    counts = Counter(name for key in keys for name in key_index.releases_with(key))
    most = max(counts.values(), default=0)
    if most < _ENOUGH * len(keys) or counts[newest()] == most:
        return None
    having = [one for one in reversed(releases()) if counts[one] == most]
    return min(having, key=lambda one: _rest(one, keys))


def _rest(name: str, keys: frozenset[str]) -> int:
    """How many keys a release has beside some in its own form of the config."""
    release = load(name)
    trainers = (one for one in release.primaries if one.config_name in _NAMES)
    composed = (frozenset(release.composed(one).dotted_keys()) for one in trainers)
    return min((len(theirs - keys) for theirs in composed), default=len(release.keys))
