"""The release of verl that a project asks for where it names what it is installed with."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Collection, Iterator, Sequence

from msgspec import Struct
from packaging.version import Version

from snippet_checker.projects import changed_verl, named_release
from snippet_checker.projects.files import ProjectFiles
from snippet_checker.projects.requirement_files import (
    FILES,
    IMAGE,
    IMAGES,
    lines_without_remarks,
)
from snippet_checker.verl.bounds import bounds_of, takes
from snippet_checker.verl.release import numbers, releases

_PACKAGING = "setup.py"
_SUBMODULES = ".gitmodules"
_VERLS = named_release.REPOSITORY
_TAG = r"v?(\d{1,4}\.\d[\w.]{0,20})"  # a commit has no dot
_PINNED = (
    re.compile(
        r"(?<![\w./\[-])verl(?:\[[\w, -]{0,80}\])?[ \t]{0,4}==[ \t]{0,4}(\d[\w.]{0,20})(?![\w.*])"
    ),
    re.compile(rf"{_VERLS}@{_TAG}"),
    re.compile(
        rf"{_VERLS}[\"'][^}}\n]{{0,80}}\b(?:tag|rev)[ \t]{{0,4}}=[ \t]{{0,4}}[\"']{_TAG}[\"']"
    ),
)
_BOUND = r"(?:[<>!=~]=|[<>])[ \t]{0,4}\d[\w.*]{0,20}"
_RANGE = re.compile(
    r"(?<![\w./\[-])verl(?:\[[\w, -]{0,80}\])?[ \t]{0,4}\(?"
    rf"({_BOUND}(?:[ \t]{{0,4}},[ \t]{{0,4}}{_BOUND}){{0,3}})"
)
_ENDS = re.compile(r"[<~]|==")  # a range with one of these ends before some release
_FROM_GIT = re.compile(rf"(?:git\+|\bgit[ \t]{{0,4}}=[ \t]{{0,4}})[^\s#]{{0,40}}{_VERLS}")
_HASH = r"[0-9a-f]{7,40}\b(?!\.)"
_COMMIT = re.compile(
    rf"{_VERLS}(?:@{_HASH}|[\"'][^}}\n]{{0,80}}\brev[ \t]{{0,4}}=[ \t]{{0,4}}[\"']{_HASH})"
)
_SCRIPTS = tuple(
    f"{folder}{verb}{what}.sh"
    for folder in ("", "scripts/")
    for verb in ("setup", "install")
    for what in ("", "_env", "_verl", "_verl_env")
)
_MOST_IMAGES = 8
_OF_FORK = re.compile(r"^[ \t]*url[ \t]*=[^\n#]{1,100}/verl(?:\.git)?[ \t]*$", re.MULTILINE)
_SECTION = re.compile(r"^\[", re.MULTILINE)
_BRANCH = re.compile(rf"^[ \t]*branch[ \t]*=[ \t]*{_TAG}[ \t]*$", re.MULTILINE)
_TAKEN = r"(?:\bgit[ \t]clone\b[^\n]{0,80}?|git\+[^\s#]{0,20})"
_FORK = (
    r"github\.com[:/](?!(?:volcengine|verl-project)/)[\w.-]{1,60}/"
    r"(?P<name>[Vv]e[Rr][Ll](?:[-_][\w-]{1,60})?)(?:\.git)?(?![\w-])"
)
_TAKES_FORK = re.compile(_TAKEN + _FORK)
_TAKES_VERLS = re.compile(_TAKEN + _VERLS)
_NAMES_VERLS = re.compile(_VERLS)
_IS_VERL = re.compile(r"^[ \t]*name[ \t]*=[ \t]*([\"'])verl\1", re.MULTILINE)


class Requirement(Struct, frozen=True):
    """One version of verl that `file` asks for, and the release that it is nearest to."""

    version: str
    release: str
    file: str
    folder: str
    verb: str = "asks for"

    @property
    def is_pinned(self) -> bool:
        """Whether nothing else can be installed: pip knows no `0.8.x`."""
        return self.verb == "asks for" and numbers(self.version) is not None


class FromGit(Struct, frozen=True):
    """Verl's repository as `file` takes it, without a release that anybody could read.

    Where a commit `is_fixed`, nobody knows its age; else it is the newest one.
    """

    file: str
    folder: str
    is_fixed: bool


def requirement(path: str, folders: Sequence[str], files: ProjectFiles) -> Requirement | None:
    """What is installed around a file; else what it, a page about the project or a config names."""
    asked = _installed(folders, files)
    if asked is not None:
        return asked
    source = from_git(folders, files)
    near = folders.index(source.folder) + 1 if source is not None else len(folders)
    found = (
        named_release.in_head(path, files)
        or named_release.on_page(folders[:near], files)  # of a part with a commit of its own
        or named_release.in_configs(folders[-1], files)
    )
    return _named(*found, verb="names") if found is not None else None


def _named(version: str, folder: str, name: str, verb: str = "asks for") -> Requirement | None:
    release = named_release.release_of(version)
    return Requirement(version, release, name, folder, verb) if release is not None else None


def _installed(folders: Sequence[str], files: ProjectFiles) -> Requirement | None:
    """What the nearest of some folders asks for; None where it is not one version alone."""
    for folder in folders:
        for name in (*FILES, _SUBMODULES):
            text = files.text(posixpath.join(folder, name))
            versions = set(_versions(text)) if text is not None else set()
            if versions and text is not None and _takes_a_commit(text):
                return None  # and a version that nobody can read, for some other part of it
            if not versions and name == _SUBMODULES and text and _takes_from_git(name, text):
                return None  # the images may have another one, which is not what runs
            if len(versions) == 1:
                return _named(versions.pop(), folder, name)
            if versions:
                return None
            ranges = set(_ranges(text)) if text is not None else set()
            if len(ranges) == 1:
                asked = ranges.pop()
                release = _newest_of(asked)
                return Requirement(asked, release, name, folder) if release else None
        images = {
            (version, name)
            for name in (*IMAGES, *_SCRIPTS)
            if (version := named_release.named_in(files.text(posixpath.join(folder, name)) or ""))
        }
        if len({version for version, _ in images}) == 1:
            version, name = min(images)
            return _named(version, folder, name)
    return _image_below(folders[-1], files)


def _image_below(root: str, files: ProjectFiles) -> Requirement | None:
    """The one version of the images that a project makes in other folders of its own."""
    found = [
        (version, folder, IMAGE)
        for folder in files.holding(IMAGE, root)[:_MOST_IMAGES]
        if (version := named_release.named_in(files.text(posixpath.join(folder, IMAGE)) or ""))
    ]
    return _named(*found[0]) if len({version for version, *_ in found}) == 1 else None


def _newest_of(asked: str) -> str | None:
    """The newest release of a range that ends before some release."""
    bounds = bounds_of(asked)
    known = [one for one in releases() if takes(bounds, Version(one))]
    return known[-1] if bounds and known else None


def from_git(folders: Sequence[str], files: ProjectFiles) -> FromGit | None:
    """Where the nearest of some folders takes verl from git at a commit, or a fork of it."""
    found = [one for one in (_from_verls(folders, files), fork(folders, files)) if one is not None]
    return min(found, key=lambda one: folders.index(one.folder), default=None)


def _from_verls(folders: Sequence[str], files: ProjectFiles) -> FromGit | None:
    """Where they take it from verl's own repository, or as a submodule."""
    for folder in folders:
        for name in (*FILES, _SUBMODULES):
            text = files.text(posixpath.join(folder, name))
            if text is None:
                continue
            is_fixed = name == _SUBMODULES or _takes_a_commit(text)
            if _takes_a_commit(text) or (not _versions(text) and _takes_from_git(name, text)):
                return FromGit(name, folder, is_fixed)
        for name in (*named_release.PAGES, *IMAGES):
            text = files.text(posixpath.join(folder, name)) or ""
            is_installed = name in IMAGES and _takes_a_commit(text)
            if is_installed or named_release.takes_commit(text):
                return FromGit(name, folder, is_fixed=True)
    return None


def fork(folders: Sequence[str], files: ProjectFiles) -> FromGit | None:
    """Where the nearest of some folders takes a fork of verl, or packages one.

    A project that clones itself takes none.
    """
    itself = {posixpath.basename(folders[-1])}
    for folder in folders:
        for name in (_SUBMODULES, *FILES, *IMAGES, *_SCRIPTS, *named_release.PAGES):
            text = files.text(posixpath.join(folder, name))
            if text is None:
                continue
            if name not in named_release.PAGES:
                text = "\n".join(lines_without_remarks(text))
            takes_verls = _NAMES_VERLS if name == _SUBMODULES else _TAKES_VERLS
            if takes_verls.search(text) is not None:
                return None
            if _is_fork(name, text, itself):
                return FromGit(name, folder, is_fixed=True)
    return None


def changes_verl(path: str, folders: Sequence[str], files: ProjectFiles) -> bool:
    """Whether the file `path`, a script for setting up or a page around it changes verl's files."""
    own = files.text(path) or ""
    return changed_verl.is_changed(own) or any(
        map(changed_verl.is_changed, _telling(folders, files))
    )


def calls_fork(path: str, folders: Sequence[str], files: ProjectFiles) -> bool:
    """Whether the file `path` goes to a fork of verl, or a page or such a script speaks of one."""
    own = files.text(path) or ""
    return changed_verl.starts_elsewhere(own) or any(
        map(changed_verl.is_called_fork, _telling(folders, files))
    )


def _telling(folders: Sequence[str], files: ProjectFiles) -> Iterator[str]:
    for folder in folders:
        for name in (*IMAGES, *_SCRIPTS, *named_release.PAGES):
            text = files.text(posixpath.join(folder, name))
            if text is not None:
                yield text


def _is_fork(name: str, text: str, itself: Collection[str]) -> bool:
    if name == _SUBMODULES:
        return _OF_FORK.search(text) is not None
    if name == _PACKAGING and _IS_VERL.search(text) is not None:
        return True
    return any(one["name"] not in itself for one in _TAKES_FORK.finditer(text))


def _takes_from_git(name: str, text: str) -> bool:
    if name == _SUBMODULES:
        return _NAMES_VERLS.search(text) is not None or _OF_FORK.search(text) is not None
    return any(_FROM_GIT.search(line) is not None for line in lines_without_remarks(text))


def _takes_a_commit(text: str) -> bool:
    """Whether some line takes verl from git at a commit, whatever else names a version."""
    return any(_COMMIT.search(line) is not None for line in lines_without_remarks(text))


def _versions(text: str) -> list[str]:
    """The versions of verl that a file names, a submodule's branch among them."""
    found = [
        one
        for line in lines_without_remarks(text)
        for pinned in _PINNED
        for one in pinned.findall(line)
    ]
    of_verl = (part for part in _SECTION.split(text) if _NAMES_VERLS.search(part))
    return [*found, *(branch for part in of_verl for branch in _BRANCH.findall(part))]


def _ranges(text: str) -> list[str]:
    """The ranges of versions that a file asks for and that end."""
    found = (one for line in lines_without_remarks(text) for one in _RANGE.findall(line))
    return [one for one in found if _ENDS.search(one) is not None]
