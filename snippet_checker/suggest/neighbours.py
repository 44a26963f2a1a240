"""What the other settings of a command say of a key that was suggested for one of them."""

from __future__ import annotations

from collections import defaultdict
from functools import lru_cache

from snippet_checker.suggest import meanings
from snippet_checker.suggest.key_paths import KeyPath
from snippet_checker.suggest.words import EMPTY, words
from snippet_checker.verl.release import Release


def speak_against(key: str, candidate: str, beside: frozenset[str], release: Release) -> bool:
    """Whether `candidate` is hardly what was meant by `key`, seen what else the snippet sets.

    It sets the candidate itself, and that is not the same setting in its place; or a word that
    tells the two apart stands in another unknown key as well, so that both are settings of
    somebody's own (`clip_ratio_replay`, `kl_coef_replay`).
    """
    if candidate in beside:
        return not KeyPath.of(key).lies_in(KeyPath.of(candidate))
    if meanings.names(key, candidate):
        return False
    own = words(KeyPath.of(key).leaf) - _all_words(candidate) - EMPTY
    unknown = _unknown_by_word(beside, release)
    return any(unknown.get(word, set()) - {key} for word in own)


@lru_cache(maxsize=4)
def _unknown_by_word(beside: frozenset[str], release: Release) -> dict[str, set[str]]:
    """The keys of a snippet that the release does not have, by the words in them."""
    found: dict[str, set[str]] = defaultdict(set)
    for key in beside - release.all_keys:
        for word in _all_words(key):
            found[word].add(key)
    return found


def _all_words(key: str) -> frozenset[str]:
    return frozenset().union(*map(words, key.split(".")))
