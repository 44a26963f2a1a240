"""What becomes of one setting, and why its key is not there if it is not."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import Enum, StrEnum, auto
from functools import lru_cache

from snippet_checker.hydra.setting import Operator, Setting, Value
from snippet_checker.hydra.tree import Status, Tree
from snippet_checker.snippets.snippet import Snippet
from snippet_checker.suggest import likeness, meanings
from snippet_checker.suggest.candidates import suggest
from snippet_checker.suggest.neighbours import speak_against
from snippet_checker.suggest.words import telling
from snippet_checker.verl import drift, key_index
from snippet_checker.verl.keyspace import KeySpace
from snippet_checker.verl.release import Release
from snippet_checker.work import TooMuchWork, Work

_STEPS_FOR_A_SETTING, _STEPS_FOR_A_SUGGESTION, _STEPS_FOR_THE_SAME = 60, 4_000, 1_000


class Absence(Enum):
    """Why a key is not there."""

    NEEDS_PLUS = auto()  # verl reads it, but only `+` can bring it in
    REMOVED = auto()  # an earlier release had it
    FUTURE = auto()  # a later release has it
    OTHER_CHOICE = auto()  # another choice of config groups has it
    OTHER_PROGRAM = auto()  # another program of the release has it
    MISPLACED = auto()  # its name exists, elsewhere
    UNKNOWN = auto()  # no release ever had it
    APPENDED = auto()  # `+` brings it in, but verl refuses it or nothing reads it


class Gap(StrEnum):
    """Why nothing can be said of a setting."""

    NOT_VERL = "nothing shows that it is about verl"
    OTHER_PROGRAM = "it belongs to a program or a config outside verl's package"
    LAUNCH = "it depends on what is known at launch only"
    OWN_KEY = "a config with a defaults list of its own may add it"
    NO_KEY = "it reads like something else than a key"
    PLUGIN = "a plugin of Hydra may bring it"
    WORK = "the file needs too much work"


_OWN_CODE = re.compile(
    r"(?:^|\.)(?:custom_\w+\.path|external_lib|\w+_config_path|\w+_class|custom_backend_module"
    r"|function_tool_path|reward_loop_module_path|sampler\.class_path|datagen\.path)$"
)
_MANAGER_SOURCE = re.compile(r"(?:^|\.)reward_manager\.source$")
_OWN_MODULES = re.compile(
    r"^[^#\n]*VERL_USE_EXTERNAL_MODULES(?!=(?:[\s;]|\"\"|''))[^\w\n;=:]*[=:][^\w\n;]*\w",
    re.MULTILINE,
)  # which verl imports first of all

APPENDING = (Operator.ADD, Operator.FORCE)
"""The operators that bring in a key which is not there."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What becomes of one setting.

    `where` names what has the key: the last release with a removed one, the first with a future
    one, the choice of a config group, or another program's config; of an appended key it is the
    dataclass that refuses it.
    `candidates` are what the key or option may have been meant for, the best first. `keys` are
    the full keys that an accepted setting sets: several where running text shortens.
    """

    setting: Setting
    status: Status
    absence: Absence | None = None
    where: str | None = None
    candidates: tuple[str, ...] = ()
    gap: Gap | None = None
    keys: tuple[str, ...] = ()

    @property
    def is_refused(self) -> bool:
        """Whether Hydra does not take the setting."""
        return self.status not in (Status.ACCEPTED, Status.UNJUDGED)


def paid(setting: Setting, judge: Callable[[Setting], Verdict], work: Work) -> Verdict:
    """The verdict of `judge`; none where the steps for it are used up."""
    try:
        work.judging.spend(_STEPS_FOR_A_SETTING)
        verdict = judge(setting)
    except TooMuchWork:
        return unjudged(setting, Gap.WORK)
    if verdict.is_refused or verdict.absence is not None:
        again = setting.key in work.wrong_keys
        work.judging.take(_STEPS_FOR_THE_SAME if again else _STEPS_FOR_A_SUGGESTION)
        work.wrong_keys.add(setting.key)
    return verdict


def unjudged(setting: Setting, gap: Gap) -> Verdict:
    """The verdict on a setting of which nothing can be said, with the reason."""
    return Verdict(setting, Status.UNJUDGED, gap=gap)


def diagnose(
    setting: Setting,
    release: Release,
    key: str,
    within: Iterable[str] | None = None,
    beside: frozenset[str] = frozenset(),
) -> Verdict:
    """Say why no program of `release` has `key`, the full key of `setting`.

    `within` are the keys of the program that lacks it, if it is known which, and `beside` those
    that the same snippet sets.
    """
    here = frozenset(within or ())
    candidates = _meant(setting, release, key, here, beside)
    if (last := key_index.last_before(key, release.name)) is not None and key not in release.known:
        successors = tuple(c for c in candidates if _may_succeed(key, last, c, here))
        return Verdict(setting, Status.MISSING, Absence.REMOVED, last, successors)
    if (first := key_index.first_after(key, release.name)) is not None and key not in release.known:
        older = tuple(candidate for candidate in candidates if _may_precede(key, candidate))
        return Verdict(setting, Status.MISSING, Absence.FUTURE, first, older)
    leaf = key.rpartition(".")[2]
    if key in release.known:
        owner = next(p for p in release.primaries if key in release.space(p).all_keys)
        candidates = tuple(c for c in candidates if c in here or not here)
        if (counterpart := drift.counterpart(key)) in here:
            candidates = (counterpart,)
        return Verdict(
            setting, Status.MISSING, Absence.OTHER_PROGRAM, owner.config_name, candidates
        )
    elsewhere = any(candidate.rpartition(".")[2] == leaf for candidate in candidates)
    is_misplaced = elsewhere and "." in key and drift.find(key) is None
    absence = Absence.MISPLACED if is_misplaced else Absence.UNKNOWN
    return Verdict(setting, Status.MISSING, absence, candidates=candidates)


def _meant(
    setting: Setting, release: Release, key: str, within: frozenset[str], beside: frozenset[str]
) -> tuple[str, ...]:
    """What `key` was meant to be, unless nobody has reviewed that and its neighbours deny it."""
    candidates = suggest(key, release, within, setting.value)
    is_reviewed = drift.moved(key) is not None or drift.meant_by(key) is not None
    if not candidates or is_reviewed or likeness.is_slip(key, release):
        return candidates
    first = candidates[0].lstrip("+")
    return () if speak_against(key, first, beside, release) else candidates


def _may_precede(key: str, candidate: str) -> bool:
    """Whether a key may have been in the place of one that came later: a like name or root."""
    name, other = (telling(full.rpartition(".")[2]) for full in (key, candidate))
    return name == other or key.partition(".")[0] == candidate.partition(".")[0]


def _may_succeed(key: str, last: str, candidate: str, here: frozenset[str]) -> bool:
    """Whether a key may have taken the place of one that is gone after the release `last`.

    It was listed so, or other trainers call a key of the program so, or it has the same name and
    stands below the same root or came afterwards.
    """
    if candidate == drift.moved(key) or drift.meant_by(key) is not None:
        return True
    same_root = candidate.partition(".")[0] == key.partition(".")[0]
    if candidate.endswith(f".{key}"):
        return True
    if candidate in here and not drift.is_legacy(key) and meanings.names(key, candidate):
        return True
    same_name = candidate.rpartition(".")[2] == key.rpartition(".")[2]
    return same_name and (same_root or last not in key_index.releases_with(candidate))


def appended(
    setting: Setting,
    release: Release,
    key: str,
    space: KeySpace,
    tree: Tree | None = None,
    beside: frozenset[str] = frozenset(),
    *,
    read_elsewhere: bool = False,
) -> Verdict:
    """The verdict on a `+key` that Hydra takes: does verl build something of it, or read it?

    What may be `read_elsewhere`, by code of the user's own, is wrong only if it looks like a slip.
    """
    accepted = Verdict(setting, Status.ACCEPTED, keys=(key,))
    node = space.nearest(key)
    target = tree.value(f"{node}._target_") if tree is not None else None
    refusing = space.refusing_class(key, target)
    if refusing is None:
        if space.accepts_appended(key):
            return accepted
        was_there = key_index.last_before(key, release.name) is not None
        slip = was_there or likeness.is_slip(key, release)
        if key in release.known or release.reads(key) or (read_elsewhere and not slip):
            return accepted
    live = frozenset(tree.dotted_keys() if tree is not None else ())
    candidates = _meant(setting, release, key, live, beside)
    return Verdict(setting, Status.ACCEPTED, Absence.APPENDED, refusing, candidates)


def brings_own_code(snippet: Snippet) -> bool:
    """Whether a command names code of the user's own, which gets the config to read.

    A script may name it in the environment of what it starts.
    """
    named = any(map(_names_own_code, snippet.settings))
    return named or _names_own_module(snippet.block.text)


@lru_cache(maxsize=4)
def _names_own_module(text: str) -> bool:
    """Whether a text says in the environment that verl is to import other modules."""
    return _OWN_MODULES.search(text) is not None


def _names_own_code(setting: Setting) -> bool:
    if _MANAGER_SOURCE.search(setting.key):
        return setting.value in ("importlib", Value.UNKNOWN)
    return setting.value is not None and _OWN_CODE.search(setting.key) is not None


def is_mapping(setting: Setting) -> bool:
    """Whether a setting's value is a mapping, which Hydra never takes for a group's option."""
    return isinstance(setting.value, dict)
