"""The copy of verl's package that a project may hold: a fork, or a clone with changes.

What it added is its own. What an earlier release of verl had is verl's: a script that moves to the
release has to change there.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Sequence
from functools import cached_property

from packaging.version import InvalidVersion, Version

from snippet_checker.documents.block import Block
from snippet_checker.hydra.setting import Setting
from snippet_checker.hydra.tree import Status, Tree
from snippet_checker.projects.config_folder import ConfigFolder
from snippet_checker.projects.files import ProjectFiles, folders_above, programs_of
from snippet_checker.projects.own_yaml import composed, keys_of, primaries_in
from snippet_checker.verl import key_index
from snippet_checker.verl.release import Primary, Release, load, releases

_PACKAGE = "verl"
_VERSION = f"{_PACKAGE}/version/version"
_ANY_RELEASES = f"{_PACKAGE}/protocol.py"


def holds(block: Block, files: ProjectFiles) -> bool:
    """Whether a whole file lies in such a copy.

    Its configs are what that copy accepts, and not settings for a release.
    """
    if not block.whole_file:
        return False
    return any(
        posixpath.basename(folder) == _PACKAGE and files.is_there(f"{folder}/__init__.py")
        for folder in folders_above(files, files.absolute(block.path))
    )


def around(folders: Sequence[str], files: ProjectFiles) -> str | None:
    """The folder that holds the copy nearest to a file, by the folders around that file."""
    return next((f for f in folders if files.is_there(f"{f}/{_PACKAGE}/__init__.py")), None)


def nearest(folders: Sequence[str], files: ProjectFiles) -> str | None:
    """The folder of the copy around a file, or else of the nearest one in its project."""
    found = around(folders, files)
    below = files.holding(f"{_PACKAGE}/__init__.py", folders[-1]) if found is None else ()
    beside = ([one for one in below if f"{one}/".startswith(f"{f}/")] for f in folders)
    return found or next((ones[0] for ones in beside if ones), None)


def beside(path: str, files: ProjectFiles) -> str | None:
    """The folder of the copy that is nearest to the file at a path."""
    return nearest(folders_above(files, files.absolute(path)), files)


def is_fork(path: str, files: ProjectFiles) -> bool:
    """Whether the file at a path is of a project with the whole package of verl.

    A folder that only bears its name may hold what connects verl with another trainer.
    """
    copy = beside(path, files)
    return copy is not None and files.is_there(f"{copy}/{_ANY_RELEASES}")


def programs(path: str, files: ProjectFiles) -> Iterator[str]:
    """The texts of the Python files around the file at a path, first those of the copy."""
    copy = beside(path, files)
    return programs_of(path, files, [f"{copy}/{_PACKAGE}"] if copy is not None else [])


def config_folders(copy: str | None, release: Release) -> Iterator[str]:
    """Where a copy has configs."""
    if copy is not None:
        yield from (posixpath.join(copy, path) for path in release.facts.configs)


def made_beside(copy: str | None, files: ProjectFiles) -> frozenset[str]:
    """The releases between which a copy was made, as far as it says its version."""
    said = files.text(f"{copy}/{_VERSION}") if copy is not None else None
    return _around(said.strip()) if said is not None else frozenset()


class CopyKeys:
    """The keys of the configs of a project's copy of verl, looked for when first needed."""

    def __init__(self, path: str, files: ProjectFiles) -> None:
        """`path` is that of a file in the project."""
        self._path, self._files = path, files
        self._known: dict[str, frozenset[str]] = {}
        self._composed: dict[tuple[str, Primary], frozenset[str]] = {}
        self._chosen: dict[tuple[str, Primary], Tree] = {}

    def brings(self, key: str, primary: Primary, release: Release) -> bool:
        """Whether a key is in the copy's own form of the config that a command starts from.

        What an earlier release had there is verl's, unless the copy is about as old as the release.
        """
        asked = release.name, primary
        if asked not in self._composed:
            self._composed[asked] = frozenset(self._keys_in(primary, release))
        if key not in self._composed[asked]:
            return False
        earlier = key_index.before(key, release.name)
        return release.name in self._beside or not any(
            _composes(name, primary, key) for name in earlier
        )

    def composes(self, key: str, primary: Primary, release: Release) -> bool:
        """Whether the copy's own form of a config has a key by the choices that it makes itself."""
        return self._chosen_in(primary, release).has(key)

    def runs(self, release: Release) -> bool:
        """Whether a command runs in a copy around the file that is about as old as the release."""
        folders = folders_above(self._files, self._files.absolute(self._path))
        is_around = self._copy is not None and around(folders, self._files) == self._copy
        return is_around and release.name in self._beside

    def refuses(self, added: Setting, primary: Primary, release: Release) -> bool:
        """Whether Hydra refuses a plus because such a copy's config has a value there."""
        if not self.runs(release):
            return False
        tree = self._chosen_in(primary, release).copy()
        return tree.has(added.key) and tree.apply(added) is Status.PRESENT

    def keeps(self, key: str, release: Release) -> bool:
        """Whether a copy about as old as the release has a key that this has not."""
        return release.name in self._beside and self.has(key, release)

    def has_file(self, path: str, release: Release) -> bool:
        """Whether a copy about as old as the release has a file of the package."""
        return release.name in self._beside and self._files.is_there(f"{self._copy}/{path}")

    @cached_property
    def _copy(self) -> str | None:
        return beside(self._path, self._files)

    @cached_property
    def _beside(self) -> frozenset[str]:
        return made_beside(self._copy, self._files)

    def _keys_in(self, primary: Primary, release: Release) -> Iterator[str]:
        """The keys that the copy's own config of that name composes."""
        for folder in config_folders(self._copy, release):
            own = ConfigFolder(self._files, folder)
            if folder.endswith(primary.config_dir) and primary.config_name in own:
                yield from keys_of(own, [primary.config_name], release)

    def _chosen_in(self, primary: Primary, release: Release) -> Tree:
        """What the copy's own config of that name comes to, without another choice."""
        asked = release.name, primary
        if asked not in self._chosen:
            self._chosen[asked] = Tree({})
            for folder in config_folders(self._copy, release):
                own = ConfigFolder(self._files, folder)
                if folder.endswith(primary.config_dir) and primary.config_name in own:
                    self._chosen[asked] = Tree(composed(own, primary.config_name, release))
        return self._chosen[asked]

    def has(self, key: str, release: Release) -> bool:
        """Whether a key is one of those, or lies below one that holds no others."""
        if release.name not in self._known:
            self._known[release.name] = frozenset(self._found(release)) - release.all_keys
        known = self._known[release.name]
        if key in known:
            return True
        above = (key[:end] for end, letter in enumerate(key) if letter == ".")
        nearest = next((one for one in reversed([*above]) if one in known), None)
        return nearest is not None and not any(one.startswith(f"{nearest}.") for one in known)

    def _found(self, release: Release) -> Iterator[str]:
        for folder in config_folders(self._copy, release):
            own = ConfigFolder(self._files, folder)
            yield from keys_of(own, primaries_in(folder, self._files), release)


def _composes(name: str, primary: Primary, key: str) -> bool:
    """Whether a release has a primary config of that name, and the config a key."""
    release = load(name)
    return any(
        one.config_name == primary.config_name and release.tree(one).has(key)
        for one in release.primaries
    )


def _around(version: str) -> frozenset[str]:
    """The releases of a version, and those next to it: verl counts up before or after it releases.

    `0.4.1.dev` is what its main branch called itself between 0.4.1 and 0.5.0.
    """
    try:
        said = Version(version).release
    except InvalidVersion:
        return frozenset()
    parts = {name: Version(name).release for name in releases()}
    older = sorted({one for one in parts.values() if one <= said})
    newer = sorted({one for one in parts.values() if one > said})
    near = {*older[-2:], *newer[:1]}
    return frozenset(name for name, one in parts.items() if one in near)
