"""The value of an arithmetic expression, with the variables that are known at its place."""

from __future__ import annotations

from snippet_checker.shell import arithmetic, parameters
from snippet_checker.shell.node import Node
from snippet_checker.shell.state import State
from snippet_checker.text.words import EMPTY, UNKNOWN, Word

Numbers = dict[str, Word]
"""What arithmetic sets, by the names of the variables."""

_OF_THE_SHELL = frozenset({"RANDOM", "SRANDOM", "SECONDS", "LINENO", "EPOCHSECONDS"})
_STEPS_FOR_A_SIGN = 4


def calculate(expression: Word, node: Node, state: State) -> tuple[Word, Numbers]:
    """The value of an expression, and of the variables that it sets."""
    budget = state.costs.budget
    is_sure = expression.sure

    def read(name: str, index: int | None) -> str | None:
        nonlocal is_sure
        word = _operand(name, index, state)
        if word is None:
            return None
        is_sure = is_sure and word.sure
        budget.spend(_STEPS_FOR_A_SIGN * len(word.text))
        return word.text

    budget.spend(_STEPS_FOR_A_SIGN * len(expression.text))
    result = arithmetic.evaluate(expression.text, read)
    place = state.source.at(state.source.start(node))

    def placed(number: int | None) -> Word:
        text = str(number) if number is not None else UNKNOWN
        return Word(text, (place,) * len(text), is_sure)

    return placed(result.value), {name: placed(n) for name, n in result.changed.items()}


def value_alone(expression: Word, node: Node, state: State) -> Word:
    """The value of an expression; unknown where it also sets variables."""
    value, changed = calculate(expression, node, state)
    return value if not changed else state.source.unknown(node)


def _operand(name: str, index: int | None, state: State) -> Word | None:
    """The text of a variable in arithmetic: none is 0; None where only the launch tells."""
    variable = state.environment.variables.get(name)
    if variable is None or not variable.is_certain or name in _OF_THE_SHELL:
        return None
    words = variable.values[0]
    if variable.is_array and (parameters.labels(words) or not all(w.sure for w in words)):
        return None
    state.costs.budget.spend(len(words))
    label = str(index) if index is not None else None
    found = parameters.elements(words, label, variable.is_array)
    return next(iter(found), EMPTY) if found is not None else None
