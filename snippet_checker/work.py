"""What the check of one file may cost, counted in steps, so that no machine's speed decides.

A step stands for about a microsecond. Only the library that reads a shell's grammar counts nothing;
broken shell takes it the square of its length, and it is stopped by the processor's clock. A file
that needs more is checked as far as it goes; the rest is reported as unchecked, and why.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from copy import copy

from msgspec import Struct

_FOLLOWING = (600_000, 6)
_READING = (300_000, 3)
_JUDGING = (1_500_000, 12)
"""The steps that every file has, and those that it has for each of its characters."""

_PARSING = 1.0
"""The seconds that every file has for its shell's grammar, besides what its length allows for."""

LONGEST_VALUE = 100_000
"""The most characters that a shell's variable or argument is followed with."""

MOST_WORDS = 5_000
"""The most words that one argument or array of a shell is followed with."""

_MOST_ALIASED = 100_000
"""The most nodes that the aliases of YAML may stand for, in all documents of a file."""

MOST_FORMS = 100
"""The most forms of one command, with other words in each round of a loop, that are checked."""

MOST_FORMS_OF_A_MESSAGE = 10
"""The most plural forms of a catalog's message that are checked; Arabic has six."""

DEEPEST = 60
"""The most levels that statements of a shell, or brackets of a value, may lie in each other."""


class TooMuchWork(Exception):
    """A part of a file would cost more than it may; the message says what of it is too much."""


def unchecked(reason: object) -> str:
    """What a finding says of a part that is not checked."""
    return f"this part is not checked: {reason}"


class Budget(Struct):
    """The steps that are left for one kind of work, `what` is done with them."""

    what: str
    size: int
    left: int

    def count(self, steps: int) -> None:
        """Count steps of what is done in any case."""
        self.left -= steps

    def spend(self, steps: int) -> None:
        """Count steps; raises TooMuchWork where none are left any more."""
        self.count(steps)
        if not self.has_room():
            raise self.exhausted()

    def reserve(self, steps: int) -> None:
        """Count the steps of a whole part, unless fewer are left, and the part is left out.

        Raises TooMuchWork then.
        """
        if steps > self.left:
            raise self.exhausted()
        self.count(steps)

    def exhausted(self) -> TooMuchWork:
        """What to say where the steps are used up."""
        return TooMuchWork(f"{self.what} would take too long, more than {self.size:,} steps")

    def has_room(self) -> bool:
        """Whether any steps are left."""
        return self.left > 0


class Clock(Struct):
    """The seconds of the processor that are left to a library that counts no steps."""

    left: float

    @contextmanager
    def stop_watch(self, more: float) -> Iterator[Callable[[], bool]]:
        """Take what runs inside from the clock; gives a function that says whether time is up.

        `more` are seconds that it has besides, whatever ran before.
        """
        started = time.thread_time()
        end = started + self.left + more
        try:
            yield lambda: time.thread_time() > end
        finally:
            taken = max(time.thread_time() - started - more, 0)
            self.left = max(self.left - taken, 0)


class Work:
    """What one file may still cost.

    Neither following variables, loops and calls nor reading what running text mentions may use up
    what judging its settings needs.
    """

    def __init__(self, characters: int) -> None:
        """`characters` is the length of the file's text."""
        self.following = _budget("following variables, loops and calls", *_FOLLOWING, characters)
        self.reading = _budget("reading what running text mentions", *_READING, characters)
        self.wrong_keys: set[str] = set()  # for which suggestions were looked for
        self.judging = _budget("judging settings", *_JUDGING, characters)
        self.aliased = Budget("writing out its aliases", _MOST_ALIASED, _MOST_ALIASED)
        self.parsing = Clock(_PARSING)

    def left_for_judging(self) -> Work:
        """What is left after reading, for one release: each one has as much."""
        again = copy(self)
        again.judging, again.wrong_keys = copy(self.judging), set(self.wrong_keys)
        return again


def _budget(what: str, base: int, for_a_character: int, characters: int) -> Budget:
    steps = base + for_a_character * characters
    return Budget(what, steps, steps)
