"""What the other settings of a command say of a key that was suggested for one of them."""

from __future__ import annotations

from collections import defaultdict
from functools import lru_cache

from snippet_checker.suggest import meanings
from snippet_checker.suggest.key_paths import KeyPath, same_part
from snippet_checker.suggest.words import EMPTY, words
from snippet_checker.text.closest import is_misspelling
from snippet_checker.verl import key_index
from snippet_checker.verl.release import Release


def speak_against(
    key: str, candidate: str, beside: frozenset[str], release: Release, within: frozenset[str]
) -> bool:
    """Whether `candidate` is hardly what was meant by `key`, seen what else the snippet sets.

    `within` are the keys of the program, if it is known which.

    It sets the candidate itself, and that is not the same setting in its place; or a word that
    tells the two apart stands in another unknown key as well, so that both are settings of
    somebody's own (`clip_ratio_replay`, `kl_coef_replay`). So are those of a section of which verl
    knows neither the name nor another setting (`env.rollout.n` beside `env.env_name`), or of which
    there are several (`actor_rollout_ref_a.rollout.n` beside `actor_rollout_ref_b.rollout.n`), or
    in which verl has hardly any name (`actor_rollout_ref.agent`).
    """
    if candidate in beside:
        return not KeyPath.of(key).lies_in(KeyPath.of(candidate))
    if _is_in_own_section(key, candidate, beside, release, within):
        return True
    if meanings.names(key, candidate):
        return False
    own = words(KeyPath.of(key).leaf) - _all_words(candidate) - EMPTY
    unknown = _unknown_by_word(beside, release)
    return any(unknown.get(word, set()) - {key} for word in own)


def _is_in_own_section(
    key: str, candidate: str, beside: frozenset[str], release: Release, within: frozenset[str]
) -> bool:
    known = _names(within or release.all_keys)
    names = KeyPath.of(key).parents
    for depth, name in enumerate(names):
        section = ".".join(names[: depth + 1])
        if name in known and depth and _is_mostly_own(section, key, beside, release, within):
            return True
        if name in known or (depth and _says_same(name, candidate)):
            continue
        if _has_twin(section, beside, known):
            return True
        if not _is_misspelling_of(name, candidate) and _has_own(section, key, beside, release):
            return True
    return False


def _says_same(name: str, candidate: str) -> bool:
    """Whether a section has another word for one around the key that was suggested."""
    return any(same_part(name, one) for one in KeyPath.of(candidate).parents)


def _is_misspelling_of(name: str, candidate: str) -> bool:
    return any(is_misspelling(name, one) for one in candidate.split("."))


def _has_own(section: str, key: str, beside: frozenset[str], release: Release) -> bool:
    """Whether another setting of a section has a name that verl has nowhere."""
    others = (other for other in beside if other.startswith(f"{section}.") and other != key)
    return any(not release.expand(other.rpartition(".")[2]) for other in others)


def _is_mostly_own(
    section: str, key: str, beside: frozenset[str], release: Release, within: frozenset[str]
) -> bool:
    """Whether verl has no such section, and most settings in it have names it knows nothing of."""
    if any(one.startswith(f"{section}.") for one in within or release.all_keys):
        return False
    others = {other for other in beside if other.startswith(f"{section}.")} - {key}
    own = [other for other in others if not _says_something(other, release)]
    return len(own) > 1 and 2 * len(own) > len(others)


def _says_something(key: str, release: Release) -> bool:
    leaf = key.rpartition(".")[2]
    meant = meanings.of(KeyPath.of(leaf))[1]
    return bool(release.expand(leaf)) or any(meaning.right for meaning in meant)


def _has_twin(section: str, beside: frozenset[str], known: frozenset[str]) -> bool:
    """Whether there is another section of its name with another end: `ref_a` and `ref_b`."""
    stem, _, end = section.rpartition("_")
    if not stem or "." in end:
        return False
    starts = {".".join(key.split(".")[: section.count(".") + 1]) for key in beside}
    twins = {one.removeprefix(f"{stem}_") for one in starts if one.startswith(f"{stem}_")} - {end}
    return any(len(one) == len(end) and f"{stem}_{one}" not in known for one in twins)


@lru_cache(maxsize=4)
def _names(keys: frozenset[str]) -> frozenset[str]:
    return frozenset(name for key in keys for name in key.split("."))


@lru_cache(maxsize=4)
def _unknown_by_word(beside: frozenset[str], release: Release) -> dict[str, set[str]]:
    """The keys of a snippet that neither this release nor a later one has, by their words."""
    found: dict[str, set[str]] = defaultdict(set)
    for key in beside - release.all_keys:
        if key_index.first_after(key, release.name) is not None:
            continue
        for word in _all_words(key):
            found[word].add(key)
    return found


def _all_words(key: str) -> frozenset[str]:
    return frozenset().union(*map(words, key.split(".")))
