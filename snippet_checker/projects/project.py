"""The project around a document: what it adds to verl, so that verl is not to judge it."""

from __future__ import annotations

import posixpath
from functools import cached_property

from snippet_checker.projects import engines, programs
from snippet_checker.projects.code import ProjectCode
from snippet_checker.projects.config_flow import NO_FLOW, ConfigFlow
from snippet_checker.projects.config_walk import config_flow
from snippet_checker.projects.configs import ProjectConfigs
from snippet_checker.projects.copy_configs import CopyConfigs
from snippet_checker.projects.files import (
    NO_FILES,
    ProjectFiles,
    begins_project,
    folders_above,
)
from snippet_checker.projects.named_files import NamedFiles
from snippet_checker.projects.page_code import Reads, read_in
from snippet_checker.projects.requirement import (
    FromGit,
    Requirement,
    calls_fork,
    changes_verl,
    fork,
    from_git,
    requirement,
)
from snippet_checker.projects.verl_copy import VerlCopy
from snippet_checker.projects.whole_config import WholeConfig, whole_config, written_out_for
from snippet_checker.verl.bounds import Bounds
from snippet_checker.verl.facts import ClosedSet
from snippet_checker.verl.release import Release

_MOST_PROGRAMS = 20  # that are followed for one file
_PUT_OVER = (
    "verl/trainer/main_ppo.py",
    "verl/trainer/ppo/core_algos.py",
    "verl/trainer/ppo/ray_trainer.py",
    "verl/workers/actor/dp_actor.py",
    "verl/workers/fsdp_workers.py",
)
"""The files of verl that people change most."""


class Project:
    """A project by one of its files. Each part is read when it is first asked.

    Where it `upgrades_to` a release, its copy of an older one is outdated. Where it is not
    followed, since somebody named a release, texts do not say that its verl is another one.
    """

    def __init__(
        self,
        path: str,
        files: ProjectFiles,
        upgrades_to: str | None = None,
        *,
        is_followed: bool = True,
    ) -> None:
        self._path, self._files, self._upgrades_to = files.absolute(path), files, upgrades_to
        self._is_followed = is_followed
        self._config_flows: dict[tuple[str, str], ConfigFlow] = {}

    @cached_property
    def _folders(self) -> list[str]:
        return folders_above(self._files, self._path)

    @cached_property
    def configs(self) -> ProjectConfigs:
        """The keys of its own configs."""
        return ProjectConfigs(self._folders, self._files)

    @cached_property
    def verl_copy(self) -> VerlCopy:
        """Its copy of verl."""
        return VerlCopy(self._folders, self._files, self._upgrades_to)

    @cached_property
    def copy_configs(self) -> CopyConfigs:
        """The configs of that copy."""
        return CopyConfigs(self.verl_copy, self._files)

    @cached_property
    def named_files(self) -> NamedFiles:
        """The scripts and configs that the file names."""
        return NamedFiles(self._path, self._folders, self._files, self.configs)

    @cached_property
    def reads_of_page(self) -> Reads:
        """What the code on the page about the file's folder takes out of a config."""
        text = self._files.text(posixpath.join(self._folders[0], "README.md"))
        return read_in([text]) if text is not None else frozenset()

    @cached_property
    def requirement(self) -> Requirement | None:
        """The version of verl that it asks for."""
        return requirement(self._path, self._folders, self._files)

    def engine_asked_for(self, engine: str) -> list[Bounds]:
        """What it asks for of vLLM or SGLang: nothing sure where it is upgraded."""
        if self._upgrades_to is not None:
            return []
        return engines.asked(engine, self._folders, self._files)

    @cached_property
    def from_git(self) -> FromGit | None:
        """Where it takes verl from git without naming a release, and has no copy of it."""
        if self.release is not None:
            return None
        return from_git(self._folders, self._files)

    @cached_property
    def has_unseen_fork(self) -> bool:
        """Whether its verl is a fork that is not here, with keys and words that no release has."""
        if self.verl_copy.is_whole:
            return False
        around = self._folders, self._files
        is_pinned = self.requirement is not None and self.requirement.is_pinned
        if self._is_followed and (changes_verl(self._path, *around) or self._holds_part_of_verl):
            return True
        if is_pinned:
            return False
        is_called = self._is_followed and calls_fork(self._path, *around)
        return is_called or fork(*around) is not None

    @cached_property
    def _holds_part_of_verl(self) -> bool:
        """Whether it has files at the places of some of verl's, which are put over those."""
        root = self._folders[-1]
        return any(self._files.holding(path, root) for path in _PUT_OVER)

    @property
    def age_is_open(self) -> bool:
        """Whether its verl may be of any age: a commit, or a fork that is not here."""
        if self.release is not None:
            return False
        return self.has_unseen_fork or (self.from_git is not None and self.from_git.is_fixed)

    @cached_property
    def stated_release(self) -> str | None:
        """The release that it has: that of its whole copy of verl, or else the one it asks for.

        A copy whose version is no release counts as the release that it is nearest to.
        """
        if self.verl_copy.is_whole:
            return self.copy_configs.nearest_release
        return self.requirement.release if self.requirement is not None else None

    @property
    def release_may_differ(self) -> bool:
        """Whether the file may be for another verl than the release that is stated.

        That is only named, or the project's copy lies beside the file.
        """
        if self.verl_copy.is_whole:
            return self.verl_copy.folder not in self._folders
        return self.requirement is not None and not self.requirement.is_pinned

    @property
    def is_certain(self) -> bool:
        """Whether it is sure which verl the file is for: a copy around it, or what is installed.

        Who checks a file that is in no project asks what the release makes of each setting.
        """
        if self.verl_copy.is_whole:
            return not self.release_may_differ
        is_pinned = self.requirement is not None and self.requirement.is_pinned
        return is_pinned or not begins_project(self._files, self._folders[-1])

    @cached_property
    def whole_config(self) -> WholeConfig | None:
        """A whole config of its own, where nothing else says which verl it is for.

        The file itself is one also beside a release that the project only names, or that agrees.
        """
        if self.verl_copy.is_whole:
            return None
        asked = self.requirement
        if asked is None:
            return whole_config(self._path, self._folders, self._files)
        own = written_out_for(self._path, self._files)
        if own is None or (asked.is_pinned and asked.release != own):
            return None
        return WholeConfig(self._path, own)

    @cached_property
    def written_out_for(self) -> str | None:
        """The release of the file, where the file itself is such a config.

        The file is read first: for any other one, nothing of the project is.
        """
        own = written_out_for(self._path, self._files)
        return own if own is not None and self.whole_config is not None else None

    @property
    def release(self) -> str | None:
        """The release that it has, or else the one that a config of its own is written out for."""
        known = self.whole_config
        return known.release if known is not None else self.stated_release

    @cached_property
    def _before_upgrade(self) -> Project:
        return Project(self._path, self._files)

    def is_of_outdated_copy(self, key: str, release: Release) -> bool:
        """Whether a key is of the outdated copy of verl: in its config, or read there."""
        if not self.verl_copy.is_outdated:
            return False
        before = self._before_upgrade
        return before.copy_configs.adds_key(key, release) or before.code.reads(key, release)

    def is_word_of_outdated_copy(
        self, word: str, sets: tuple[ClosedSet, ...], release: Release, started: str | None
    ) -> bool:
        """Whether a word is one that code around the outdated copy of verl brought in."""
        if not self.verl_copy.is_outdated:
            return False
        return self._before_upgrade.code.accepts_word(word, sets, release, started)

    @cached_property
    def code(self) -> ProjectCode:
        """What its Python code reads, declares and takes."""
        return ProjectCode(self._folders, self._files, self.verl_copy)

    def config_flow(self, entry: str, release: Release) -> ConfigFlow:
        """What of verl gets the config of a program of the project's own."""
        asked, known = (entry, release.name), self._config_flows
        if asked not in known:
            is_one_more = len(known) < _MOST_PROGRAMS
            found = self._found_config_flow(entry, release) if is_one_more else NO_FLOW
            known[asked] = found
        return known[asked]

    def _found_config_flow(self, entry: str, release: Release) -> ConfigFlow:
        copy = self.verl_copy.folder
        folders = list(dict.fromkeys([*self._folders, *([copy] if copy is not None else [])]))
        program = programs.find(entry, folders, self._files, release)
        if not isinstance(program, programs.ProjectProgram):
            return NO_FLOW
        around = [program.folder, *folders_above(self._files, program.file), *folders]
        return config_flow(program.file, list(dict.fromkeys(around)), self._files, release)

    def lacks_file(self, path: str) -> bool:
        """Whether a folder around the file has the folder of a relative path, and none its end.

        A command may start in any folder of the project.
        """
        folder, name = posixpath.split(posixpath.normpath(path))
        if not folder or folder.startswith(".."):
            return False
        has_folder = any(self._has_like(posixpath.join(one, folder), name) for one in self._folders)
        return has_folder and not self._files.holding(f"{folder}/{name}", self._folders[-1])

    def _has_like(self, folder: str, name: str) -> bool:
        """Whether a folder has files of the kind that a name is of."""
        kind = posixpath.splitext(name)[1]
        names = self._files.programs_in(folder) | self._files.configs_in(folder)
        return any(one.endswith(kind) for one in names)

    @cached_property
    def _starters(self) -> tuple[str, ...]:
        return tuple(programs.starting_from(self._path, self._folders, self._files))

    @property
    def starts_from_file(self) -> bool:
        """Whether one of its programs starts from the file, as Hydra starts from a config."""
        return bool(self._starters)

    @property
    def hands_file_to_verl(self) -> bool:
        """Whether one of these programs imports something of verl's."""
        return any(map(programs.imports_verl, self._starters))


NO_PROJECT = Project("", NO_FILES)
"""A project of which nothing is known."""
