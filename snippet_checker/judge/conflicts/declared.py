"""The conflicts: the entries of `conflicts.toml`, and what finds them.

What an entry cannot say is computed by a function of a module here, which the entry names.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from types import ModuleType

from msgspec import Struct
from msgspec.structs import replace

from snippet_checker.judge.conflicts import (
    batches,
    distilling,
    engines,
    models,
    token_budgets,
    trainers,
)
from snippet_checker.judge.conflicts.checks import TRAINERS, Check, ConfigValues, Conflict
from snippet_checker.judge.conflicts.roles import FACTS
from snippet_checker.verl import tables
from snippet_checker.verl.tables import ReleaseName

CONFLICTS = Path(__file__).with_name("conflicts.toml")

_PACKAGE = __name__.rpartition(".")[0]
_COMPUTING: dict[str, ModuleType] = {
    "batches": batches,
    "distilling": distilling,
    "engines": engines,
    "models": models,
    "token_budgets": token_budgets,
    "trainers": trainers,
}

Condition = Callable[[ConfigValues], bool]
Numbers = dict[str, tuple[str, ...]]
"""Numbers by the names that an entry gives them: each is the product of the values of keys."""

_COMPARISON = re.compile(r"(\w[\w.]*)(!=|<=|[=<>])(.*)")
_RELATION = re.compile(r"(\w+) (%|!=|<|>) (\w+)")
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
_STATES: dict[str, Callable[[ConfigValues, str], bool]] = {
    "True": ConfigValues.is_on,
    "False": ConfigValues.is_off,
    "null": ConfigValues.is_unset,
    "absent": ConfigValues.is_absent,
}
_ORDERS: dict[str, Callable[[float, float], object]] = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    "%": operator.mod,
}
_WORD = re.compile(r"\{\d\}")
_VALUE = re.compile(r"\{(\w[\w.]*)\}")


class Code(Struct, frozen=True):
    """The releases that have a check, and where in the last of them."""

    since: ReleaseName
    files: tuple[str, ...]
    last: ReleaseName | None = None


class DeclaredConflict(Struct, frozen=True):
    """An entry of the file, whose head says what each field means."""

    code: tuple[Code, ...]
    settings: tuple[str, ...] = ()
    why: str = ""
    computed: str | None = None
    numbers: dict[str, str] = {}
    any: tuple[str, ...] = ()
    when: tuple[str, ...] = ()
    each: tuple[tuple[str, ...], ...] = ((),)
    missing: bool = False
    anyhow: bool = False
    instead: str | None = None
    outcome: str = "refuses to start"
    silent: str | None = None
    unused: str | None = None
    doubtful: bool = False
    reviewed: ReleaseName = ""
    programs: tuple[str, ...] = TRAINERS
    of_class: bool = False
    training_only: bool = False
    refusal: tuple[str, ...] = ()
    unread: str | None = None
    made: str | None = None
    line: int = 0


class Combination(Struct, frozen=True):
    """Settings that stop a run or do nothing together: all conditions hold, and of `any` one.

    Where something has to be computed, that makes the conflicts, and only what verl does then is
    said by `conflict`.
    """

    conditions: tuple[Condition, ...]
    any: tuple[str, ...]
    numbers: Numbers
    conflict: Conflict
    compute: Callable[[ConfigValues], Iterator[Conflict]] | None

    def find(self, values: ConfigValues) -> Iterator[Conflict]:
        """The conflicts that the values make."""
        if not all(holds(values) for holds in self.conditions):
            return
        if self.compute is not None:
            outcome, goes_on = self.conflict.outcome, self.conflict.goes_on
            for found in self.compute(values):
                yield replace(found, outcome=outcome, goes_on=goes_on)
            return
        said = tuple(key for key in self.any if not values.is_off(key))
        why = _filled(self.conflict.why, values, self.numbers)
        if why is not None and (said or not self.any):
            keys = (*self.conflict.keys, *said)
            yield replace(self.conflict, keys=keys, why=why)


def checks() -> Iterator[Check]:
    """The checks that the file declares; raises TableError."""
    file = tables.load(CONFLICTS, ("reviewed", "conflict"))
    for entry in file.of("conflict", DeclaredConflict):
        for words in entry.each:
            try:
                found = _combination(entry, words)
            except _Fault as fault:
                raise file.error(entry.line, f"[[conflict]]: {fault}") from None
            for code in entry.code:
                yield _check(entry, code, found)


class _Fault(ValueError):
    """An entry says something that nobody understands."""


def _check(entry: DeclaredConflict, code: Code, found: Combination) -> Check:
    return Check(
        found.find,
        code.files,
        code.since,
        code.last,
        entry.reviewed,
        entry.training_only,
        entry.refusal,
        entry.programs,
        entry.of_class,
        where=f"{_PACKAGE.replace('.', '/')}/{CONFLICTS.name}:{entry.line}",
        keys=found.conflict.keys,
        about=entry.computed or ", ".join(found.conflict.keys),
    )


def _combination(entry: DeclaredConflict, words: tuple[str, ...]) -> Combination:
    """An entry with some of its words in their places; raises _Fault."""

    def placed(text: str) -> str:
        for number, word in enumerate(words):
            text = text.replace(f"{{{number}}}", word)
        left = _WORD.search(text)
        if left is not None:
            raise _Fault(f"there is no {left[0]}")
        return text

    settings = [placed(text) for text in entry.settings]
    numbers = {name: tuple(placed(keys).split(" * ")) for name, keys in entry.numbers.items()}
    asked = [text for text in settings if _key(text) != text]
    asked += [placed(text) for text in entry.when]
    goes_on = entry.unused or entry.silent
    conflict = Conflict(
        tuple(map(_key, settings)),
        placed(entry.why),
        missing=entry.missing or entry.unused is not None,
        anyhow=entry.anyhow,
        instead=placed(entry.instead) if entry.instead else None,
        outcome=goes_on or entry.outcome,
        goes_on=goes_on is not None,
        only_unsaid=entry.unused is not None,
        doubtful=entry.doubtful or entry.unused is not None,
        unread=entry.unread,
        made=entry.made,
    )
    return Combination(
        tuple(_condition(text, numbers) for text in asked),
        tuple(map(placed, entry.any)),
        numbers,
        conflict,
        _computed(placed(entry.computed)) if entry.computed is not None else None,
    )


def _computed(text: str) -> Callable[[ConfigValues], Iterator[Conflict]]:
    """The function that a text names, with the arguments behind its name; raises _Fault."""
    name, *arguments = text.split()
    module, _, function = name.partition(".")
    compute = getattr(_COMPUTING.get(module), function, None)
    if compute is None:
        raise _Fault(f"nothing is called '{name}'")
    return lambda values: compute(values, *arguments)


def _key(setting: str) -> str:
    """The key that a setting is about."""
    found = _COMPARISON.fullmatch(setting)
    return found[1] if found else setting


def _condition(text: str, numbers: Numbers) -> Condition:
    """What a text says that the values have to be; raises _Fault."""
    related = _RELATION.fullmatch(text)
    if related is not None:
        for name in related.group(1, 3):
            if name not in numbers:
                raise _Fault(f"no number is called '{name}'")
        first, second = numbers[related[1]], numbers[related[3]]
        return partial(_relates, first=first, order=_ORDERS[related[2]], second=second)
    found = _COMPARISON.fullmatch(text)
    if found is None:
        name, *arguments = text.split()
        if name not in FACTS:
            raise _Fault(f"nothing is called '{name}'")
        fact = FACTS[name]
        return lambda values: fact(values, *arguments)
    key, sign, right = found.groups()
    if sign == "=" and right in _STATES:
        state = _STATES[right]
        return lambda values: state(values, key)
    if _NUMBER.fullmatch(right):
        return partial(_compares, key=key, order=_ORDERS[sign], number=float(right))
    return partial(_is_word, key=key, words=frozenset(right.split("|")), is_one=sign == "=")


def _relates(
    values: ConfigValues,
    *,
    first: tuple[str, ...],
    order: Callable[[float, float], object],
    second: tuple[str, ...],
) -> bool:
    """Whether two numbers, both known and neither of them 0, stand in a relation."""
    one, other = values.product(*first), values.product(*second)
    return bool(one and other and order(one, other))


def _compares(
    values: ConfigValues, *, key: str, order: Callable[[float, float], object], number: float
) -> bool:
    figure = values.figure(key)
    return figure is not None and bool(order(figure, number))


def _is_word(values: ConfigValues, *, key: str, words: frozenset[str], is_one: bool) -> bool:
    word = values.word(key)
    return bool(word) and (word in words) == is_one


def _filled(why: str, values: ConfigValues, numbers: Numbers) -> str | None:
    """A reason with values for their names; None where one is neither a word nor a number."""
    for name in _VALUE.findall(why):
        value = values.product(*numbers[name]) if name in numbers else values.word(name)
        value = value or values.number(name)
        if value is None:
            return None
        why = why.replace(f"{{{name}}}", str(value))
    return why
