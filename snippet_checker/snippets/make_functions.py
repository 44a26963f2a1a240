"""The functions of make that decide which text stands in a command -> that text.

https://www.gnu.org/software/make/manual/html_node/Functions.html.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from snippet_checker.snippets.recipes import Variables
from snippet_checker.text.words import EMPTY, UNKNOWN, Word, spaced, unsure

_CALL = re.compile(r"\$\((?P<name>call|foreach|or|if|strip)\s(?P<arguments>.*)\)", re.DOTALL)
_SIGN = re.compile(r"[(){},]")
_WORD = re.compile(r"\S+")
_MOST_ROUNDS = 50

_Function = Callable[[Variables, Sequence[Word], tuple[str, ...]], Word | None]


def value_of(variables: Variables, written: Word, around: tuple[str, ...]) -> Word | None:
    """What `$(call …)` and the like come to; None where that is not known."""
    call = _CALL.fullmatch(written.text)
    if call is None:
        return None
    arguments = _split(written.cut(*call.span("arguments")))
    return _FUNCTIONS[call["name"]](variables, arguments, (*around, ""))


def _split(arguments: Word) -> list[Word]:
    """The arguments between the commas that lie in no brackets."""
    found: list[Word] = []
    depth = start = 0
    for sign in _SIGN.finditer(arguments.text):
        if sign[0] == "," and not depth:
            found.append(arguments.cut(start, sign.start()))
            start = sign.end()
        elif sign[0] != ",":
            depth += 1 if sign[0] in "({" else -1
    return [*found, arguments.cut(start)]


def _with(variables: Variables, values: Mapping[str, Word]) -> Variables:
    variables.budget.spend(len(variables.values))
    return Variables(
        {**variables.values, **values},
        variables.reference,
        variables.name_of,
        variables.budget,
        variables.call,
    )


def _call(variables: Variables, arguments: Sequence[Word], around: tuple[str, ...]) -> Word | None:
    name = arguments[0].text.strip()
    body = variables.values.get(name)
    if body is None or name in around:
        return None
    given = {
        str(number): variables.expanded(argument, around)
        for number, argument in enumerate(arguments[1:], 1)
    }
    return _with(variables, given).expanded(body, (*around, name))


def _foreach(
    variables: Variables, arguments: Sequence[Word], around: tuple[str, ...]
) -> Word | None:
    if len(arguments) < 3:
        return None
    name, over, *_ = arguments
    text = _joined(arguments[2:])
    values = variables.expanded(over, around)
    words = [values.cut(*word.span()) for word in _WORD.finditer(values.text)]
    if len(words) > _MOST_ROUNDS:
        return None
    rounds = [_with(variables, {name.text.strip(): word}).expanded(text, around) for word in words]
    return spaced(rounds) if rounds else EMPTY


def _joined(arguments: Sequence[Word]) -> Word:
    """The last argument of a function, in which commas are a part of the text."""
    whole = arguments[0]
    for argument in arguments[1:]:
        whole = whole + Word(",", whole.offsets[-1:] or argument.offsets[:1]) + argument
    return whole


def _or(variables: Variables, arguments: Sequence[Word], around: tuple[str, ...]) -> Word | None:
    """The first that is not empty; one that only the caller may set is taken to be."""
    is_sure = True
    for argument in arguments:
        value = variables.expanded(argument.stripped(), around).stripped()
        if value.text.strip(UNKNOWN):
            return value if is_sure else unsure([value])[0]
        is_sure = is_sure and not value.text
    return None


def _if(variables: Variables, arguments: Sequence[Word], around: tuple[str, ...]) -> Word | None:
    """What either side holds, of which nobody promised that it is taken."""
    for side in arguments[1:]:
        value = variables.expanded(side, around)
        if value.text.strip():
            return unsure([value])[0]
    return None


_FUNCTIONS: Mapping[str, _Function] = {
    "call": _call,
    "foreach": _foreach,
    "or": _or,
    "if": _if,
    "strip": lambda variables, given, around: variables.expanded(_joined(given), around).stripped(),
}
