"""The copy of verl's package that a project may hold: a fork, or a clone with changes.

What it added is the project's own. What an earlier release of verl had is verl's, unless the copy
is about as old as the release: a script that moves to the release has to change there. Where a
whole project is upgraded to a release, a copy of another age is outdated, and says nothing.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import cached_property
from itertools import chain

from msgspec.structs import replace

from snippet_checker.projects.branches import asked_before
from snippet_checker.projects.code_facts import CodeFacts, contains_quoted, facts_of
from snippet_checker.projects.files import ProjectFiles
from snippet_checker.projects.refusals import Refusal, VerlsCheck
from snippet_checker.text import python_tree
from snippet_checker.verl.release import (
    Release,
    numbers,
    numbers_of_releases,
    releases,
)

_PACKAGE = "verl"
_IMPORTED = re.compile(r"^[ \t]*(?:from|import)[ \t]+(\w+)", re.MULTILINE)
_CARRIES_OVER = "migrate_legacy_reward_impl"
_VERSION = f"{_PACKAGE}/version/version"
_ANY_RELEASES = f"{_PACKAGE}/protocol.py"
_FIRST_HOLDER = "verl/trainer/ppo/ray_trainer.py"
_HOLDERS = (
    _FIRST_HOLDER,
    "verl/trainer/main_ppo.py",
    "verl/trainer/ppo/actor/dp_actor.py",
    "verl/trainer/ppo/critic/dp_critic.py",
    "verl/trainer/ppo/workers/fsdp_workers.py",
    "verl/utils/config.py",
    "verl/utils/seqlen_balancing.py",
    "verl/utils/tensordict_utils.py",
    "verl/workers/config/actor.py",
    "verl/workers/config/critic.py",
    "verl/workers/config/rollout.py",
    "verl/workers/engine/utils.py",
    "verl/workers/engine_workers.py",
    "verl/workers/fsdp_workers.py",
    "verl/workers/megatron_workers.py",
    "verl/workers/rollout/vllm_rollout/vllm_rollout_spmd.py",
)
"""Where verl refuses settings together, in some release; in the first ones all in one file."""


class VerlCopy:
    """The copy around a file, or else the nearest one in its project; empty where there is none."""

    def __init__(
        self, folders: Sequence[str], files: ProjectFiles, upgrades_to: str | None = None
    ) -> None:
        """`folders` are those around the file, and `upgrades_to` is as for `Project`."""
        self._folders, self._files, self._upgrades_to = folders, files, upgrades_to

    @cached_property
    def folder(self) -> str | None:
        """The folder that holds the package."""
        package = f"{_PACKAGE}/__init__.py"
        for folder in self._folders:
            if self._files.is_there(f"{folder}/{package}"):
                return folder
        below = self._files.holding(package, self._folders[-1])
        beside = ([one for one in below if f"{one}/".startswith(f"{f}/")] for f in self._folders)
        return next((ones[0] for ones in beside if ones), None)

    @cached_property
    def is_outdated(self) -> bool:
        """Whether the project is upgraded, and the copy says that it is of another age."""
        may_be = self.releases_around or releases()
        return self._upgrades_to is not None and self._upgrades_to not in may_be

    @property
    def packages(self) -> list[str]:
        """The folder of the package itself, if there is one."""
        return [f"{self.folder}/{_PACKAGE}"] if self.folder is not None else []

    @cached_property
    def is_whole(self) -> bool:
        """Whether it is all of verl.

        A folder that only bears its name may hold what connects verl with another trainer.
        """
        return self.folder is not None and self._files.is_there(f"{self.folder}/{_ANY_RELEASES}")

    def config_folders(self, release: Release) -> Iterator[str]:
        """Where it has configs; nowhere where it is outdated."""
        if self.folder is not None and not self.is_outdated:
            yield from (posixpath.join(self.folder, path) for path in release.facts.configs)

    def facts_in(
        self, folders: Collection[str], is_relevant: Callable[[str], bool]
    ) -> Iterator[CodeFacts]:
        """The facts of its modules in some folders of verl, as far as their texts may tell."""
        is_asked = self.folder is not None and not self.is_outdated
        for folder in sorted(folders) if is_asked else ():
            here = posixpath.join(str(self.folder), folder)
            for name in sorted(self._files.programs_in(here)):
                text = self._files.text(posixpath.join(here, name))
                if text is not None and is_relevant(text):
                    yield facts_of(text)

    def kept_out(self) -> Iterator[str]:
        """The names of what the project keeps out of git."""
        for folder in {str(self.folder), *self._folders}:
            for line in (self._files.text(posixpath.join(folder, ".gitignore")) or "").split("\n"):
                yield line.strip().removeprefix("**").strip("/")

    # Its files and checks

    def has_file(self, path: str, release: Release) -> bool:
        """Whether a copy about as old as the release has a file of the package."""
        return self.is_as_old_as(release) and self._files.is_there(f"{self.folder}/{path}")

    def reads_in(self, files: Sequence[str], key: str) -> bool:
        """Whether one of its files, or what they import beside it, takes a key out of a mapping.

        The mapping is called as in the key.
        """
        if self.folder is None or self.is_outdated:
            return False
        above, _, leaf = key.rpartition(".")
        read, texts = (above.rpartition(".")[2], leaf), list(self._texts_of(files))
        code = chain(texts, self._imported_beside(texts))
        return any(leaf in text and read in facts_of(text).reads for text in code)

    def _imported_beside(self, texts: Sequence[str]) -> Iterator[str]:
        """The code of the packages beside verl's that some of its files import."""
        names = {name for text in texts for name in _IMPORTED.findall(text)} - {_PACKAGE}
        for folder in (f"{self.folder}/{name}" for name in sorted(names)):
            if self._files.is_there(folder):
                yield from (text for _, text in self._files.programs_below(folder))

    def asks_before(self, made: str, key: str) -> bool:
        """Whether its trainer asks for a key before it makes something, an object of a class."""
        text = self._files.text(f"{self.folder}/{_FIRST_HOLDER}") if self.folder else None
        if text is None or made not in text or self.is_outdated:
            return False
        module = python_tree.parsed(text)
        names = asked_before(module, made) if module is not None else frozenset()
        return names.issuperset(key.split(".")[-2:])

    def names_in(self, files: Sequence[str], word: str) -> bool:
        """Whether one of its files has a word in quotes, or takes an argument of that name."""
        if self.folder is None or self.is_outdated:
            return False
        is_quoted = contains_quoted(word)
        return any(is_quoted(t) or word in facts_of(t).parameters for t in self._texts_of(files))

    def _texts_of(self, files: Sequence[str]) -> Iterator[str]:
        """What some of its files hold, as far as they are there."""
        texts = (self._files.text(f"{self.folder}/{file}") for file in files)
        return (text for text in texts if text is not None)

    def lacks_check(self, check: VerlsCheck, places: Sequence[str], release: Release) -> bool:
        """Whether it has verl's files that hold a check, and does not come to the check.

        In `places` that is in some release, though perhaps not in this one.
        """
        if not check.names or self.folder is None or self.is_outdated:
            return False
        needed = {_FIRST_HOLDER, *release.facts.files.intersection(places)}
        return needed <= self._refusals.keys() and not self._comes_to(check)

    def carries_over(self, module: str | None) -> bool:
        """Whether its program calls what makes the new settings for rewards of the old ones."""
        if self.folder is None or self.is_outdated or module is None:
            return False
        file = f"{self.folder}/{module.replace('.', '/')}.py"
        return f"{_CARRIES_OVER}(" in (self._files.text(file) or "")

    def has_check(self, check: VerlsCheck, release: Release) -> bool:
        """Whether it comes to a check that the release has not, by the names that stand in it."""
        if not check.names or not self.is_as_old_as(release) or self.is_outdated:
            return False
        refusals = ((file, one) for file, found in self._refusals.items() for one in found)
        return any(check.is_in(one) and not self._is_of_added(one, file) for file, one in refusals)

    def _comes_to(self, check: VerlsCheck) -> bool:
        return any(check.is_in(one) for found in self._refusals.values() for one in found)

    def _is_of_added(self, refusal: Refusal, file: str) -> bool:
        """Whether a refusal stands in a class that builds on another one of its file.

        A fork derives a worker for a purpose of its own there, which another part of the config is
        for.
        """
        bases = facts_of(self._files.text(f"{self.folder}/{file}") or "").bases
        of_file = {name for name, _ in bases}
        return any(name == refusal.owner and base in of_file for name, base in bases)

    @cached_property
    def _refusals(self) -> dict[str, list[Refusal]]:
        """The statements that refuse something, by their file, whose name is one of theirs."""
        texts = ((file, self._files.text(f"{self.folder}/{file}")) for file in _HOLDERS)
        return {
            file: [
                replace(one, names=one.names | {posixpath.basename(file).removesuffix(".py")})
                for one in facts.refusals
            ]
            for file, text in texts
            if text is not None
            for facts in [facts_of(text)]
            if facts.is_python
        }

    # Its age

    def is_run_from(self, release: Release) -> bool:
        """Whether a command runs in a copy around the file that is about as old as the release."""
        return self.folder in self._folders and self.is_as_old_as(release)

    def is_as_old_as(self, release: Release) -> bool:
        """Whether the release is one of those between which it was made, as its version says."""
        return release.name in self.releases_around

    @cached_property
    def releases_around(self) -> frozenset[str]:
        """The releases between which it was made, as its version says."""
        return _around(self.version) if self.version is not None else frozenset()

    @cached_property
    def version(self) -> str | None:
        """The version that it bears, as far as it says one."""
        path = f"{self.folder}/{_VERSION}"
        said = self._files.text(path) if self.folder is not None else None
        return said.strip() if said is not None else None


def _around(version: str) -> frozenset[str]:
    """The releases of a version, and those next to it: verl counts up before or after it releases.

    `0.4.1.dev` is what its main branch called itself between 0.4.1 and 0.5.0, and `0.8.0.dev`
    since 0.7.0, from which 0.7.1 had branched off.
    """
    said, parts = numbers(version), numbers_of_releases()
    if said is None:
        return frozenset()
    older = sorted({one for one in parts.values() if one <= said})
    newer = sorted({one for one in parts.values() if one > said})
    before = [one for one in older if one[:2] < said[:2]]
    near = {*older[-2:], *newer[:1], *(one for one in before if one[:2] == before[-1][:2])}
    return frozenset(name for name, one in parts.items() if one in near)
