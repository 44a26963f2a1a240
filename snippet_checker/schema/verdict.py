"""What becomes of one setting, and why its key is not there if it is not."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum, auto

from snippet_checker.model import Operator, Setting
from snippet_checker.schema import drift, history, likeness
from snippet_checker.schema.keyspace import KeySpace
from snippet_checker.schema.release import Release
from snippet_checker.schema.tree import Status, Tree


class Absence(Enum):
    """Why a key is not there."""

    NEEDS_PLUS = auto()  # verl reads it, but only `+` can bring it in
    REMOVED = auto()  # an earlier release had it
    FUTURE = auto()  # a later release has it
    OTHER_CHOICE = auto()  # another choice of config groups has it
    OTHER_PROGRAM = auto()  # another program of the release has it
    MISPLACED = auto()  # its name exists, elsewhere
    UNKNOWN = auto()  # no release ever had it
    APPENDED = auto()  # `+` brings it in, but it is a slip of a key that verl has, or had


APPENDING = (Operator.ADD, Operator.FORCE)
"""The operators that bring in a key which is not there."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What becomes of one setting.

    `where` names what has the key: the last release with a removed one, the first with a future
    one, the choice of a config group, or another program's config.
    `candidates` are what the key or option may have been meant for, the best first.
    """

    setting: Setting
    status: Status
    absence: Absence | None = None
    where: str | None = None
    candidates: tuple[str, ...] = ()


def diagnose(
    setting: Setting, release: Release, key: str, within: Iterable[str] | None = None
) -> Verdict:
    """Say why no program of `release` has `key`, the full key of `setting`.

    `within` are the keys of the program that lacks it, if it is known which.
    """
    candidates = likeness.suggest(key, release, within) or likeness.suggest(key, release)
    if (last := history.last_before(key, release.name)) is not None and key not in release.known:
        return Verdict(setting, Status.MISSING, Absence.REMOVED, last, candidates)
    if (first := history.first_after(key, release.name)) is not None and key not in release.known:
        return Verdict(setting, Status.MISSING, Absence.FUTURE, first, candidates)
    leaf = key.rpartition(".")[2]
    if key in release.known:
        owner = next(p for p in release.primaries if key in release.space(p).all_keys)
        return Verdict(
            setting, Status.MISSING, Absence.OTHER_PROGRAM, owner.config_name, candidates
        )
    elsewhere = any(candidate.rpartition(".")[2] == leaf for candidate in candidates)
    is_misplaced = elsewhere and "." in key and drift.find(key) is None
    absence = Absence.MISPLACED if is_misplaced else Absence.UNKNOWN
    return Verdict(setting, Status.MISSING, absence, candidates=candidates)


def appended(
    setting: Setting,
    release: Release,
    key: str,
    space: KeySpace,
    tree: Tree | None = None,
) -> Verdict:
    """The verdict on a `+key` that Hydra takes: does it look like a key that verl reads?

    What resembles nothing may be read by somebody else's code, so nothing is said of it.
    """
    if key in release.known or space.accepts_appended(key):
        return Verdict(setting, Status.ACCEPTED)
    was_there = history.last_before(key, release.name) is not None
    if not was_there and not likeness.is_slip(key, release):
        return Verdict(setting, Status.ACCEPTED)
    within = tree.dotted_keys() if tree is not None else None
    candidates = likeness.suggest(key, release, within)
    return Verdict(setting, Status.ACCEPTED, Absence.APPENDED, candidates=candidates)


def is_mapping(setting: Setting) -> bool:
    """Whether a setting's value is a mapping, which Hydra never takes for a group's option."""
    return isinstance(setting.value, dict)
