"""Parts of keys that speak of what verl has never had: `retriever`, `milestone_gae`."""

from __future__ import annotations

from functools import cache

from snippet_checker.suggest import meanings
from snippet_checker.suggest.key_paths import KeyPath, same_part
from snippet_checker.suggest.weights import WEIGHTS
from snippet_checker.suggest.words import part, words
from snippet_checker.verl import drift, key_index


def is_foreign_to(asked: KeyPath, candidate: KeyPath, meant: int) -> bool:
    """Whether a key lies in something of another program's that a candidate does not speak of.

    The last `meant` parts mean something together. What stands in a mapping of somebody's own is
    rarely a slip of verl's setting of that name.
    """
    told = asked.parents[: len(asked.parents) - max(meant - 1, 0)]
    return any(
        all(same_part(name, other) < WEIGHTS.same_role for other in candidate.parents)
        for name in told
        if _is_foreign(name)
    )


@cache
def _is_foreign(name: str) -> bool:
    """Whether a part has a word that no key has, nor another trainer's name for one."""
    return bool(part(name)) and not words(name) <= known_words()


@cache
def known_words() -> frozenset[str]:
    """The words of every key that some release has, and other trainers' for them."""
    meant = (meaning.name for meaning in meanings.all_meanings() if meaning.right)
    above = (name for key in meant for name in key.split(".")[:-1])
    parts = (name for key in key_index.every_key() for name in key.split("."))
    tables = map(drift.vocabulary, ("parts", "words", "phrases"))
    listed = (word for table in tables for pair in table.items() for word in pair)
    return frozenset().union(*map(words, {*parts, *above, *listed}))
