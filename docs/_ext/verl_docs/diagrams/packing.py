"""Sequences of different lengths: padded to the longest, and packed into one row."""

from __future__ import annotations

from collections.abc import Mapping

from verl_docs.diagrams import svg

ALT = (
    "Four sequences of 12, 5, 8 and 3 tokens. Padded, they take four rows of 12, of which 20 places"
    " out of 48 hold padding. Packed, they stand one after the other in a single row of 28."
)
LABELS = {
    "padded": "Padded: every row is as long as the longest sequence, 48 places",
    "packed": "Packed: one row without gaps, 28 places",
    "padding": "padding",
    "edges": "Attention does not cross the edges between sequences.",
}
_LENGTHS = (12, 5, 8, 3)
_TONES = ("a", "b", "c", "d")
_CELL, _ROW = 26, 32
_TOTAL = sum(_LENGTHS) * _CELL


def draw(alt: str, labels: Mapping[str, str]) -> str:
    longest = max(_LENGTHS)
    parts = [svg.text(0, 18, labels["padded"], _TOTAL, style="strong")]
    for number, (length, tone) in enumerate(zip(_LENGTHS, _TONES, strict=True)):
        y = 32 + number * _ROW
        parts += [_cell(n * _CELL, y, tone) for n in range(length)]
        if length < longest:
            width = (longest - length) * _CELL - 3
            parts.append(svg.box(length * _CELL, y, width, _CELL - 3, labels["padding"], "padding"))
    y = 32 + len(_LENGTHS) * _ROW + 40
    parts.append(svg.text(0, y - 14, labels["packed"], _TOTAL, style="strong"))
    tones = [tone for length, tone in zip(_LENGTHS, _TONES, strict=True) for _ in range(length)]
    parts += [_cell(n * _CELL, y, tone) for n, tone in enumerate(tones)]
    y += 48
    parts.append(svg.paragraph(0, y, _TOTAL, labels["edges"], style="muted"))
    return svg.picture(_TOTAL, svg.end_of_paragraph(y, _TOTAL, labels["edges"]), alt, parts)


def _cell(x: float, y: float, tone: str) -> str:
    return svg.box(x, y, _CELL - 3, _CELL - 3, tone=tone)
