"""The files around a checked one, read from disk when a command asks for them."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice
from pathlib import Path
from typing import cast

from msgspec import Struct, field

from snippet_checker import files
from snippet_checker.projects.files import (
    Programs,
    configs_below,
    holding,
    is_config,
    is_program,
    programs_below,
)

_MOST_BYTES = 1_000_000  # of a config or a program
_MOST_NAMES = 10_000  # of one folder
_MOST_KEPT = 100_000_000  # characters of answers


class FileCache(Struct):
    """What the disk has said in one run, which every file of the run is checked with.

    Most files of a project ask the same questions. Each is answered once, and what changes on
    disk during the run is not seen. Where the run goes over many projects, what earlier ones were
    asked is forgotten.
    """

    _known: dict[str, tuple[object, str]] = field(default_factory=dict)
    _size: int = 0

    def answer(self, question: str) -> tuple[object, str]:
        """The answer to a question, and a digest of it."""
        if question not in self._known:
            what, _, path = question.partition(":")
            answer = _FINDERS[what](path)
            self._size += _characters(answer)
            if self._size > _MOST_KEPT:
                self._known.clear()
                self._size = _characters(answer)
            self._known[question] = answer, _digest(answer)
        return self._known[question]

    def is_unchanged(self, question: str, digest: str) -> bool:
        """Whether a question still has the answer that a digest was made of."""
        return question.partition(":")[0] in _FINDERS and self.answer(question)[1] == digest


class DiskFiles(Struct):
    """The disk for one file, and what that asked: `seen` has a digest of each answer.

    A result holds as long as the same questions have the same answers.
    """

    answers: FileCache = field(default_factory=FileCache)
    seen: dict[str, str] = field(default_factory=dict)

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

    def programs_below(self, folder: str) -> Programs:
        """The Python files in a folder and below by their paths; one question."""
        return cast(Programs, self._asked("programs-below", folder))

    def holding(self, inner: str, folder: str) -> tuple[str, ...]:
        """The folders, among one and those below, that have a path inside, the nearer first.

        One question: what else comes into these folders changes nothing.
        """
        return cast("tuple[str, ...]", self._asked("holding", f"{inner}:{folder}"))

    def configs_below(self, folder: str) -> tuple[str, ...]:
        """The paths of the YAML files in a folder and below, the nearer first; one question."""
        return cast("tuple[str, ...]", self._asked("configs-below", folder))

    def _asked(self, what: str, path: str) -> object:
        question = f"{what}:{path}"
        answer, self.seen[question] = self.answers.answer(question)
        return answer


def _characters(answer: object) -> int:
    """The length of an answer's text."""
    if isinstance(answer, tuple):
        return sum(map(_characters, answer))
    return len(answer) if isinstance(answer, str) else 0


def is_about(question: str, places: frozenset[Path]) -> bool:
    """Whether the text of one of some files, by their real paths, is a part of the answer."""
    what, _, name = question.partition(":")
    if what not in ("text", "programs-below"):
        return False
    path = files.resolved(Path(name))
    if what == "text":
        return path in places
    return any(is_program(place.name) and place.is_relative_to(path) for place in places)


def _digest(answer: object) -> str:
    found = hashlib.sha256()
    for part in _parts(answer):
        found.update(part.encode("utf-8", "surrogatepass"))
    return found.hexdigest()[:32]


def _parts(answer: object) -> Iterator[str]:
    """What no other answer is written as: its kind, its length, and what it holds.

    The `repr` of all programs of a project would take longer than to read them.
    """
    if isinstance(answer, str):
        yield f'"{len(answer)}:'
        yield answer
    elif isinstance(answer, tuple | frozenset):
        yield f"{type(answer).__name__}{len(answer)}:"
        for one in answer if isinstance(answer, tuple) else sorted(answer):
            yield from _parts(one)
    else:
        yield repr(answer)


def _text(path: str) -> str | None:
    if not os.path.lexists(path):  # as most that are asked for; nothing is opened for them
        return None
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


_FINDERS: dict[str, Callable[[str], object]] = {
    "text": _text,
    "there": os.path.lexists,
    "configs": partial(_names_in, is_meant=is_config),
    "holding": lambda path: holding(DiskFiles(), *path.partition(":")[::2]),
    "configs-below": lambda folder: configs_below(DiskFiles(), folder),
    "programs": partial(_names_in, is_meant=is_program),
    "programs-below": lambda folder: programs_below(DiskFiles(), folder),
}
