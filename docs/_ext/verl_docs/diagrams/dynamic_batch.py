"""The same samples in micro-batches of two, and in micro-batches filled up to a token budget."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product

from verl_docs.diagrams import svg

LENGTHS = (900, 300, 700, 200, 400, 1000, 250, 250)
"""Tokens of each sample, in the order of the batch."""
BUDGET = 1400

ALT = (
    "Eight samples with 4,000 tokens in all. In micro-batches of two samples they make four of"
    " 1,200, 900, 1,400 and 500 tokens. With a budget of 1,400 tokens they make three of nearly the"
    " same size."
)
LABELS = {
    "fixed": "Two samples each: four passes, uneven",
    "dynamic": "Up to 1,400 tokens each: three passes, even",
    "budget": "budget: 1,400 tokens",
    "tokens": "Height: tokens of a micro-batch. Each box is one sample.",
}
_SCALE = 0.12  # units a token
_BASE = 40 + BUDGET * _SCALE + 24
_WIDTH, _GAP = 64, 12


def draw(alt: str, labels: Mapping[str, str]) -> str:
    pairs = [[*range(n, n + 2)] for n in range(0, len(LENGTHS), 2)]
    second = 400
    parts = [*_group(0, labels["fixed"], pairs), *_group(second, labels["dynamic"], even_parts(3))]
    y = _BASE - BUDGET * _SCALE
    parts.append(svg.line(0, y, 340, y, "limit"))
    parts.append(svg.line(second, y, second + 340, y, "limit"))
    budget = svg.text(second + 340, y - 6, labels["budget"], 340, anchor="end", style="muted")
    tokens = svg.paragraph(0, _BASE + 26, 740, labels["tokens"], style="muted")
    height = svg.end_of_paragraph(_BASE + 26, 740, labels["tokens"])
    return svg.picture(second + 340, height, alt, [*parts, budget, tokens])


def _group(x: float, title: str, batches: Sequence[Sequence[int]]) -> list[str]:
    parts = [svg.paragraph(x, 16, 340, title, style="strong")]
    for number, samples in enumerate(batches):
        y = _BASE
        for sample in samples:
            height = LENGTHS[sample] * _SCALE
            y -= height
            left = x + number * (_WIDTH + _GAP)
            parts.append(svg.box(left, y, _WIDTH, height - 2, f"{LENGTHS[sample]:,}", "a"))
    parts.append(svg.line(x, _BASE, x + 340, _BASE))
    return parts


def even_parts(count: int) -> list[list[int]]:
    """The samples in `count` parts whose largest sum of tokens is as small as possible."""

    def sums(places: Sequence[int]) -> list[int]:
        found = [0] * count
        for length, place in zip(LENGTHS, places, strict=True):
            found[place] += length
        return sorted(found, reverse=True)

    best = min(product(range(count), repeat=len(LENGTHS)), key=sums)
    return [[n for n, place in enumerate(best) if place == part] for part in range(count)]
