"""The way through a script: the place that it has come to, and what is known there.

A walk is read to its end: what it knows is right only behind the words that were taken from it.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence

from msgspec import Struct, field

from snippet_checker.shell.arithmetic import changed_in, names_in
from snippet_checker.shell.assignment import assign, assign_default
from snippet_checker.shell.calculation import Numbers, calculate
from snippet_checker.shell.cases import Cases
from snippet_checker.shell.costs import Costs
from snippet_checker.shell.expansion import Expander
from snippet_checker.shell.grammar import SUBSTITUTIONS, descendants, parse, without_comments
from snippet_checker.shell.node import Node
from snippet_checker.shell.source import Source
from snippet_checker.shell.state import State
from snippet_checker.shell.variables import Environment, joined
from snippet_checker.text.words import UNKNOWN, Word
from snippet_checker.work import DEEPEST, MOST_WORDS, TooMuchWork

Commands = Iterator[list[Word]]
"""The words of one command after the other."""

STEPS_FOR_A_COMMAND = 150
MOST_ROUNDS = 50  # of one loop
_DEEPEST_CALLS = 20  # of functions within each other
_MOST_CALLS = 3  # of a function within itself
_STEPS_FOR_A_NODE = 10
_MAY_NOT_COUNT = frozenset({*SUBSTITUTIONS, "expansion", "arithmetic_expansion"})
_NAMES_A_STEP = 2  # that are copied where a script may go on in several ways


class ScriptRun(Struct):
    """What is counted over a script and all that it reads on its way.

    `readers` say what becomes of a node, by its type. `used` are the variables that the script
    expands; `lists` are the elements of the other arrays, by the place where they are set.
    """

    costs: Costs
    cases: Cases
    readers: Mapping[str, Reader]
    called: set[str] = field(default_factory=set)
    calls: list[str] = field(default_factory=list)
    returns: list[list[Environment]] = field(default_factory=list)
    used: frozenset[str] | None = None
    lists: dict[int, tuple[Word, ...]] = field(default_factory=dict)

    @classmethod
    def of(cls, costs: Costs, readers: Mapping[str, Reader]) -> ScriptRun:
        return cls(costs, Cases(costs.budget), readers)

    def is_deep(self, name: str) -> bool:
        """Whether a function is not followed once more: it would call itself for ever."""
        return len(self.calls) >= _DEEPEST_CALLS or self.calls.count(name) >= _MOST_CALLS


class Walk:
    """A walk over the nodes of a text, with what is known at the place that it has come to.

    `is_broken` says that the loop around the place has been left; `given` is what a pipe hands to
    the command there, where that is known.
    """

    def __init__(self, source: Source, environment: Environment, run: ScriptRun) -> None:
        self.source, self.run = source, run
        self.expander = Expander(State(source, environment, run.costs))
        self.is_broken = False
        self.given: Word | None = None

    @property
    def here(self) -> Environment:
        """What is known at the place that the walk has come to."""
        return self.expander.state.environment

    @here.setter
    def here(self, environment: Environment) -> None:
        self.expander.state.environment = environment

    def commands(self) -> Commands:
        """Each command's words, in the order of the text, functions where they are called."""
        yield from self.read(self.source)
        for name, function in list(self.here.functions.items()):
            if name not in self.run.called:
                yield from self.within(function.source, function.body)

    def read(self, source: Source) -> Commands:
        """The commands of a text; where it takes too long to read, of the halves that do not."""
        try:
            root = parse(source, self.run.costs.parsing)
        except TooMuchWork as error:
            halves = source.halves()
            if halves is None:
                self.run.costs.skip_all(source, error)
            for half in halves or ():
                yield from self.read(half)
        else:
            yield from self.within(source, root)

    def over(self, node: Node) -> Commands:
        """The commands of a node, unless it lies too deep in others."""
        costs = self.run.costs
        if costs.depth >= DEEPEST:
            self.skip(node, TooMuchWork(f"more than {DEEPEST} statements lie around it"))
            return
        costs.depth += 1
        costs.budget.count(_STEPS_FOR_A_NODE)
        try:
            yield from self._into(node)
        except RecursionError as error:
            self.skip(node, error)
        finally:
            costs.depth -= 1

    def _into(self, node: Node) -> Commands:
        reader = self.run.readers.get(node.type)
        if reader is not None:
            yield from reader(self, node)
        elif node.type not in ("comment", "test_command"):
            yield from self.over_all(node.children)

    def over_all(self, nodes: Iterable[Node]) -> Commands:
        for node in nodes:
            yield from self.over(node)

    def apart(
        self, node: Node, nodes: Iterable[Node] | None = None
    ) -> Generator[list[Word], None, Environment]:
        """All of a node, or some nodes in it, in a shell or a branch of their own.

        What is set there is not known behind it; it is returned.
        """
        outer = self.here
        self.here = self.copied(outer, node)
        yield from self.over_all(node.children if nodes is None else nodes)
        end, self.here = self.here, outer
        return end

    def substitutions(self, *nodes: Node) -> Commands:
        """The commands whose output stands in some nodes, and what `$((n++))` or `${N:=…}` sets."""
        self.expander.calculated.clear()
        for node in nodes:
            text = self.source.text(node)
            if "$((" in text or "$[" in text:
                for expansion in descendants(node, "arithmetic_expansion"):
                    self._calculate_within(node, expansion)
            if "${" in text and "=" in text:
                for expansion in descendants(node, "expansion"):
                    assign_default(self.expander, expansion)
            if node.type in SUBSTITUTIONS:
                yield from self.apart(node)
                continue
            for substitution in descendants(node, *SUBSTITUTIONS):
                yield from self.apart(substitution)

    def _calculate_within(self, node: Node, expansion: Node) -> None:
        """Follow what `$((n++))` sets, unless it may not run, or what stands before it counts."""
        value, changed = self._calculated(expansion)
        if not changed:
            return
        before = self.source.bytes[node.start_byte : expansion.start_byte].decode()
        is_apart = any(parent.type in _MAY_NOT_COUNT for parent in _around(expansion, node))
        if is_apart or not changed.keys().isdisjoint(names_in(before)):
            for name in changed:
                self.forget(name, expansion)
            return
        self.expander.calculated[expansion.start_byte] = value
        self._set(changed, expansion)

    def calculate(self, node: Node, expression: Word | None = None) -> Word:
        """Set what arithmetic sets, `((n++))` or the `expression` of `let`; gives its value."""
        value, changed = self._calculated(node, expression)
        self._set(changed, node)
        return value

    def _calculated(self, node: Node, expression: Word | None = None) -> tuple[Word, Numbers]:
        """The value of arithmetic, and of the variables that it sets."""
        try:
            expression = self.expander.expression(node) if expression is None else expression
            value, changed = calculate(expression, node, self.expander.state)
        except (TooMuchWork, RecursionError) as error:
            self.skip(node, error)
            value, changed = self.source.unknown(node), {}
        if value.text == UNKNOWN:
            for name in changed_in(self.source.text(node)):
                changed[name] = value
        return value, changed

    def _set(self, changed: Numbers, node: Node) -> None:
        for name, word in changed.items():
            if word.text == UNKNOWN:
                self.forget(name, node)
            else:
                self.expander.state.set_number(name, word)

    def assign(self, node: Node) -> None:
        """Follow an assignment."""
        assign(self.expander, node)

    def forget(self, name: str, node: Node) -> None:
        """Take a variable for unknown: something that is not followed sets it."""
        self.expander.state.forget(name, node)

    def forget_calculated(self, node: Node) -> None:
        """Forget the variables that arithmetic sets: `i++`, `n += 2`."""
        for name in changed_in(self.source.text(node)):
            self.forget(name, node)

    def within(self, source: Source, node: Node) -> Commands:
        """A node of another text, with the variables of this one."""
        outer_source, outer_expander = self.source, self.expander
        self.source = source
        self.expander = Expander(State(source, self.here, self.run.costs))
        try:
            yield from self.over(node)
        finally:
            outer_expander.state.environment = self.here
            self.source, self.expander = outer_source, outer_expander

    def of_other_shell(self, text: Word, *, is_shown: bool = False) -> Commands:
        """The commands of a text that another command is given, if it holds what is wanted."""
        costs = self.run.costs
        if costs.wanted in text.text and costs.can_read(text):
            source = Source(without_comments(text.text), text.offsets)
            other = Walk(source, Environment(), ScriptRun.of(costs, self.run.readers))
            for words in other.commands():
                if not (is_shown and is_sentence(words, costs.wanted)):
                    yield words

    def copied(self, known: Environment, node: Node) -> Environment:
        """What is known before a node that may change it, or nothing where that is too much."""
        budget = self.run.costs.budget
        budget.count((len(known.variables) + len(known.functions)) // _NAMES_A_STEP)
        if budget.has_room():
            return known.copy()
        self.skip(node, budget.exhausted())
        return Environment(functions=known.functions, arguments=known.arguments)

    def joined(self, ends: Sequence[Environment], node: Node) -> Environment:
        """What is known where several ways through a node meet."""
        budget = self.run.costs.budget
        whole = joined(ends, budget)
        if not budget.has_room():
            self.skip(node, budget.exhausted())
        most = MOST_WORDS + max(len(end.arguments or ()) for end in ends)
        if len(whole.arguments or ()) > most:
            self.skip(node, TooMuchWork(f"it leaves more than {MOST_WORDS:,} arguments open"))
            whole.arguments = None
        return whole

    def has_room(self, node: Node) -> bool:
        """Whether there are steps left for a round or a call, whose own costs this pays."""
        budget = self.run.costs.budget
        budget.count(STEPS_FOR_A_COMMAND + len(self.here.variables))
        if not budget.has_room():
            self.skip(node, budget.exhausted())
        return budget.has_room()

    def skip(self, node: Node, error: Exception) -> None:
        """Keep in mind that a node is not followed, and why."""
        self.run.costs.skip(self.source, node, error)


Reader = Callable[[Walk, Node], Commands]
"""What follows a node of some type, and gives the commands in it."""


def _around(node: Node, outermost: Node) -> Iterator[Node]:
    """The nodes around one, from the inside, that lie in another one or are it."""
    parent = node.parent
    while parent is not None and parent.start_byte >= outermost.start_byte:
        yield parent
        if parent == outermost:
            return
        parent = parent.parent


def is_sentence(words: Sequence[Word], name: str) -> bool:
    """Whether words that hold the name of a program are a text about it: other words follow."""
    names = [number for number, word in enumerate(words) if name in word.text]
    rest = words[names[0] + 1 :] if names else ()
    return any(
        "=" not in word.text and not word.text.startswith("-") and UNKNOWN not in word.text
        for word in rest
    )
