"""What an override, or a line of a config, does to one key."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum, StrEnum, auto
from typing import Any

from msgspec import Struct

from snippet_checker.text.places import Span


class Operator(StrEnum):
    """What an override does to its key; the spelling is Hydra's."""

    SET = "="
    ADD = "+"
    FORCE = "++"
    DELETE = "~"


class Value(Enum):
    """What stands for a setting's value where there is none to read."""

    ABSENT = auto()  # `~key`, or a key that is only named
    UNKNOWN = auto()  # known at launch only: a shell variable, say


class Setting(Struct, frozen=True):
    """One key that a text sets or names.

    `value` is Python data as the language's parser reads it, or a member of `Value`. `package`
    is what follows `@` in the name of a config group. A setting that only one branch of a script
    makes is not `sure`. The `tail` of a path that only the launch knows is its last name, where the
    text has it: `$HOME/models/Qwen3-8B`.
    """

    key: str
    operator: Operator
    value: Any
    span: Span
    value_span: Span | None = None
    package: str | None = None
    sure: bool = True
    tail: str | None = None

    @property
    def group_key(self) -> str:
        """The name of a config group with its package: `actor@actor_rollout_ref.actor`."""
        return f"{self.key}@{self.package}" if self.package is not None else self.key


def mappings_around(key: str) -> Iterator[str]:
    """The mappings that a key lies in, the outermost first: `a` and `a.b` for `a.b.c`."""
    return (key[:end] for end, letter in enumerate(key) if letter == ".")
