"""The one release of verl that a text says it is for: a page, an image, the head of a config.

Only a whole number that stands right behind verl's name counts, or the tag of a clone of it. A text
that names two releases tells of changes, and says nothing.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from snippet_checker.projects.files import ProjectFiles
from snippet_checker.verl.release import nearest, releases

REPOSITORY = r"github\.com[:/](?:volcengine|verl-project)/verl(?:\.git)?(?![\w-])"
PAGES = (
    *(f"README{name}" for name in (".md", ".rst", "_zh.md", "_ZH.md", "_CN.md", ".zh-CN.md")),
    *("README_en.md", "INSTALL.md", "docs/install.md", "docs/installation.md"),
)
_NUMBER = r"v?(0\.\d{1,2}\.(?:x|\d{1,2}(?:\.(?:post|dev)\d{0,2})?))(?![\w.]{0,8}\w)"
_LATER = (
    r"(?![`*\"' ]{0,3}(?:\+|≥|→|->|(?:and|or)[ ](?:later|newer|above|higher|up)|(?:is[ ])?released"
    r"|及?以上|或更高|及更高|之[前后]|以[前后降]|起|から|より))"
)
_NAMED = re.compile(
    r"(?<![\w./@-])(?:(?:volcengine|verl-project)/)?verl(?![A-Za-z0-9_./-])[`*\]\"')]{0,3}"
    r"(?:\(https?:[^()\s]{0,200}\)[`*]{0,3})?"
    r"(?:[ \t]{0,2}(?:==|[:：=@|(（]|版本|version\b|release\b|tag\b)[`* \t]{0,2}){0,3}"
    rf"[ \t`*]{{0,3}}{_NUMBER}{_LATER}",
    re.IGNORECASE,
)
_BEFORE = re.compile(
    r"(?:\b(?:since|from|before|after|until|till|than|to|upgrad\w{1,4}|migrat\w{1,4}|not)\b"
    r"|[<>≥≤自从])[\s`*\"']{0,3}$",
    re.IGNORECASE,
)
_TAG = re.compile(
    rf"\bgit[ \t]clone[ \t][^\n]{{0,60}}?(?:-b|--branch)[ =]{_NUMBER}[^\n]{{0,60}}?{REPOSITORY}"
    rf"|{REPOSITORY}[^\n]{{0,60}}?(?:-b|--branch)[ =]{_NUMBER}"
    rf"|{REPOSITORY}.{{0,200}}?\bgit[ \t]checkout[ \t](?:tags/|release/)?{_NUMBER}",
    re.DOTALL,
)
_COMMIT = re.compile(
    rf"{REPOSITORY}.{{0,200}}?\bgit[ \t]checkout[ \t](?:[0-9a-f]{{7,40}}\b|\$)", re.DOTALL
)
_IMAGE = re.compile(r"\bverlai/verl:[\w.-]{0,80}?(?<![a-z])verl[_-]?v?(\d\.\d[\d.]{0,8})(?![\w.])")
_HEAD = 30  # lines
_MOST_CONFIGS = 60


def on_page(folders: Sequence[str], files: ProjectFiles) -> tuple[str, str, str] | None:
    """The version that the nearest page about a project names, and where that stands."""
    for folder in folders:
        for name in PAGES:
            version = named_in(files.text(posixpath.join(folder, name)) or "")
            if version is not None:
                return version, folder, name
    return None


def in_head(path: str, files: ProjectFiles) -> tuple[str, str, str] | None:
    """The version that the head of a file names."""
    version = named_in(_head(files.text(path) or ""))
    return (version, *posixpath.split(path)) if version is not None else None


def in_configs(root: str, files: ProjectFiles) -> tuple[str, str, str] | None:
    """The one version that heads of configs name, and the first of these."""
    found = [(one, *posixpath.split(path)) for path, one in _versions_of_configs(root, files)]
    return found[0] if len({release_of(version) for version, *_ in found}) == 1 else None


def _versions_of_configs(root: str, files: ProjectFiles) -> Iterator[tuple[str, str]]:
    for path in files.configs_below(root)[:_MOST_CONFIGS]:
        found = in_head(path, files)
        if found is not None:
            yield path, found[0]


@lru_cache(maxsize=128)
def named_in(text: str) -> str | None:
    """The version that a text names, if all that it names are of one release."""
    versions = sorted({*_named(text), *images_in(text)})
    known = {release_of(version) for version in versions}
    return versions[-1] if len(known) == 1 and None not in known else None


def takes_commit(text: str) -> bool:
    """Whether a text clones verl's repository and goes to a commit, or to what a variable says."""
    return _COMMIT.search(text) is not None


def images_in(text: str) -> Iterator[str]:
    """The versions of the images of verl's that a text takes."""
    return (version.rstrip(".") for version in _IMAGE.findall(text))


def release_of(version: str) -> str | None:
    """The release of a version.

    That of `0.5`, as images are named, is the first of these, and that of `0.5.x` the last.
    """
    if version.lower().endswith(".x"):
        begins = version[:-1]
        return next((one for one in reversed(releases()) if one.startswith(begins)), None)
    first = f"{version}.0"
    return first if first in releases() else nearest(version)


def _named(text: str) -> Iterator[str]:
    for match in _NAMED.finditer(text):
        if _BEFORE.search(text[max(0, match.start() - 24) : match.start()]) is None:
            yield match[1]
    for match in _TAG.finditer(text):
        yield next(filter(None, match.groups()))


def _head(text: str) -> str:
    return "\n".join(text.split("\n", _HEAD)[:_HEAD])
