"""What a calculator is made of."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

Values: TypeAlias = Mapping[str, float]

GIB = 1024**3


@dataclass(frozen=True, slots=True)
class Field:
    """A number that the reader gives, or chooses by its label among `choices`."""

    name: str
    label: str
    default: float
    least: float = 1
    most: float | None = None
    step: float = 1
    choices: tuple[tuple[float, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Result:
    """A number that comes out, shown with so many decimals."""

    name: str
    label: str
    decimals: int

    def shown(self, value: float) -> str:
        return f"{value:,.{self.decimals}f}" if math.isfinite(value) else "–"


@dataclass(frozen=True, slots=True)
class Refusal:
    """A combination that cannot be, and the sentence that stands in the place of results then.

    It is named like the field at fault.
    """

    name: str
    sentence: str
    applies: Callable[[Values], bool]


@dataclass(frozen=True, slots=True)
class Calculator:
    """A form; `compute` and what its refusals ask are also run by the page, as JavaScript.

    `compute` is asked only about combinations that are not refused. The page shows the results
    for the defaults; the script works them out again as the reader types.
    """

    name: str
    title: str
    fields: tuple[Field, ...]
    results: tuple[Result, ...]
    compute: Callable[[Values], Values]
    refusals: tuple[Refusal, ...] = ()

    def labels(self) -> dict[str, str]:
        """Every text of the form by the name that it has there."""
        fields = {field.name: field.label for field in self.fields}
        results = {result.name: result.label for result in self.results}
        choices = {
            f"{f.name}={number:g}": label for f in self.fields for number, label in f.choices
        }
        refusals = {f"refused={refusal.name}": refusal.sentence for refusal in self.refusals}
        return {"": self.title, **fields, **choices, **results, **refusals}

    def refused(self, values: Values) -> str | None:
        """The name of the refusal that applies."""
        return next((refusal.name for refusal in self.refusals if refusal.applies(values)), None)

    def defaults(self) -> Values:
        return {field.name: field.default for field in self.fields}
