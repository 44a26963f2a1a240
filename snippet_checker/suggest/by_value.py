"""What the value of a wrong key says of the right one."""

from __future__ import annotations

from typing import Any

from snippet_checker.suggest.key_paths import KeyPath
from snippet_checker.suggest.words import NEGATIONS
from snippet_checker.verl import values
from snippet_checker.verl.release import Release

_MORE_WORDS = 1  # in the name of another key that was meant: `kl_loss_coef` for `kl_loss`
_SAYS_WHICH = ("enable", "enabled", "name", "type", "path")


def takes(key: str, value: Any, release: Release) -> bool:
    """Whether a value, as far as it is known, is of a kind that a key takes."""
    known = values.is_known(value) and not values.is_placeholder(value)
    return not known or values.takes(release, [key], value)


def fitting(candidate: str, asked: str, value: Any, release: Release) -> str:
    """The key to set where `candidate` was meant: itself, or one that takes the value.

    That may be one beside it (`kl_loss_coef`, not `use_kl_loss`, for `kl_loss=0.1`), or one in it.
    """
    if takes(candidate, value, release):
        return settable(candidate, value, release)
    said, meant, parent = KeyPath.of(asked).name, KeyPath.of(candidate).name, _parent(candidate)

    def is_beside(name: frozenset[str]) -> bool:
        return said <= name and (meant <= name or len(name) <= len(said) + _MORE_WORDS)

    def distance(key: str) -> tuple[bool, bool, int, str]:
        name = KeyPath.of(key).name
        return not _has_word(key, value, release), not meant <= name, len(name), key

    beside = (k for k in release.all_keys if _parent(k) == parent and is_beside(KeyPath.of(k).name))
    fits = (k for k in beside if values.is_of(value, values.kinds(release, [k])))
    return min(fits, key=distance, default=candidate)


def with_word(asked: str, value: Any, release: Release, live: frozenset[str]) -> tuple[str, ...]:
    """The key beside the one asked for that alone takes this word: `rollout.name` for `vllm`."""
    parent = _parent(asked)
    if not (parent and isinstance(value, str)):
        return ()
    beside = sorted(key for key in live if _parent(key) == parent)
    found = tuple(key for key in beside if _has_word(key, value, release))
    return found if len(found) == 1 else ()


def settable(key: str, value: Any, release: Release) -> str:
    """The key itself, or the one in a mapping that a single value is for: `enable`, `name`, …"""
    is_single = values.is_known(value) and not isinstance(value, dict | list)
    if not is_single or not release.is_mapping(key):
        return key
    inside = (f"{key}.{name}" for name in _SAYS_WHICH)
    return next((full for full in inside if full in release.all_keys), key)


def is_turned(asked: str, candidate: str, release: Release) -> bool:
    """Whether one of two switches says `disable`, and the other one the same without it."""
    said, meant = KeyPath.of(asked), KeyPath.of(candidate)
    is_switch = any(isinstance(default, bool) for default in release.defaults(candidate))
    return is_switch and said.name == meant.name and _is_off(said) != _is_off(meant)


def _is_off(path: KeyPath) -> bool:
    return not NEGATIONS.isdisjoint(path.leaf.lower().split("_"))


def _has_word(key: str, value: Any, release: Release) -> bool:
    """Whether a value is one of the words that a key takes."""
    return any(str(value) in words.values for words in values.closed_sets(release, key, None))


def _parent(key: str) -> str:
    return key.rpartition(".")[0]
