"""The configs of a project, composed with verl's: the keys that they add, and their packages.

A file's package is what its keys count from. It is found by the configs that take in both verl's
and this one: they lie in its folder or in one above, as Hydra counts its groups from there.
"""

from __future__ import annotations

import posixpath
import re
from collections import ChainMap
from collections.abc import Callable, Iterator, Sequence, Set
from contextlib import suppress
from fnmatch import fnmatchcase
from functools import cache, partial
from typing import Any

from snippet_checker.documents.block import Block
from snippet_checker.hydra.compose import Composer, GroupChoices, ReachableConfig
from snippet_checker.hydra.composed_config import dotted_items
from snippet_checker.hydra.defaults_list import CompositionError
from snippet_checker.projects.config_folder import ConfigFolder, config_file
from snippet_checker.projects.files import ProjectFiles, folders_above, folders_below
from snippet_checker.verl.release import Release

_DEFAULTS = re.compile(r"^defaults:", re.MULTILINE)
_KEYS = re.compile(r"^[ \t]*([A-Za-z_]\w*)[ \t]*:", re.MULTILINE)
_SUFFIX = ".yaml"
_VERLS_FOLDER = "pkg://verl."  # as a search path names it
_MOST_CONFIGS = 50  # of one folder that are looked at
_LEVELS = 4  # of groups in one another


def package_of(block: Block, release: Release, files: ProjectFiles) -> str | None:
    """The package of a whole config file, where one config takes in verl's and this one."""
    if not (block.whole_file and block.path.endswith(_SUFFIX)):
        return None
    path = files.absolute(block.path)
    for folder in folders_above(files, path)[:_LEVELS]:
        packages = _packages(path, folder, release, files)
        if packages:
            # In several places its keys mean several things.
            return packages.pop() if len(packages) == 1 else None
    return None


def _packages(path: str, folder: str, release: Release, files: ProjectFiles) -> set[str]:
    """The packages that a file has by the configs of a folder that take in verl's."""
    names = primaries_in(folder, files, partial(_may_extend, release=release))
    if not names:
        return set()
    here = posixpath.relpath(path, folder).removesuffix(_SUFFIX)
    own = ConfigFolder(files, folder)
    # A copy of verl's config in the project hides verl's.
    verls = {one.config_name for one in release.primaries} - own.keys()
    if _stands_for_verls(own, here, verls):
        return set()
    found: set[str] = set()
    for reached in _composed(own, names, release):
        if not verls.isdisjoint(one.config_path for one in reached):
            found |= {one.package for one in reached if one.config_path == here}
    return found


def _stands_for_verls(own: ConfigFolder, path: str, verls: Set[str]) -> bool:
    """Whether a config is an option beside one that takes in verl's, which it does not itself."""
    group = posixpath.dirname(path)
    beside = (one for one in own if group and posixpath.dirname(one) == group)
    takes_in = {one for one in beside if _takes_in(own, one, verls)}
    return bool(takes_in) and path not in takes_in


def _takes_in(own: ConfigFolder, path: str, verls: Set[str]) -> bool:
    with suppress(CompositionError):  # a broken file says so where it is checked itself
        defaults = own[path].defaults
        return any(isinstance(one, str) and one.lstrip("/") in verls for one in defaults)
    return False


def primaries_in(
    folder: str, files: ProjectFiles, is_meant: Callable[[str], bool] = bool
) -> list[str]:
    """The configs right in a folder whose text `is_meant`; of very many, the first ones."""
    names = sorted(name for name in files.configs_in(folder) if name.endswith(_SUFFIX))
    texts = ((name, files.text(f"{folder}/{name}")) for name in names[:_MOST_CONFIGS])
    return [name.removesuffix(_SUFFIX) for name, text in texts if text and is_meant(text)]


def composed(
    own: ConfigFolder, name: str, release: Release, choices: GroupChoices | None = None
) -> dict[str, Any]:
    """What one of a project's own configs comes to, by the choices that it makes, and others."""
    composer = Composer(ChainMap(own, *release.facts.configs.values()))  # type: ignore[arg-type]
    with suppress(CompositionError):
        return composer.compose(name, choices)
    return {}


def refusal_of(own: ConfigFolder, name: str, release: Release, *, only_own: bool) -> str | None:
    """Why one of a project's own configs composes nothing, by the choices that it makes.

    With `only_own` Hydra finds nothing but what lies in its own folder, unless the config names
    others.
    """
    try:
        hydras = own[name].body.get("hydra")
        searches_further = isinstance(hydras, dict) and "searchpath" in hydras
        is_alone = only_own and not searches_further
        configs = own if is_alone else ChainMap(own, *release.facts.configs.values())  # type: ignore[arg-type]
        Composer(configs).compose(name)
    except CompositionError as error:
        return str(error)
    return None


def _composed(
    own: ConfigFolder, names: list[str], release: Release
) -> Iterator[list[ReachableConfig]]:
    """All configs that each of some primary ones takes in."""
    composer = Composer(ChainMap(own, *release.facts.configs.values()))  # type: ignore[arg-type]
    for name in names:
        yield list(composer.reachable(name))


def defaults_of(own: ConfigFolder, names: list[str], release: Release) -> Iterator[tuple[str, Any]]:
    """The keys that a project's own configs bring to what its primary ones, `names`, compose.

    Each comes with the value that the configs give it, mappings included.
    """
    for reached in _composed(own, names, release):
        for package, config_path, body in reached:
            prefix = f"{package}." if package else ""
            if config_path in own:
                yield from dotted_items(body, prefix)


class ProjectConfigs:
    """The keys that a project's own configs have and verl has not, looked for when first needed.

    They are those of the nearest folder around a file that has configs with defaults lists in it.
    """

    def __init__(self, folders: Sequence[str], files: ProjectFiles) -> None:
        """`folders` are those around the file."""
        self._folders, self._files = folders, files
        self._keys = cache(self._find_keys)
        self._added = cache(self._find_added)

    def has(self, key: str, release: Release, *, shortened: bool = False) -> bool:
        """Whether a key is one of those, lies below one, or (`shortened`) is the end of one."""
        below, end = f"{key}.", f".{key}"
        return any(
            below.startswith(f"{own}.") or (shortened and own.endswith(end))
            for own in self._keys(release)
            if own not in release.all_keys
        )

    def adds(self, key: str, release: Release) -> bool:
        """Whether a config of the project that takes in one of verl's brings that very key."""
        return key in self._added(release)

    def _find_added(self, release: Release) -> frozenset[str]:
        found: set[str] = set()
        for folder in folders_below(self._files, self._folders[-1]):
            names = primaries_in(folder, self._files, partial(_may_extend, release=release))
            own = ConfigFolder(self._files, folder)
            found.update(key for key, _ in defaults_of(own, names, release))
        return frozenset(found)

    def has_like(self, pattern: str, release: Release) -> bool:
        """Whether a key of those is, or ends as, what a name with `*` may stand for."""
        patterns = pattern, f"*.{pattern}"
        own = self._keys(release) - release.all_keys
        return any(fnmatchcase(key, one) for key in own for one in patterns)

    def has_name(self, name: str, shared: str) -> bool:
        """Whether a YAML file of the project that does not name the `shared` root has a name."""
        return any(
            name in text and shared not in text and name in _KEYS.findall(text)
            for folder in folders_below(self._files, self._folders[-1])
            for file in primaries_in(folder, self._files)
            for text in [self._files.text(f"{folder}/{file}{_SUFFIX}") or ""]
        )

    def has_beside(self, key: str, shared: str) -> bool:
        """Whether a YAML file beside the file has a key, and does not name the `shared` root."""
        folder, *parts = self._folders[0], *key.split(".")
        bodies = (
            self._body(f"{folder}/{name}{_SUFFIX}")
            for name in primaries_in(folder, self._files, lambda text: shared not in text)
        )
        return any(_holds(body, parts) for body in bodies)

    def has_in_one_of(self, paths: Sequence[str], key: str) -> bool:
        """Whether one of some YAML files has a key."""
        return any(_holds(self._body(path), key.split(".")) for path in paths)

    def gives_in_one_of(self, paths: Sequence[str], key: str, value: str) -> bool:
        """Whether one of such files gives a full key a value, as it is written."""
        items = (dotted_items(self._body(path), "") for path in paths)
        return any(full == key and str(given) == value for all_ in items for full, given in all_)

    def _body(self, path: str) -> dict[str, Any]:
        with suppress(CompositionError):  # a broken file says so where it is checked itself
            return config_file(path, self._files.text(path)).body
        return {}

    def shares(self, root: str, release: Release) -> bool:
        """Whether one of those configs has something below a root of verl's."""
        return any(own.startswith(f"{root}.") for own in self._keys(release))

    def _find_keys(self, release: Release) -> frozenset[str]:
        """Their keys, those of verl's among them."""
        several = (frozenset(self._below(around, release)) for around in self._folders)
        return next(filter(None, several), frozenset())

    def _below(self, around: str, release: Release) -> Iterator[str]:
        """The keys of the configs in a folder and below."""
        roots: list[str] = []
        for folder in folders_below(self._files, around):
            if any(folder.startswith(f"{root}/") for root in roots):
                continue  # its configs are options of those
            names = primaries_in(folder, self._files, _has_defaults)
            if not names:
                continue
            roots.append(folder)
            for key, _ in defaults_of(ConfigFolder(self._files, folder), names, release):
                yield key


def _holds(body: Any, parts: Sequence[str]) -> bool:
    for part in parts:
        if not isinstance(body, dict) or part not in body:
            return False
        body = body[part]
    return True


def _has_defaults(text: str) -> bool:
    return _DEFAULTS.search(text) is not None


def _may_extend(text: str, release: Release) -> bool:
    """Whether a config may have a defaults list that takes in one of verl's primary configs.

    A group of its own may do that for it, from verl's folder in its search path.
    """
    named = (_VERLS_FOLDER, *(one.config_name for one in release.primaries))
    return _has_defaults(text) and any(name in text for name in named)
