"""Why a key is not there, and what becomes of one that `+` brings in."""

from __future__ import annotations

from msgspec import Struct

from snippet_checker.hydra.composed_config import ComposedConfig
from snippet_checker.hydra.setting import Operator, Setting
from snippet_checker.judge.verdict import (
    Accepted,
    DeadAppend,
    Future,
    Misplaced,
    Missing,
    OtherProgram,
    Removed,
    Unknown,
    Verdict,
)
from snippet_checker.suggest import likeness, meanings
from snippet_checker.suggest.candidates import suggest
from snippet_checker.suggest.key_paths import SHARED_ROOT
from snippet_checker.suggest.neighbours import speak_against
from snippet_checker.suggest.words import telling
from snippet_checker.verl import drift, key_index, values
from snippet_checker.verl.keyspace import KeySpace
from snippet_checker.verl.release import Release, load

APPENDING = (Operator.ADD, Operator.FORCE)
"""The operators that bring in a key which is not there."""


class KeyContext(Struct, frozen=True):
    """Where a key is looked for: in any program of a release, or in one that is known.

    `config` is what that composes, and `space` has what it may have by other choices and classes.
    `beside` are the keys that the same snippet sets. A program of the project's own
    (`is_project_program`) may have sections of any name.
    """

    release: Release
    space: KeySpace | None = None
    config: ComposedConfig | None = None
    beside: frozenset[str] = frozenset()
    is_project_program: bool = False

    @property
    def keys(self) -> frozenset[str]:
        """Those of the config, if it is known which."""
        return frozenset(self.config.dotted_keys() if self.config is not None else ())


def diagnose(setting: Setting, key: str, where: KeyContext) -> Missing:
    """Say why `key`, the full key of `setting`, is not there."""
    release, space, here = where.release, where.space, where.keys
    candidates = tuple(c for c in _meant(setting, key, where) if _may_be(c, space))
    owner = release.owner(key) if space is None or key not in space.all_keys else None
    if owner is not None:
        candidates = tuple(c for c in candidates if c in here or not here)
        if (counterpart := drift.counterpart(key)) in here:
            candidates = (counterpart,)
        return OtherProgram(setting, candidates, owner.config_name)
    if (last := key_index.last_before(key, release.name)) is not None:
        successors = tuple(c for c in candidates if _may_succeed(key, last, c, here))
        return Removed(setting, successors, last)
    if (first := key_index.first_after(key, release.name)) is not None:
        older = tuple(c for c in candidates if _may_precede(key, first, c, release, here))
        return Future(setting, older, first)
    leaf = key.rpartition(".")[2]
    elsewhere = any(candidate.rpartition(".")[2] == leaf for candidate in candidates)
    is_misplaced = elsewhere and "." in key and drift.find(key) is None
    return Misplaced(setting, candidates) if is_misplaced else Unknown(setting, candidates)


def _may_be(candidate: str, space: KeySpace | None) -> bool:
    """Whether the program takes a key, by whatever choices; Hydra refuses others there as well."""
    return space is None or candidate[0] == "+" or "*" in candidate or candidate in space.all_keys


def is_another_programs(key: str, release: Release) -> bool:
    """Whether verl's code still reads a key, by its whole path, that no config has any more.

    `main_generation_server` reads `data.output_path`, and starts from the trainer's config.
    """
    root, _, rest = key.partition(".")
    is_path = rest != "" and "." not in rest and root in release.roots
    is_gone = is_path and key not in release.all_keys
    return is_gone and release.code_reads_path(key) and drift.moved(key) is None


def _meant(setting: Setting, key: str, where: KeyContext) -> tuple[str, ...]:
    """What `key` was meant to be, unless nobody has reviewed that and its neighbours deny it."""
    release, within = where.release, where.keys
    candidates = suggest(key, release, within, setting.value)
    roots = {name.partition(".")[0] for name in within}
    if roots:  # Hydra refuses what begins otherwise in this program
        candidates = tuple(c for c in candidates if c.lstrip("+").partition(".")[0] in roots)
    is_reviewed = drift.moved(key) is not None or drift.meant_by(key) is not None
    if not candidates or is_reviewed or likeness.is_misspelled(key, release):
        return candidates
    first = candidates[0].lstrip("+")
    return () if speak_against(key, first, where.beside, release, within) else candidates


def _may_precede(
    key: str, first: str, candidate: str, release: Release, here: frozenset[str]
) -> bool:
    """Whether a key may have been in the place of one that came with the release `first`.

    It has a like name or the same root, and one of the programs that got the other has it. What is
    there beside the other one has another meaning, unless it says the same in another measure.
    """
    if is_other_measure(key, candidate, release):
        return True
    if candidate.lstrip("+") in load(first).all_keys and not drift.is_legacy(candidate):
        return False
    name, other = (telling(full.rpartition(".")[2]) for full in (key, candidate))
    if name != other and key.partition(".")[0] != candidate.partition(".")[0]:
        return False
    plain = candidate.lstrip("+")
    return plain in here or not _configs_with(key, load(first)).isdisjoint(
        _configs_with(plain, release)
    )


def is_other_measure(key: str, candidate: str, release: Release) -> bool:
    """Whether two numbers are one setting in other measures, of which the release has one only.

    The name of the one is that of the other and more: `lr_warmup_steps` and, with another value,
    `lr_warmup_steps_ratio`; `ppo_micro_batch_size_per_gpu` and `ppo_micro_batch_size`.
    """
    if candidate not in release.keys or key.count(".") != candidate.count("."):
        return False
    shorter, longer = sorted((key, candidate), key=len)
    return longer.startswith(f"{shorter}_") and _is_number(candidate, release)


def _is_number(key: str, release: Release) -> bool:
    return not values.kinds(release, [key]).isdisjoint((values.Kind.WHOLE, values.Kind.NUMBER))


def _configs_with(key: str, release: Release) -> set[str]:
    """The names of the primary configs that have a key, or take it with a plus."""
    return {
        primary.config_name
        for primary, space in zip(release.primaries, release.spaces, strict=True)
        if key in space.all_keys or (space.nearest(key) and space.accepts_appended(key))
    }


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


def _is_beside(key: str, release: Release, config: ComposedConfig | None) -> bool:
    """Whether only another program has a key, and even the root that it would get here.

    What code reads of it is that program's.
    """
    if config is None or "." not in key or key not in release.all_keys:
        return False
    return not config.has(key.partition(".")[0])


def _nested(key: str, space: KeySpace, config: ComposedConfig) -> str | None:
    """The key below the root of the shared config, where a command leaves that root out.

    `+model.path` starts a section that the program's config has not: only other programs have one
    of that name, and what reads the section here gets the shared config's.
    """
    full = f"{SHARED_ROOT}.{key}"
    root, dot, _ = key.partition(".")
    if not dot or config.has(root) or not config.has(f"{SHARED_ROOT}.{root}"):
        return None
    if config.has(full):
        return full
    return f"+{full}" if space.accepts_appended(full) else None


def _reads(key: str, release: Release, config: ComposedConfig | None) -> bool:
    """Whether verl's code reads a key, and each mapping around it that the config has not."""
    names = key.split(".")
    above = (".".join(names[:end]) for end in range(1, len(names)))
    new = (one for one in above if config is not None and not config.has(one))
    return release.code_reads_name(key) and all(
        one in release.all_keys or one in release.roots or release.code_reads_name(one)
        for one in new
    )


def appended(
    setting: Setting, key: str, where: KeyContext, space: KeySpace, *, read_elsewhere: bool
) -> Verdict:
    """The verdict on a `+key` that Hydra takes: does verl build something of it, or read it?

    What may be `read_elsewhere`, by code of the user's own, is wrong only if it is misspelled.
    """
    accepted, release, config = Accepted(setting, (key,)), where.release, where.config
    refusing = space.refusing_class(key, config)
    if refusing is None:
        if space.accepts_appended(key):
            return accepted
        nested = (
            _nested(key, space, config)
            if config is not None and not where.is_project_program
            else None
        )
        if nested is not None:
            return DeadAppend(setting, None, (nested,))
        was_there = key_index.last_before(key, release.name) is not None
        is_wrong = was_there or likeness.is_misspelled(key, release)
        is_read = key in release.all_keys or _reads(key, release, config)
        is_anothers = not where.is_project_program and _is_beside(key, release, config)
        if (is_read and not is_anothers) or (read_elsewhere and not is_wrong):
            return accepted
    return DeadAppend(setting, refusing, _meant(setting, key, where))


def is_read_where_new(key: str, release: Release, config: ComposedConfig) -> bool:
    """Whether verl's code takes a key out of a config that has not got it, nor had it before.

    Nor may the config have the mappings around it, which the code takes out as well then.
    """
    was_there = key_index.last_before(key, release.name) is not None
    if was_there or not release.code_reads_path(key) or release.expand(key):
        return False  # in its own place, that is
    above = key.rpartition(".")[0]
    while above and not config.has(above) and release.code_reads_path(above):
        above = above.rpartition(".")[0]
    return isinstance(config.value(above), dict) and not _is_to_come(key, release)


def _is_to_come(key: str, release: Release) -> bool:
    """Whether only later releases have a key of which another program has the end: SFT's model."""
    end = ".".join(key.split(".")[-2:])
    is_anothers = end != key and end in release.all_keys
    return is_anothers and key_index.first_after(key, release.name) is not None
