"""What the readers of Dockerfiles, Makefiles and justfiles share: long lines, and variables."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping

from msgspec import Struct

from snippet_checker.documents.block import Block
from snippet_checker.snippets import commands, unreadable
from snippet_checker.snippets.snippet import Snippet
from snippet_checker.text.words import Word, replaced, unknown_at
from snippet_checker.work import LONGEST_VALUE, Budget, TooMuchWork, Work

_LOGICAL = re.compile(r"(?:[^\\\n]++|\\(?:\n|[^\n]|\Z))*+(?:\n|\Z)")
_MOST_DEEP = 20  # variables in one another


def logical_lines(text: str) -> Iterator[tuple[int, int]]:
    """Where each line begins and ends; a backslash at its end makes the next one a part of it."""
    place = 0
    while place < len(text):
        line = _LOGICAL.match(text, place)
        end = line.end() if line is not None else len(text)
        yield place, end - text.endswith("\n", place, end)
        place = end


class Variables(Struct, frozen=True):
    """The variables of a file that have one value, and how the file names them.

    `name_of` gives the name that a match of `reference` stands for, or None where it is more than a
    name, which `call` may know the value of; what it gives as a word stands for itself.
    """

    values: Mapping[str, Word]
    reference: re.Pattern[str]
    name_of: Callable[[re.Match[str]], str | Word | None]
    budget: Budget
    call: Callable[[Variables, Word, tuple[str, ...]], Word | None] | None = None

    def expanded(self, word: Word, around: tuple[str, ...] = ()) -> Word:
        """A word with the values of its variables; what is not known, or too much, is unknown."""

        def make(match: re.Match[str]) -> Word:
            name = self.name_of(match)
            if isinstance(name, Word):
                return Word(name.text, word.offsets[match.start() : match.start() + 1])
            called = self.call if name is None else None
            if called is not None and len(around) < _MOST_DEEP:
                made = called(self, word.cut(*match.span()), around)
                return made if made is not None else unknown_at(word.offsets[match.start()])
            value = self.values.get(name) if name is not None and name not in around else None
            if value is None or name is None or len(around) == _MOST_DEEP:
                return unknown_at(word.offsets[match.start()])
            return self.expanded(value, (*around, name))

        self.budget.spend(1 + len(word.text))
        whole = replaced(word, self.reference.finditer(word.text), make)
        if len(whole.text) > LONGEST_VALUE:
            raise TooMuchWork("what its variables hold is too long")
        return whole


def read_lines(
    block: Block, lines: Iterable[Word], variables: Variables, work: Work
) -> Iterator[Snippet]:
    """The commands of the lines of a recipe, for each of which a shell is started."""
    for line in lines:
        try:
            script = variables.expanded(line)
        except TooMuchWork as error:
            yield unreadable.too_much(block, line.span(block), error)
            continue
        if "verl" in script.text or "actor_rollout_ref" in script.text:
            yield from commands.read_word(block, script, work)
