"""`unknown-file`: a file of verl's package that is gone, or one that the project does not have."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator

from snippet_checker.findings import Problem, Stage
from snippet_checker.judge.verdict import Accepted
from snippet_checker.rules.advice import new_text, of_value
from snippet_checker.rules.base import JudgedSnippet, Rule
from snippet_checker.snippets.snippet import Mention
from snippet_checker.text.closest import closest
from snippet_checker.verl import drift, history
from snippet_checker.verl.release import Release, load, releases

_PATH = "path"  # the last word of the name of a key that takes one
_READ = (".py", ".yaml")  # what verl reads, and does not write
_OWN_START = re.compile(r"[\w.-]+/")  # neither of another machine, nor of a variable


def _check(judged: JudgedSnippet) -> Iterator[Problem]:
    yield from _of_mentions(judged)
    if judged.command is not None and judged.snippet.block.whole_file:
        yield from _of_settings(judged)


def _of_settings(judged: JudgedSnippet) -> Iterator[Problem]:
    """The files that a script's command hands to verl, where the project has only the folder."""
    text = judged.snippet.block.text
    for verdict in judged.verdicts_of(Accepted):
        setting, path = verdict.setting, verdict.setting.value
        if not isinstance(path, str) or not path.endswith(_READ):
            continue
        if setting.key.rpartition(".")[2].rpartition("_")[2] != _PATH or not setting.sure:
            continue
        is_made = text.count(posixpath.basename(path)) > 1  # by the script itself, perhaps
        if _OWN_START.match(path) and not is_made and judged.project.lacks_file(path):
            message = f"this project has the folder of '{path}', and not the file, which"
            message += f" '{setting.key}' names"
            yield of_value(setting, message, stage=Stage.VERL)


def _of_mentions(judged: JudgedSnippet) -> Iterator[Problem]:
    for file in judged.mentions.files if judged.mentions is not None else ():
        release = _release_of(file, judged.release)
        if release is None or file.text in release.facts.files:
            continue
        last = history.last_with_file(file.text, release.name)
        if last is None:
            continue  # in no earlier wheel: the reader's own, or outside the package
        if file.revision is None and judged.project.verl_copy.has_file(file.text, release):
            continue  # the page is about that copy
        message = f"verl {release.name} has no file '{file.text}', which {last} has"
        suggestion = _moved(file.text, release) or _nearest(file.text, release)
        if suggestion is not None:
            message += f"; there is '{suggestion}'"
        yield Problem(file.span, message, file.text, suggestion, change=new_text(suggestion))


def _release_of(file: Mention, checked: Release) -> Release | None:
    """The release that an address points to: a tag's own, else the checked one."""
    if file.revision is None or file.revision in ("main", "master"):
        return checked
    tag = file.revision.removeprefix("v")
    return load(tag) if re.match(r"v?\d", file.revision) and tag in releases() else None


def _moved(path: str, release: Release) -> str | None:
    """Where most lines of a file stand now."""
    found = (one.new for one in drift.moved_files() if one.old == path)
    return next((new for new in found if new in release.facts.files), None)


def _nearest(path: str, release: Release) -> str | None:
    folder = path.rpartition("/")[0]
    beside = (known for known in release.facts.files if known.rpartition("/")[0] == folder)
    return closest(path, beside)


RULE = Rule(
    "unknown-file",
    Stage.DOCS,
    "A file that was in verl's package and is no longer, or one that a project lacks.",
    _check,
)
