"""How much one name looks like another, and whether it is a misspelling of it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from rapidfuzz import fuzz, process
from rapidfuzz.distance import OSA

from snippet_checker.suggest.weights import WEIGHTS
from snippet_checker.suggest.words import spelled
from snippet_checker.verl import drift
from snippet_checker.verl.release import Release

_SHORT, _LONG = 5, 10  # characters from which on one, and two, wrong letters are no chance
_SHORTEST = 2  # a word of a name in which one letter makes another word
_LETTERS_A_SLIP = 4
_COUNTED = "s0123456789"


def nearly(word: str, release: Release, *, is_set: bool = False) -> bool:
    """Whether a bare name is a misspelling of a real key's name rather than something else.

    The end of a real name (`mini_batch_size` for `ppo_mini_batch_size`) is how people shorten, and
    verl's code has names of its own. A plural or a number is how people speak of several, but not
    what they give a value (`is_set`).
    """
    if drift.find(word) is not None:
        return True
    if len(word) < _LONG or not re.fullmatch(r"[a-z][^\W_]*_\w+", word):
        return False
    if word in release.facts.lookalikes or word in ends_of_names(release):
        return False
    long, spellings = _long_names(release)
    if spelled(word) in spellings:
        return word not in release.by_leaf
    like = process.extractOne(word, long, scorer=OSA.distance, score_cutoff=2)
    if like is None or like[1] == 0:
        return False
    if word.rstrip(_COUNTED) == like[0].rstrip(_COUNTED):
        return is_set
    is_misspelled = like[1] == 1 and not _has_another_short_word(word, like[0])
    return is_misspelled or _have_like_words(word, like[0])


@cache
def ends_of_names(release: Release) -> frozenset[str]:
    """What the last names of keys end with, from some word on."""
    words = (leaf.split("_") for leaf in release.by_leaf)
    return frozenset("_".join(name[n:]) for name in words for n in range(1, len(name)))


def _have_like_words(one: str, other: str) -> bool:
    """Whether two names differ in the letters of their words: `config_hash` has another word."""
    words = list(zip(one.split("_"), other.split("_"), strict=False))
    return one.count("_") == other.count("_") and all(
        OSA.distance(word, meant) <= max(len(word), len(meant)) // _LETTERS_A_SLIP
        for word, meant in words
    )


def _has_another_short_word(one: str, other: str) -> bool:
    """Whether two names have other words of two letters in one place: `rollout_id`, `rollout_is`.

    A letter is half of such a word, so that it is not misspelled.
    """
    words = zip(one.split("_"), other.split("_"), strict=False)
    return one.count("_") == other.count("_") and any(
        len(word) == len(meant) <= _SHORTEST and set(word) != set(meant) for word, meant in words
    )


@cache
def _long_names(release: Release) -> tuple[list[str], frozenset[str]]:
    """The last names of keys that are long and of several words, and how they are spelled."""
    long = [leaf for leaf in release.by_leaf if len(leaf) >= _LONG and "_" in leaf]
    return long, frozenset(map(spelled, long))


def is_typo(word: str, name: str) -> bool:
    """Whether two names differ as misspelled ones do: in a letter or two, or a common spelling."""
    if word == name or len(word) < _SHORT:
        return False
    allowed = 1 if len(name) < _LONG else 2
    edits = OSA.distance(word, name, score_cutoff=allowed)
    return edits <= allowed or spelled(word) == spelled(name)


def is_misspelled(key: str, release: Release) -> bool:
    """Whether a key that is not there is known drift, or nearly one with the same parents."""
    return drift.find(key) is not None or nearly_sibling(key, release)


def nearly_sibling(key: str, release: Release) -> bool:
    """Whether a real key with the same parents has nearly the same last name."""
    return any(True for _ in near_siblings(key, release))


def near_siblings(key: str, release: Release) -> Iterator[str]:
    """The real keys with the same parents and nearly the same last name."""
    parents, _, leaf = key.rpartition(".")
    for name in release.by_leaf:
        is_like = name != leaf and abs(len(name) - len(leaf)) <= WEIGHTS.nearly_longer
        if not is_like or f"{parents}.{name}" not in release.all_keys:
            continue
        if is_typo(leaf, name) or name_likeness(leaf, name) >= WEIGHTS.nearly:
            yield f"{parents}.{name}"


def name_likeness(one: str, other: str) -> float:
    """Likeness of two names without dots, from 0 to 1, some common spellings taken as equal."""
    return fuzz.ratio(spelled(one), spelled(other)) / 100
