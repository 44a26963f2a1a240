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
    folded: bool = False  # behind a heading that opens, since a preset gives it
    where: tuple[str, float] | None = None  # asked for only while that field has that value

    def is_asked(self, values: Values) -> bool:
        return self.where is None or values[self.where[0]] == self.where[1]


@dataclass(frozen=True, slots=True)
class Result:
    """A number that comes out, shown with so many decimals, or as a sentence by its number."""

    name: str
    label: str
    decimals: int
    words: tuple[tuple[float, str], ...] = ()

    def shown(self, value: float, labels: Mapping[str, str] | None = None) -> str:
        """The value as the page shows it, with the form's texts in the reader's language."""
        if self.words:
            return (labels or {}).get(f"{self.name}={value:g}", dict(self.words)[value])
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
class Override:
    """A setting that comes out: a result or a field by its name, or a word that stands for it.

    It is left out unless each of `only` is there and not 0: results, or fields.
    """

    key: str
    name: str
    only: tuple[str, ...] = ()
    words: tuple[tuple[float, str], ...] = ()

    def shown(self, values: Values) -> str | None:
        if not all(values[name] for name in self.only):
            return None
        value = values[self.name]
        return f"{self.key}={dict(self.words).get(value) or f'{value:g}'}"


def fixed(key: str, word: str, *only: str) -> Override:
    """A word that is set where some results are 1."""
    return Override(key, only[0], only, words=((1, word),))


@dataclass(frozen=True, slots=True)
class Preset:
    """Values of several fields under one name."""

    name: str
    values: Values


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
    overrides: tuple[Override, ...] = ()
    shows_overrides: str | None = None  # the result without which there are no settings
    presets: tuple[tuple[str, tuple[Preset, ...]], ...] = ()  # each choice with its label
    reads_config: bool = False  # whether it takes a model's config.json
    of_fsdp: bool = False  # whether a plan for Megatron has nothing to fill in here

    def labels(self) -> dict[str, str]:
        """Every text of the form by the name that it has there."""
        fields = {field.name: field.label for field in self.fields}
        results = {result.name: result.label for result in self.results}
        choices = {
            f"{f.name}={number:g}": label for f in self.fields for number, label in f.choices
        }
        words = {f"{r.name}={number:g}": said for r in self.results for number, said in r.words}
        chosen = {f"preset={label}": label for label, _presets in self.presets}
        refusals = {f"refused={refusal.name}": refusal.sentence for refusal in self.refusals}
        return {"": self.title, **fields, **choices, **results, **refusals, **words, **chosen}

    def refused(self, values: Values) -> str | None:
        """The name of the refusal that applies."""
        return next((refusal.name for refusal in self.refusals if refusal.applies(values)), None)

    def settings(self, values: Values) -> list[str]:
        """The overrides for values that are not refused."""
        known = {**values, **self.compute(values)}
        if self.shows_overrides is not None and not known[self.shows_overrides]:
            return []
        shown = (override.shown(known) for override in self.overrides)
        return [text for text in shown if text is not None]

    def defaults(self) -> Values:
        return {field.name: field.default for field in self.fields}
