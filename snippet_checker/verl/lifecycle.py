"""Keys that verl never reads or warns of, odd values it takes, words it took once."""

from __future__ import annotations

import fnmatch
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from snippet_checker.verl import tables
from snippet_checker.verl.release import Release
from snippet_checker.verl.tables import Reviewed

LIFECYCLE = Path(__file__).with_name("lifecycle.toml")
KINDS = ("ineffective", "deprecated", "value", "word", "read")


class Note(Reviewed, frozen=True):
    """What became of some keys."""

    successor: str | None = None
    suffix: str = ""
    other_value: bool = False
    stops: bool = False
    unless: str | None = None
    values: tuple[str | bool, ...] = ()
    types: tuple[str, ...] = ()
    instead: str | None = None
    refusal: tuple[str, ...] = ()

    def holds(self, key: str, release: str, module: str | None) -> bool:
        """Whether the note is about `key` of `release`, in a program started as `module`.

        Without a module, a note about the program that most commands start is meant.
        """
        return self.names(key) and self.is_about(release) and self.is_of(module or _USUAL)

    def replacement(self, key: str, release: Release) -> str | None:
        """The key to set instead of `key`, if it is there."""
        pattern = next(p for p in self.keys if fnmatch.fnmatchcase(key, p))
        if self.suffix:
            new = key + self.suffix
        elif self.successor is None:
            return None
        elif self.successor.startswith("*"):
            new = key.removesuffix(pattern.lstrip("*")) + self.successor.lstrip("*")
        elif self.successor.endswith(".*"):
            # In an open mapping nobody knows the keys beforehand.
            new = self.successor.rstrip("*") + key.removeprefix(pattern.rstrip("*"))
            return new if new in release.keys else f"+{new}"
        else:
            new = self.successor
        return new if new.lstrip("+") in release.all_keys else None

    def reason(self, module: str | None) -> str:
        """Why the note holds, in a program started as `module`."""
        return self.why.format(program=f"'{module or _USUAL}'")


_USUAL = "verl.trainer.main_ppo"


@cache
def ineffective(key: str, release: str, module: str | None) -> Note | None:
    """Why setting `key` changes nothing, if so."""
    return next((n for n in _about("ineffective", release, module) if n.names(key)), None)


@cache
def deprecated(key: str, release: str) -> Note | None:
    """What replaces `key`, if verl warns of it or calls it deprecated."""
    return next((n for n in _about("deprecated", release, None) if n.names(key)), None)


@cache
def took_other_value(key: str) -> bool:
    """Whether a note on `key`, of any release, says that what replaces it takes another value."""
    kinds = ("ineffective", "deprecated")
    return any(one.other_value and one.names(key) for kind in kinds for one in notes(kind))


def takes_value(key: str, value: object, release: str, modules: Iterable[str]) -> bool:
    """Whether a program started as one of `modules` takes a value of an odd kind."""
    return any(
        (value in note.values or type(value).__name__ in note.types)
        and note.holds(key, release, module)
        for note in notes("value")
        for module in modules
    )


@cache
def is_read_besides(key: str, release: str, module: str | None) -> bool:
    """Whether a program reads a key that its config has not, though another one's has it."""
    return any(n.names(key) for n in _about("read", release, module))


@cache
def refused_word(key: str, word: str, release: str) -> Note | None:
    """Why `key` does not take a word that it took once, whatever code a user brings."""
    return next(
        (n for n in notes("word") if word in n.values and n.holds(key, release, None)), None
    )


@cache
def _about(kind: str, release: str, module: str | None) -> tuple[Note, ...]:
    """The notes about a release, in a program started as `module`."""
    return tuple(n for n in notes(kind) if n.is_about(release) and n.is_of(module or _USUAL))


@cache
def notes(kind: str) -> tuple[Note, ...]:
    """The notes of one kind: `ineffective`, `deprecated`, `value`, `word` or `read`."""
    return tables.load(LIFECYCLE, ("reviewed", *KINDS)).of(kind, Note)
