"""What the names of keys are made of: words, other trainers' taken for verl's."""

from __future__ import annotations

import re
from functools import cache

from snippet_checker.verl import drift

EMPTY = frozenset(
    {"the", "use", "enable", "disable", "do", "no", "with", "apply", "allow"}
    | {"arg", "option", "setting", "flag"}
)
"""Words that say of a name only that it is a switch, or a setting."""

OPPOSITES = tuple(
    frozenset(words.split())
    for words in (
        "trainer test",
        "actor critic ref rollout reward distillation",
        "fsdp megatron veomni torchtitan",
        "low high",
        "min max",
        "prompt response",
        "save load",
        "mini micro",
        "tensor pipeline context expert",
    )
)
"""Words of which one says that the others are not meant."""

ASIDE = frozenset(
    {"critic", "ref", "reward", "distillation", "engine", "turbo", "veomni", "torchtitan"}
)
"""Words for what few settings are of, if they do not say so."""

NEGATIONS = frozenset({"no", "disable", "without"})
"""Words of a switch that say what it switches off."""

HOLDS = frozenset({"config", "cfg", "kwarg"})
"""Words that say of a part above the last one only that it holds settings."""

ROLES = frozenset(
    {"actor", "critic", "ref", "rollout", "reward", "data", "trainer", "algorithm", "test"}
)
"""Words that say whose setting it is, wherever in a key they stand."""

_PLURAL = re.compile(r"(?<=[a-z]{3})(?<!s)s$")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")


@cache
def words(name: str) -> frozenset[str]:
    """The words of a name without dots, each in verl's own spelling and in the singular."""
    name = spelled(_CAMEL.sub("_", name).lower())
    for phrase, pattern, usual in _phrases():
        if phrase in name:
            name = pattern.sub(usual, name)
    said = (usual for word in name.split("_") for usual in _usual(word).split("_"))
    return frozenset(_PLURAL.sub("", word) for word in said if word)


def telling(name: str) -> frozenset[str]:
    """The words of a name that say something, or all where none does."""
    return telling_of(words(name))


def telling_of(said: frozenset[str]) -> frozenset[str]:
    return said - EMPTY or said


@cache
def role(word: str) -> str:
    """Whose setting a word says it is, in verl's words, or the word itself."""
    return drift.vocabulary("parts").get(word, word)


def part(name: str) -> frozenset[str]:
    """What a part above the last one says: whose settings stand in it."""
    said = telling(name)
    return frozenset(role(word) for word in said - HOLDS or said) - {""}


@cache
def spelled(name: str) -> str:
    """A name with some common spellings taken as equal."""
    for spelling, usual in drift.vocabulary("spellings").items():
        name = name.replace(spelling, usual)
    return name


@cache
def _usual(word: str) -> str:
    usual = drift.vocabulary("words")
    return usual.get(word) or usual.get(_PLURAL.sub("", word), word)


@cache
def _phrases() -> tuple[tuple[str, re.Pattern[str], str], ...]:
    return tuple(
        (phrase, re.compile(rf"(?:^|(?<=_)){phrase}(?=_|$)"), usual)
        for phrase, usual in drift.vocabulary("phrases").items()
    )
