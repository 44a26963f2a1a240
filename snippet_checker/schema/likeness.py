"""How much one key looks like another, and which real keys a wrong one was meant to be."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache

from rapidfuzz import fuzz, process
from rapidfuzz.distance import OSA

from snippet_checker.schema import drift
from snippet_checker.schema.release import Release

NEARLY = 0.86
"""Likeness of two names from which on the one is taken for a slip of the other."""

_WORTH_NAMING = 0.62
_ALIKE_IN = 0.8  # from here on, a name in an open mapping is rather a slip of a real one
_MANY_PLACES = 6  # keys of one last name from which on the name alone says nothing
_ALIKE = 0.4
_ENOUGH = 0.65  # what a key with parents has to reach: below it, most guesses are wrong
_AS_LIKELY = 0.06  # what a further guess may lie behind the first
_SAME_NAME = 1.4  # a telling name that is right says more than any likeness
_NAME_COUNTS, _PARENTS_COUNT, _LIVE_COUNTS = 0.62, 0.34, 0.08
_SHORT, _LONG = 5, 10  # characters from which on one, and two, wrong letters are no chance
_COUNTED = "s0123456789"
_FILE_NAME = re.compile(r"(?:.*/)?([\w-]+)\.(?:py|ya?ml)$")
_FILLERS = frozenset({"the", "use", "size", "config"})


def suggest(key: str, release: Release, live: Iterable[str] = ()) -> tuple[str, ...]:
    """Up to three real keys that `key` may have been meant for, the likeliest first.

    Moves come first, then names listed as drift, then what has the likest name and parents.
    `live` are the keys that the program composes; they are preferred. A key that only `+` brings
    in is named with it.
    """
    if drift.is_gone(key, release.name):
        return ()
    for full in (drift.moved(key), _separated(key, release)):
        if full is not None and release.has(full):
            return (full,)
        if full is not None and _belongs_inside(full, release):
            return (f"+{full}",)
    alive = frozenset(live)
    known = drift.meant_by(key)
    candidates = _meant(known.meaning(key), release) if known is not None else ()
    scores = {c: _NAME_COUNTS + _rest(key, c.lstrip("+"), alive) for c in candidates}
    if not scores:
        scores = _alike(key, release, alive)
    # Without parents to go by, the order in which users meet the programs decides.
    has_parents = "." in key
    ranked = sorted(scores, key=lambda c: (-round(scores[c], 3), has_parents * c.count(".")))
    return tuple(c for c in ranked[:3] if scores[c] >= scores[ranked[0]] - _AS_LIKELY)


def _separated(key: str, release: Release) -> str | None:
    """The key that differs in dots and underscores only: `actor_rollout.ref.actor.clip_ratio`."""
    flat = key.replace(".", "_")
    alike = release.by_leaf.get(_leaf(key), ())
    same = (full for full in alike if full != key and full.replace(".", "_") == flat)
    return next(same, None)


def _belongs_inside(key: str, release: Release) -> bool:
    """Whether a key that moved is one more of a mapping whose keys verl hands on, and no slip."""
    leaf = _leaf(key)
    return release.takes(key) and all(name_likeness(leaf, n) < _ALIKE_IN for n in release.by_leaf)


def _meant(right: str, release: Release) -> tuple[str, ...]:
    """The full keys that the right end of one stands for, with a plus where that is needed."""
    found = release.expand(right)
    if found:
        return found
    parent, _, leaf = right.rpartition(".")
    inside = [f"{full}.{leaf}" for full in release.expand(parent) if parent]
    taken = [full for full in inside if release.takes(full)]
    if not taken and right.partition(".")[0] in release.known and release.reads(right):
        taken = [right]  # verl's code looks for it, and no YAML has it
    return tuple(f"+{full}" for full in taken)


def _rest(key: str, candidate: str, live: frozenset[str]) -> float:
    """What speaks for a candidate beside its name."""
    legacy = drift.is_legacy(candidate) and not drift.is_legacy(key)
    alive = _LIVE_COUNTS * (candidate in live)
    return _PARENTS_COUNT * _parents_likeness(key, candidate) + alive - 0.1 * legacy


def _alike(key: str, release: Release, live: frozenset[str]) -> dict[str, float]:
    leaf = _leaf(key)
    scores: dict[str, float] = {}
    for name, candidates in release.by_leaf.items():
        likeness = _SAME_NAME if name == leaf else _names_likeness(leaf, name)
        if name == leaf and _is_common(leaf, release):
            likeness = 1.0
        if likeness < _WORTH_NAMING:
            continue
        for candidate in candidates:
            if _may_mean(key, candidate, release):
                scores[candidate] = _NAME_COUNTS * likeness + _rest(key, candidate, live)
    enough = _ENOUGH if "." in key else 0.0  # a name alone has no parents to be right or wrong
    return {candidate: score for candidate, score in scores.items() if score >= enough}


@cache
def _names_likeness(one: str, other: str) -> float:
    return max(name_likeness(one, other), _shared_words(one, other))


def _may_mean(key: str, candidate: str, release: Release) -> bool:
    """Whether a key of the same last name is worth naming.

    A name such as `enable` stands in so many places that its parents have to be alike as well.
    """
    if candidate == key or release.is_mapping(candidate):
        return False
    return not _is_common(_leaf(candidate), release) or _parents_likeness(key, candidate) >= _ALIKE


def _is_common(leaf: str, release: Release) -> bool:
    return "_" not in leaf and len(release.by_leaf.get(leaf, ())) > _MANY_PLACES


def nearly(word: str, release: Release) -> bool:
    """Whether a bare name is a slip of a real key's name rather than something else.

    The end of a real name (`mini_batch_size` for `ppo_mini_batch_size`) is how people shorten, a
    plural or a number is how they speak of several, and verl's code has names of its own.
    """
    if drift.find(word) is not None:
        return True
    if len(word) < _LONG or not re.fullmatch(r"[a-z]\w*_\w+", word):
        return False
    if word in release.facts.lookalikes or any(n.endswith("_" + word) for n in release.by_leaf):
        return False
    long, spelled = _long_names(release)
    if _spelled(word) in spelled:
        return word not in release.by_leaf
    like = process.extractOne(word, long, scorer=OSA.distance, score_cutoff=2)
    return like is not None and like[1] > 0 and word.rstrip(_COUNTED) != like[0].rstrip(_COUNTED)


@cache
def _long_names(release: Release) -> tuple[list[str], frozenset[str]]:
    """The last names of keys that are long and of several words, and how they are spelled."""
    long = [leaf for leaf in release.by_leaf if len(leaf) >= _LONG and "_" in leaf]
    return long, frozenset(map(_spelled, long))


def is_typo(word: str, name: str) -> bool:
    """Whether two names differ as a slip does: in a letter or two, or in a common spelling."""
    if word == name or len(word) < _SHORT:
        return False
    allowed = 1 if len(name) < _LONG else 2
    edits = OSA.distance(word, name, score_cutoff=allowed)
    return edits <= allowed or _spelled(word) == _spelled(name)


def is_slip(key: str, release: Release) -> bool:
    """Whether a key that is not there is known drift, or nearly one with the same parents."""
    return drift.find(key) is not None or nearly_sibling(key, release)


def nearly_sibling(key: str, release: Release) -> bool:
    """Whether a real key with the same parents has nearly the same last name."""
    parents, _, leaf = key.rpartition(".")
    return any(
        is_typo(leaf, name) or name_likeness(leaf, name) >= NEARLY
        for name in release.by_leaf
        if name != leaf and abs(len(name) - len(leaf)) <= 2 and f"{parents}.{name}" in release.known
    )


def name_likeness(one: str, other: str) -> float:
    """Likeness of two names without dots, from 0 to 1, some common spellings taken as equal."""
    return fuzz.ratio(_spelled(one), _spelled(other)) / 100


def closest(text: str, choices: Iterable[str]) -> str | None:
    """The choice most like `text`, or None where none is much like it.

    Of modules and files the last name decides; one that continues `text` is liker than one that
    changes it.
    """

    def likeness(choice: str) -> tuple[float, float]:
        one, other = _last_name(text), _last_name(choice)
        last = (fuzz.ratio(one, other) + fuzz.partial_ratio(one, other)) / 200
        return last, fuzz.ratio(text, choice)

    best = max(sorted(choices), key=likeness, default=None)
    return best if best is not None and likeness(best)[0] >= _WORTH_NAMING else None


def _last_name(text: str) -> str:
    return _FILE_NAME.sub(r"\1", text).rpartition(".")[2]


def _parents_likeness(key: str, candidate: str) -> float:
    """How far the parents of two keys agree, from 0 to 1; what is more on either side counts."""
    parents, others = key.split(".")[:-1], candidate.split(".")[:-1]
    if not parents:
        return 0.0
    found = sum(any(_same_part(part, other) for other in others) for part in parents)
    begins = bool(others) and _same_part(parents[0], others[0])
    kept = min(found, len(others)) / max(len(others), 1)
    return 0.6 * found / len(parents) + 0.2 * kept + 0.2 * begins


def _same_part(one: str, other: str) -> bool:
    one, other = one.removesuffix("_config"), other.removesuffix("_config")
    return one == other or (abs(len(one) - len(other)) <= 2 and _slip(one, other))


def _slip(one: str, other: str) -> bool:
    return one.lower() == other.lower() or fuzz.ratio(one, other) / 100 >= NEARLY


def _shared_words(one: str, other: str) -> float:
    """How far two names have the same words, other trainers' taken for verl's, from 0 to 1."""
    words, others = _words(one), _words(other)
    shared = len(words & others)
    telling = shared >= 2 or words == others or words - _FILLERS == others - _FILLERS
    if not shared or not telling:
        return 0.0
    return 0.6 * shared / min(len(words), len(others)) + 0.4 * shared / max(len(words), len(others))


@cache
def _words(name: str) -> frozenset[str]:
    name = _spelled(name)
    for phrase, usual in drift.vocabulary("phrases").items():
        name = re.sub(rf"(?:^|(?<=_)){phrase}(?=_|$)", usual, name)
    usual_words = drift.vocabulary("words")
    return frozenset(w for word in name.split("_") for w in usual_words.get(word, word).split("_"))


def _spelled(name: str) -> str:
    for spelling, usual in drift.vocabulary("spellings").items():
        name = name.replace(spelling, usual)
    return name


def _leaf(key: str) -> str:
    return key.rpartition(".")[2]
