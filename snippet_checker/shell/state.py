"""What a shell has at one place of a script: its text, what is known there, what it may cost."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct
from msgspec.structs import replace

from snippet_checker.shell.costs import Costs
from snippet_checker.shell.node import Node
from snippet_checker.shell.source import Source
from snippet_checker.shell.variables import NOT_SET, Environment, Variable
from snippet_checker.text.words import Word, unknown_at


class State(Struct):
    """The text that is read, the variables there, and the steps that are left."""

    source: Source
    environment: Environment
    costs: Costs

    def variable(self, name: str) -> Variable:
        return self.environment.variables.get(name, NOT_SET)

    def set(self, name: str, variable: Variable) -> None:
        self.environment.variables[name] = variable

    def set_number(self, name: str, word: Word) -> None:
        """Keep what arithmetic sets a variable to; of an array, that is one element."""
        before = self.variable(name)
        if before.is_array:
            self.set(name, Variable(((unknown_at(word.offsets[0]),),)))
        else:
            self.set(name, Variable(((word,),), is_integer=before.is_integer))

    def forget(self, name: str, node: Node) -> None:
        """Take a variable for unknown: something else than an assignment sets it."""
        unknown = (self.source.unknown(node),)
        self.set(name, Variable((unknown,), is_integer=self.variable(name).is_integer))

    def readings(self, names: Iterable[str]) -> Iterator[State]:
        """The state with one value for each of the named variables, in every combination."""
        for reading in self.environment.readings(names):
            if reading is not self.environment:
                self.costs.budget.spend(1 + len(reading.variables))
            yield replace(self, environment=reading)
