"""What an assignment leaves in a variable: `NAME=…`, `NAME+=…`, `NAME[index]=…`, `${NAME:=…}`."""

from __future__ import annotations

from msgspec.structs import replace

from snippet_checker.shell import parameters
from snippet_checker.shell.calculation import value_alone
from snippet_checker.shell.expansion import Expander
from snippet_checker.shell.grammar import variables_in
from snippet_checker.shell.node import Node
from snippet_checker.shell.parameter_values import alternative_of
from snippet_checker.shell.parameters import Parameter
from snippet_checker.shell.state import State
from snippet_checker.shell.variables import Variable, either
from snippet_checker.text.words import EMPTY, Word
from snippet_checker.work import TooMuchWork

_NEXT = "${{#{}[@]}}"  # as an index: behind the last element


def assign(expander: Expander, node: Node) -> None:
    """Follow an assignment; what grows too large is unknown."""
    name, state = node.child_by_field_name("name"), expander.state
    if name is None:
        return
    try:
        if name.type == "subscript":
            _assign_element(expander, name, node.child_by_field_name("value"))
        else:
            _assign(expander, name, node)
    except (TooMuchWork, RecursionError) as error:
        state.costs.skip(state.source, node, error)
        array = name.child_by_field_name("name") or name
        state.forget(state.source.text(array), node)


def assign_default(expander: Expander, node: Node) -> None:
    """What `${NAME:=…}` sets, where the variable may have had no value."""
    state = expander.state
    parameter = Parameter.of(state.source.text(node))
    if parameter is None or parameter.alternative not in ("=", ":="):
        return
    try:
        if parameter.index is None and alternative_of(node, state) is not None:
            state.set(parameter.name, Variable(((expander.joined(node),),)))
    except (TooMuchWork, RecursionError) as error:
        state.costs.skip(state.source, node, error)
        state.forget(parameter.name, node)


def _assign(expander: Expander, name: Node, node: Node) -> None:
    state, value = expander.state, node.child_by_field_name("value")
    key = state.source.text(name)
    appends = any(child.type == "+=" for child in node.children)
    before = state.variable(key)
    is_array = value is not None and value.type == "array"
    names = set() if is_array else variables_in([node], state.source)
    found = []
    for inner in expander.readings(names | ({key} if appends else set())):
        words = inner.elements(value) if value is not None and is_array else (inner.scalar(value),)
        if before.is_integer and not is_array:
            words = (_as_integer(words[0], node, inner.state, appends=appends),)
        elif appends:
            words = _appended(inner.state.variable(key), words, is_array=is_array)
            words = tuple(state.costs.counted(words, node))
        found.append(Variable((words,), is_array or (appends and before.is_array)))
    whole = either(found, state.costs.budget)
    state.set(key, replace(whole, is_integer=before.is_integer))


def _assign_element(expander: Expander, name: Node, value: Node | None) -> None:
    state = expander.state
    array, index = name.child_by_field_name("name"), name.child_by_field_name("index")
    key = state.source.text(array if array is not None else name)
    before = state.environment.variables.get(key)
    label = state.source.text(index).strip("\"'") if index is not None else ""
    following = _NEXT.format(key)
    if before is None or not before.is_certain or "$" in label.replace(following, ""):
        state.forget(key, name)
        return
    element, place = expander.scalar(value), state.source.at(name.start_byte)
    is_next = label == following
    words = parameters.with_element(before.values[0], label, element, place, is_next=is_next)
    state.set(key, Variable((words,), is_array=True))


def _as_integer(word: Word, node: Node, state: State, *, appends: bool) -> Word:
    """What an integer becomes, which `declare -i` makes of a variable."""
    if appends:
        name = state.source.text(node.child_by_field_name("name") or node)
        sign = Word("+(", word.offsets[:1] * 2)
        end = Word(")", word.offsets[:1])
        earlier = Word(name, (state.source.at(node.start_byte),) * len(name))
        word = earlier + sign + word + end
    return value_alone(word, node, state)


def _appended(before: Variable, words: tuple[Word, ...], *, is_array: bool) -> tuple[Word, ...]:
    """The words of `NAME+=…`: further elements, or more text for the first one."""
    present = before.values[0]
    if is_array:
        return present + words
    first = present[0] if present else EMPTY
    return (first + words[0], *present[1:])
