"""What following a script costs, and the parts of it that cost too much to be followed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from msgspec import Struct, field

from snippet_checker.shell.node import Node
from snippet_checker.shell.source import Source
from snippet_checker.text.words import Word
from snippet_checker.work import (
    LONGEST_VALUE,
    MOST_FORMS,
    MOST_WORDS,
    Budget,
    Clock,
    TooMuchWork,
    Work,
)

CHARACTERS_A_STEP = 20  # that are copied
_STEPS_FOR_A_CHARACTER = 5  # of a script in a script: its grammar is read, and all its words
_STEPS_FOR_A_WORD = 8
_TOO_DEEP = "it is nested too deeply"


class Skipped(Struct, frozen=True):
    """A part of a block that is not followed: its first and last character, and why."""

    first: int
    last: int
    reason: str


class Costs(Struct):
    """What one script, and all that it hands to other shells, may still cost.

    `depth` is how many statements lie around the place that is read, in this script and those
    that it stands in. Only what holds the text `wanted` is worth the cost where there is a choice:
    a script in quotes, or each of the values that a variable may have.
    """

    budget: Budget
    parsing: Clock
    wanted: str = ""
    depth: int = 0
    skipped: list[Skipped] = field(default_factory=list)
    _forms: Counter[int] = field(default_factory=Counter)

    @classmethod
    def of(cls, work: Work, wanted: str = "") -> Costs:
        """What a script may cost of the work on its file."""
        return cls(work.following, work.parsing, wanted)

    def skip(self, source: Source, node: Node, error: Exception) -> None:
        """Keep in mind that a node is not followed, and why; a reason is kept once."""
        reason = str(error) if isinstance(error, TooMuchWork) else _TOO_DEEP
        last = source.at(max(node.start_byte, node.end_byte - 1))
        self._keep(Skipped(source.at(node.start_byte), last, reason))

    def skip_all(self, source: Source, error: TooMuchWork) -> None:
        """Keep in mind that a whole script is not followed, and why."""
        self._keep(Skipped(source.at(0), source.at(len(source.bytes) - 1), str(error)))

    def can_read(self, script: Word) -> bool:
        """Whether a text is read that a script hands to another shell; pays for it."""
        try:
            self.budget.reserve(_STEPS_FOR_A_CHARACTER * len(script.text))
        except TooMuchWork as error:
            first, last = min(script.offsets, default=0), max(script.offsets, default=0)
            self._keep(Skipped(first, last, str(error)))
            return False
        return True

    def has_room_for(self, words: Sequence[Word]) -> bool:
        """Whether a command is read in one form more; its first word says where it stands."""
        places = words[0].offsets or (0,)
        self._forms[places[0]] += 1
        if self._forms[places[0]] <= MOST_FORMS:
            return True
        reason = f"this command takes more than {MOST_FORMS} forms in loops or branches"
        self._keep(Skipped(places[0], places[-1], reason))
        return False

    def _keep(self, part: Skipped) -> None:
        if all(known.reason != part.reason for known in self.skipped):
            self.skipped.append(part)

    def counted(self, words: Iterable[Word], *nodes: Node) -> list[Word]:
        """The words that nodes become, paid for one by one.

        Raises TooMuchWork where they grow too many or too long; what the script itself holds of
        them is never too much.
        """
        kept: list[Word] = []
        characters, written = 0, sum(node.end_byte - node.start_byte for node in nodes)
        for word in words:
            kept.append(word)
            characters += len(word.text)
            if characters > written or len(kept) > written:
                self.budget.spend(_STEPS_FOR_A_WORD + len(word.text) // CHARACTERS_A_STEP)
            if characters > LONGEST_VALUE + written:
                raise TooMuchWork(f"it stands for more than {LONGEST_VALUE:,} characters")
            if len(kept) > MOST_WORDS + written:
                raise TooMuchWork(f"it stands for more than {MOST_WORDS:,} words")
        return kept
