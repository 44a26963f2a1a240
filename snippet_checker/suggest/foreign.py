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
    rarely a misspelling of verl's setting of that name.
    """
    told = asked.parents[: len(asked.parents) - max(meant - 1, 0)]
    known = known_words() if candidate.lies_in(asked) else words_of_sections()
    return any(
        all(same_part(name, other) < WEIGHTS.same_role for other in candidate.parents)
        for name in told
        if part(name) and not words(name) <= known | candidate.said
    )


@cache
def known_words() -> frozenset[str]:
    """The words of every key that some release has, and other trainers' for them."""
    last = (key.rpartition(".")[2] for key in key_index.every_key())
    return words_of_sections().union(*map(words, last))


@cache
def words_of_sections() -> frozenset[str]:
    """The words of what stands around keys: what only last names say (`result`) is none."""
    meant = (meaning.name for meaning in meanings.all_meanings() if meaning.right)
    above = (name for key in meant for name in key.split(".")[:-1])
    parts = (name for key in key_index.every_key() for name in key.split(".")[:-1])
    tables = map(drift.vocabulary, ("parts", "words", "phrases"))
    listed = (word for table in tables for pair in table.items() for word in pair)
    return frozenset().union(*map(words, {*parts, *above, *listed}))
