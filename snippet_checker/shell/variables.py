"""What a shell knows at one point of a script: variables, arguments and functions.

A branch may or may not be taken, so that a variable may have several values after it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from functools import reduce
from itertools import islice, product

from msgspec import Struct, field
from msgspec.structs import replace

from snippet_checker.shell.node import Node
from snippet_checker.shell.source import Source
from snippet_checker.text.words import Word, unsure
from snippet_checker.work import Budget

_MOST_PAIRS = 40_000  # of words that are compared to find those which two values share
_PAIRS_A_STEP = 10
_MOST_VALUES = 32  # that one variable may have, and readings that one text may have with them


class Variable(Struct, frozen=True):
    """The words of each value that a variable may have; no words at all where it is not set.

    What is assigned to one that `is_integer` is calculated first.
    """

    values: tuple[tuple[Word, ...], ...]
    is_array: bool = False
    is_integer: bool = False

    @property
    def is_certain(self) -> bool:
        return len(self.values) == 1

    def holds(self, text: str) -> bool:
        """Whether a word of some value holds a text."""
        return any(text in word.text for words in self.values for word in words)


NOT_SET = Variable(((),))


class Function(Struct, frozen=True):
    """The body of a function, in the text that defines it, and the variables of its own."""

    body: Node
    source: Source
    own: frozenset[str]


class Environment(Struct):
    """Variables, functions and arguments; those of a script are known at launch only: None.

    A way through the script that `is_over` ends in `exit` or `return`.
    """

    variables: dict[str, Variable] = field(default_factory=dict)
    functions: dict[str, Function] = field(default_factory=dict)
    arguments: tuple[Word, ...] | None = None
    is_over: bool = False

    def copy(self) -> Environment:
        return Environment(dict(self.variables), dict(self.functions), self.arguments, self.is_over)

    def readings(self, names: Iterable[str]) -> Iterator[Environment]:
        """The environment with one value for each of the named variables, in every combination."""
        known = sorted(name for name in names if name in self.variables)
        several = [name for name in known if not self.variables[name].is_certain]
        if not several:
            yield self
            return
        choices = [self.variables[name].values for name in several]
        for chosen in islice(product(*choices), _MOST_VALUES):
            reading = self.copy()
            for name, words in zip(several, chosen, strict=True):
                reading.variables[name] = replace(reading.variables[name], values=(words,))
            yield reading


def joined(ends: Sequence[Environment], budget: Budget) -> Environment:
    """What is known where several ways through a script meet, of those that are not over."""
    ends = [end for end in ends if not end.is_over] or ends
    whole = ends[0].copy()
    budget.count(2 * sum(len(end.variables) + len(end.functions) for end in ends))
    if not budget.has_room():
        whole.variables = {}
        return whole
    for name in dict.fromkeys(name for end in ends for name in end.variables):
        found = [end.variables.get(name, NOT_SET) for end in ends]
        if any(variable is not found[0] for variable in found):
            whole.variables[name] = either(found, budget)
    for end in ends:
        whole.functions |= end.functions
    if any(end.arguments != whole.arguments for end in ends):
        known = [end.arguments for end in ends if end.arguments is not None]
        # Of what a `shift` may have taken away, the overrides are of interest.
        whole.arguments = tuple(w for w in any_of(known, budget) if w.sure or "=" in w.text)
    return whole


def either(variables: Sequence[Variable], budget: Budget) -> Variable:
    """A variable that may be any of several."""
    budget.count(sum(len(words) for variable in variables for words in variable.values))
    is_array = any(variable.is_array for variable in variables)
    values: dict[tuple[str, ...], tuple[Word, ...]] = {}
    for words in (words for variable in variables for words in variable.values):
        values.setdefault(tuple(word.text for word in words), words)
    found = list(values.values())
    if is_array:
        found = _without_parts(found, budget)
    if len(found) > _MOST_VALUES:
        found = [any_of(found, budget) if is_array else unsure(max(found, key=_length))]
    is_integer = any(variable.is_integer for variable in variables)
    return Variable(tuple(found), is_array, is_integer)


def any_of(values: Iterable[tuple[Word, ...]], budget: Budget) -> tuple[Word, ...]:
    """The words of all the values; what not all of them have may be there or not."""
    return reduce(lambda one, other: merged(one, other, budget), values)


def merged(one: tuple[Word, ...], other: tuple[Word, ...], budget: Budget) -> tuple[Word, ...]:
    """The words of both in their order; what only one of them has may be there or not."""
    budget.count(len(one) + len(other))
    if [word.text for word in one] == [word.text for word in other]:
        return tuple(a if b.sure else b for a, b in zip(one, other, strict=True))
    if len(one) * len(other) > _MOST_PAIRS:
        return unsure(one) + unsure(other)
    budget.count(len(one) * len(other) // _PAIRS_A_STEP)
    matcher = SequenceMatcher(
        None, [word.text for word in one], [word.text for word in other], autojunk=False
    )
    words: list[Word] = []
    for kind, start, end, other_start, other_end in matcher.get_opcodes():
        if kind == "equal":
            pairs = zip(one[start:end], other[other_start:other_end], strict=True)
            words += [a if b.sure else b for a, b in pairs]
        else:
            words += unsure(one[start:end]) + unsure(other[other_start:other_end])
    return tuple(words)


def _without_parts(values: list[tuple[Word, ...]], budget: Budget) -> list[tuple[Word, ...]]:
    """The values, those that lie in a longer one made a part of it: elements that are added."""
    kept: list[tuple[Word, ...]] = []
    for words in sorted(values, key=len):
        within = next((n for n, short in enumerate(kept) if _lies_in(short, words)), None)
        if within is None:
            kept.append(words)
        else:
            kept[within] = merged(kept[within], words, budget)
    return kept


def _lies_in(part: Sequence[Word], whole: Sequence[Word]) -> bool:
    """Whether the words that are surely in `part` stand in `whole`, in the same order."""
    texts = iter(word.text for word in whole)
    return all(word.text in texts for word in part if word.sure)


def _length(words: Iterable[Word]) -> int:
    return sum(len(word.text) for word in words)
