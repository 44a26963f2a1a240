"""The release of verl that a project asks for where it names what it is installed with."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Sequence

from msgspec import Struct

from snippet_checker.projects.files import ProjectFiles
from snippet_checker.verl.release import nearest, releases

_FILES = (
    "pyproject.toml",
    "requirements.txt",
    "setup.py",
    "setup.cfg",
    "environment.yml",
    "environment.yaml",
)
_REMARK = re.compile(r"(?:^|(?<=\s))#")  # the `#egg=verl` of an address is none
_SUBMODULES = ".gitmodules"
_VERLS = r"github\.com[:/](?:volcengine|verl-project)/verl(?:\.git)?(?![\w-])"
_TAG = r"v?(\d{1,4}\.\d[\w.]{0,20})"  # a commit has no dot
_PINNED = (
    re.compile(r"(?<![\w./\[-])verl(?:\[[\w, -]{0,80}\])?[ \t]{0,4}==[ \t]{0,4}(\d[\w.]{0,20})"),
    re.compile(rf"{_VERLS}@{_TAG}"),
    re.compile(
        rf"{_VERLS}[\"'][^}}\n]{{0,80}}\b(?:tag|rev)[ \t]{{0,4}}=[ \t]{{0,4}}[\"']{_TAG}[\"']"
    ),
)
_FROM_GIT = re.compile(rf"(?:git\+|\bgit[ \t]{{0,4}}=[ \t]{{0,4}})[^\s#]{{0,40}}{_VERLS}")
_HASH = r"[0-9a-f]{7,40}\b(?!\.)"
_COMMIT = re.compile(
    rf"{_VERLS}(?:@{_HASH}|[\"'][^}}\n]{{0,80}}\brev[ \t]{{0,4}}=[ \t]{{0,4}}[\"']{_HASH})"
)
_IMAGES = ("Dockerfile", "docker/Dockerfile", "docker-compose.yml")
_IMAGE = re.compile(r"\bverlai/verl:[\w.-]{0,80}?(?<![a-z])verl[_-]?v?(\d\.\d[\d.]{0,8})(?![\w.])")
_SECTION = re.compile(r"^\[", re.MULTILINE)
_BRANCH = re.compile(rf"^[ \t]*branch[ \t]*=[ \t]*{_TAG}[ \t]*$", re.MULTILINE)


class Requirement(Struct, frozen=True):
    """One version of verl that the file `named` asks for, and the release that it is nearest to."""

    version: str
    release: str
    named: str
    folder: str


class FromGit(Struct, frozen=True):
    """Verl's repository as the file `named` takes it, without a release that anybody could read."""

    named: str
    folder: str


def requirement(folders: Sequence[str], files: ProjectFiles) -> Requirement | None:
    """What the nearest of some folders asks for; None where it is not one version alone."""
    for folder in folders:
        for name in (*_FILES, _SUBMODULES):
            text = files.text(posixpath.join(folder, name))
            versions = set(_versions(text)) if text is not None else set()
            if versions and text is not None and _takes_a_commit(text):
                return None  # and a version that nobody can read, for some other part of it
            if len(versions) == 1:
                [version] = versions
                release = nearest(version)
                return Requirement(version, release, name, folder) if release else None
            if versions:
                return None
        images = {
            (version.rstrip("."), name)
            for name in _IMAGES
            for version in _IMAGE.findall(files.text(posixpath.join(folder, name)) or "")
        }
        if len({version for version, _ in images}) == 1:
            version, name = min(images)
            first = f"{version}.0"  # `verl0.5` is the image of 0.5.0, and no version before it
            release = first if first in releases() else nearest(version)
            return Requirement(version, release, name, folder) if release else None
    return None


def from_git(folders: Sequence[str], files: ProjectFiles) -> FromGit | None:
    """Where the nearest of some folders takes verl from git at a commit, or as a submodule."""
    for folder in folders:
        for name in (*_FILES, _SUBMODULES):
            text = files.text(posixpath.join(folder, name))
            if text is None:
                continue
            if _takes_a_commit(text) or (not _versions(text) and _takes_from_git(name, text)):
                return FromGit(name, folder)
    return None


def _takes_from_git(name: str, text: str) -> bool:
    if name == _SUBMODULES:
        return re.search(_VERLS, text) is not None
    return any(_FROM_GIT.search(line) is not None for line in _lines(text))


def _takes_a_commit(text: str) -> bool:
    """Whether some line takes verl from git at a commit, whatever else names a version."""
    return any(_COMMIT.search(line) is not None for line in _lines(text))


def _versions(text: str) -> list[str]:
    """The versions of verl that a file names, a submodule's branch among them."""
    found = [one for line in _lines(text) for pinned in _PINNED for one in pinned.findall(line)]
    of_verl = (part for part in _SECTION.split(text) if re.search(_VERLS, part))
    return [*found, *(branch for part in of_verl for branch in _BRANCH.findall(part))]


def _lines(text: str) -> Iterator[str]:
    """The lines of a file, without remarks: what stands behind a blank and `#`."""
    return (_REMARK.split(line, maxsplit=1)[0] for line in text.splitlines())
