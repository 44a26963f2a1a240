"""What `$NAME` and `${NAME…}` stand for, with the variables that are known at their place."""

from __future__ import annotations

import re
from collections.abc import Sequence

from snippet_checker.shell import parameters
from snippet_checker.shell.node import Node
from snippet_checker.shell.parameters import Parameter
from snippet_checker.shell.state import State
from snippet_checker.shell.variables import Variable
from snippet_checker.text.words import UNKNOWN, Word, unsure

_STEPS_FOR_AN_ELEMENT = 3  # that an index may pick
_VARIABLE = re.compile(r"\$\{?([A-Za-z_]\w*)\}?")
_NAME = re.compile(r"[A-Za-z_]\w*")


def words_of(node: Node, state: State) -> tuple[Word, ...]:
    """The words of an expansion, not split yet."""
    parameter = Parameter.of(state.source.text(node))
    unknown = (state.source.unknown(node),)
    if node.has_error or parameter is None:
        return unknown
    value = value_of(parameter, node, state)
    if value is None:
        return unknown
    state.costs.budget.spend(parameters.steps(parameter, value))
    words = parameters.apply(parameter, value, state.source.at(node.start_byte))
    return words if words is not None else unknown


def alternative_of(node: Node, state: State) -> tuple[Sequence[Node], bool] | None:
    """What stands for a variable in `${NAME:-…}` and `${NAME:+…}`, and whether it surely does.

    None where the variable itself counts.
    """
    parameter = Parameter.of(state.source.text(node))
    if parameter is None or parameter.alternative is None or node.has_error:
        return None
    value = value_of(parameter, node, state)
    or_empty = parameter.alternative[0] != ":"
    is_one_of_several = value is None and _is_always_set(parameter, state, or_empty=or_empty)
    is_set = is_one_of_several or (value is not None and _is_set(value, or_empty=or_empty))
    is_sure = is_one_of_several or (value is not None and all(word.sure for word in value))
    if parameter.alternative.endswith("+"):
        if is_sure and not is_set:
            return (), True
    elif is_set:
        return None
    first = next(n for n, c in enumerate(node.children) if c.type == parameter.alternative)
    return node.children[first + 1 : -1], is_sure


def spreads(node: Node, state: State) -> bool:
    """Whether an expansion becomes several words in double quotes, too."""
    parameter = Parameter.of(state.source.text(node))
    return parameter is not None and parameter.spreads and alternative_of(node, state) is None


def value_of(parameter: Parameter, node: Node, state: State) -> tuple[Word, ...] | None:
    """The words that a name stands for; None where only the launch tells."""
    if parameter.prefix == "!":
        return _indirect(parameter, node, state)
    if parameter.name in ("@", "*"):
        return state.environment.arguments or ()
    if parameter.name == "#":
        return _count(node, state)
    if (number := parameters.number(parameter.name)) is not None:
        return _argument(number, state.environment.arguments)
    variable = state.environment.variables.get(parameter.name)
    if variable is None:
        return None
    if not variable.is_certain:
        return _either_text(variable)
    words = variable.values[0]
    state.costs.budget.spend((_STEPS_FOR_AN_ELEMENT if variable.is_array else 1) * len(words))
    return parameters.elements(words, _index(parameter.index, state), variable.is_array)


def _is_always_set(parameter: Parameter, state: State, *, or_empty: bool) -> bool:
    """Whether each value that a variable may have is one, whichever branch set it."""
    variable = state.environment.variables.get(parameter.name)
    if variable is None or variable.is_array or parameter.prefix:
        return False
    return all(_is_set(value, or_empty=or_empty) for value in variable.values)


def _is_set(value: Sequence[Word], *, or_empty: bool) -> bool:
    return bool(value) if or_empty else any(word.text for word in value)


def _index(index: str | None, state: State) -> str | None:
    """An index, or what the variable holds that is one: `${NAME[$key]}`."""
    named = _VARIABLE.fullmatch(index) if index is not None else None
    variable = state.environment.variables.get(named[1]) if named is not None else None
    if variable is None or not variable.is_certain or variable.is_array:
        return index
    text = "".join(word.text for word in variable.values[0])
    return index if UNKNOWN in text else text


def _indirect(parameter: Parameter, node: Node, state: State) -> tuple[Word, ...] | None:
    """`${!NAME}`, the variable of that name, and `${!NAME[@]}`, the indices of an array."""
    variable = state.environment.variables.get(parameter.name)
    if variable is None or not variable.is_certain:
        return None
    if parameter.index is not None:
        return parameters.labels(variable.values[0]) or None
    named = "".join(word.text for word in variable.values[0][:1])
    return value_of(Parameter(named), node, state) if _NAME.fullmatch(named) else None


def _count(node: Node, state: State) -> tuple[Word, ...] | None:
    """`$#`, the number of arguments."""
    arguments = state.environment.arguments
    if arguments is None or not all(word.sure for word in arguments):
        return None
    number = str(len(arguments))
    return (Word(number, (state.source.at(node.start_byte),) * len(number)),)


def _argument(number: int, arguments: tuple[Word, ...] | None) -> tuple[Word, ...] | None:
    """An argument of the function that is followed; one before it may be several, or none."""
    if arguments is None or number == 0:
        return None
    if not all(word.sure for word in arguments[: number - 1]):
        return None
    return arguments[number - 1 : number]


def _either_text(variable: Variable) -> tuple[Word, ...] | None:
    """The one text that a variable has, if it is set."""
    texts = [words for words in variable.values if any(word.text for word in words)]
    return unsure(texts[0]) if len(texts) == 1 and not variable.is_array else None
