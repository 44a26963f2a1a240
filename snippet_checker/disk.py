"""The files around a checked one, read from disk when a command asks for them."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from pathlib import Path
from typing import cast

from snippet_checker import files
from snippet_checker.projects.files import holding, is_config, is_program

_MOST_BYTES = 1_000_000  # of a config or a program
_MOST_NAMES = 10_000  # of one folder


@dataclass(slots=True)
class Disk:
    """The disk, and what was asked of it: `seen` has a digest of each answer by its question.

    A result holds as long as the same questions have the same answers.
    """

    seen: dict[str, str] = field(default_factory=dict)
    _answers: dict[str, object] = field(default_factory=dict)

    def absolute(self, name: str) -> str:
        """The path of a file that a user names."""
        return (Path.cwd() / os.path.normpath(name)).as_posix()

    def text(self, path: str) -> str | None:
        """What a file holds; None where there is none that can be read as text."""
        return cast("str | None", self._asked("text", path))

    def is_there(self, path: str) -> bool:
        """Whether there is a file or a folder at a path."""
        return cast("bool", self._asked("there", path))

    def configs_in(self, folder: str) -> frozenset[str]:
        """The names of the YAML files in a folder, and those of its folders with a slash."""
        return cast("frozenset[str]", self._asked("configs", folder))

    def programs_in(self, folder: str) -> frozenset[str]:
        """The names of the Python files in a folder."""
        return cast("frozenset[str]", self._asked("programs", folder))

    def holding(self, inner: str, folder: str) -> tuple[str, ...]:
        """The folders, among one and those below, that have a path inside, the nearer first.

        One question: what else comes into these folders changes nothing.
        """
        return cast("tuple[str, ...]", self._asked("holding", f"{inner}:{folder}"))

    def _asked(self, what: str, path: str) -> object:
        question = f"{what}:{path}"
        if question not in self._answers:
            self._answers[question] = answer = _FINDERS[what](path)
            self.seen[question] = _digest(answer)
        return self._answers[question]


def is_unchanged(question: str, digest: str) -> bool:
    """Whether a question still has the answer that a digest was made of."""
    what, _, path = question.partition(":")
    find = _FINDERS.get(what)
    return find is not None and _digest(find(path)) == digest


def texts_read(questions: Iterable[str]) -> Iterator[str]:
    """The paths of the files that some of the questions asked the text of."""
    for question in questions:
        what, _, path = question.partition(":")
        if what == "text":
            yield path


def _digest(answer: object) -> str:
    said = repr(sorted(answer) if isinstance(answer, frozenset) else answer)
    return hashlib.sha256(said.encode("utf-8", "surrogateescape")).hexdigest()[:32]


def _text(path: str) -> str | None:
    try:
        return files.text_of(files.read(Path(path), _MOST_BYTES))
    except (files.UnreadableFile, ValueError):
        return None


def _names_in(folder: str, is_meant: Callable[[str], bool]) -> frozenset[str]:
    try:
        with os.scandir(folder or "/") as entries:
            found = islice(entries, _MOST_NAMES)
            # A link may lead nowhere: into a repository that was not taken along.
            names = (e.name + "/" * e.is_dir() for e in found if e.is_dir() or e.is_file())
            return frozenset(name for name in names if is_meant(name))
    except (OSError, ValueError):
        return frozenset()


def _holding(path: str) -> tuple[str, ...]:
    inner, _, folder = path.partition(":")
    return holding(Disk(), inner, folder)


_FINDERS: dict[str, Callable[[str], object]] = {
    "text": _text,
    "there": os.path.lexists,
    "configs": partial(_names_in, is_meant=is_config),
    "holding": _holding,
    "programs": partial(_names_in, is_meant=is_program),
}
