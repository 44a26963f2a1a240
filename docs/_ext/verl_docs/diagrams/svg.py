"""Pieces of SVG: boxes, text that is wrapped to its box, arrows.

Colours are classes, so that a page's style sheet makes them follow its light or dark theme.
Lengths are in units of the picture's own coordinates; text is `SIZE` of them high.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from html import escape

SIZE = 14
LINE = 1.3  # times the size
_LATIN_WIDTH, _MONO_WIDTH = 0.56, 0.61  # of the size, on average


def picture(width: int, height: int, alt: str, parts: Iterable[str]) -> str:
    """The whole drawing, with its text alternative."""
    return (
        f'<svg class="diagram" viewBox="0 0 {width} {height}" role="img" '
        f'aria-label="{escape(alt)}" xmlns="http://www.w3.org/2000/svg">'
        f"{''.join(parts)}</svg>"
    )


def box(
    x: float, y: float, width: float, height: float, label: str = "", tone: str = "plain"
) -> str:
    """A rectangle with a label in its middle."""
    place = f'x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}"'
    shape = f'<rect class="tone-{tone}" {place} rx="4"/>'
    lines = wrap(label, width - 8)
    top = y + height / 2 - (len(lines) - 1) * SIZE * LINE / 2 + SIZE * 0.36
    return shape + "".join(
        text(x + width / 2, top + number * SIZE * LINE, line, anchor="middle")
        for number, line in enumerate(lines)
    )


def text(
    x: float, y: float, content: str, *, anchor: str = "start", style: str = "", size: float = SIZE
) -> str:
    """A line of text whose baseline is at `y`; `style` is `code`, `strong` or `muted`."""
    kind = f' class="text-{style}"' if style else ""
    return (
        f'<text{kind} x="{x:g}" y="{y:g}" text-anchor="{anchor}" font-size="{size:g}">'
        f"{escape(content)}</text>"
    )


def paragraph(x: float, y: float, width: float, content: str, *, style: str = "") -> str:
    """Text in lines of at most `width`, the first baseline at `y`."""
    return "".join(
        text(x, y + number * SIZE * LINE, line, style=style)
        for number, line in enumerate(wrap(content, width))
    )


def line(x1: float, y1: float, x2: float, y2: float, style: str = "plain") -> str:
    return f'<line class="line-{style}" x1="{x1:g}" y1="{y1:g}" x2="{x2:g}" y2="{y2:g}"/>'


def arrow(x1: float, y1: float, x2: float, y2: float) -> str:
    """A horizontal or vertical arrow."""
    length = 7
    dx, dy = _sign(x2 - x1), _sign(y2 - y1)
    left = (x2 - dx * length - dy * length / 2, y2 - dy * length - dx * length / 2)
    right = (x2 - dx * length + dy * length / 2, y2 - dy * length + dx * length / 2)
    head = " ".join(f"{px:g},{py:g}" for px, py in (left, (x2, y2), right))
    return (
        line(x1, y1, x2 - dx * 3, y2 - dy * 3, "arrow") + f'<polygon class="head" points="{head}"/>'
    )


def wrap(content: str, width: float, size: float = SIZE) -> list[str]:
    """The text in lines that fit: Latin breaks at spaces, Chinese and Japanese anywhere."""
    lines: list[str] = []
    current = ""
    for piece in _pieces(content):
        if current and text_width((current + piece).rstrip(), size) > width:
            lines.append(current.rstrip())
            current = piece.lstrip()
        else:
            current += piece
    return [*lines, current.rstrip()] if current.strip() else lines


def text_width(content: str, size: float = SIZE) -> float:
    """How wide a line of text is, about."""
    return sum(size if _is_wide(c) else size * _LATIN_WIDTH for c in content)


def code_width(content: str, size: float = SIZE) -> float:
    """How wide a line of code is, about."""
    return len(content) * size * _MONO_WIDTH


_NOT_FIRST = frozenset("、。，．・：；？！」』）】〕ー々〜…ぁぃぅぇぉっゃゅょァィゥェォッャュョ")


def _pieces(content: str) -> list[str]:
    """What may not be broken: words with the space behind them, and wide characters."""
    pieces: list[str] = []
    for character in content:
        wide = _is_wide(character)
        joins = bool(pieces) and (
            character in _NOT_FIRST
            or (not wide and not pieces[-1].endswith(" ") and not _is_wide(pieces[-1][-1]))
            or character == " "
        )
        if joins:
            pieces[-1] += character
        else:
            pieces.append(character)
    return pieces


def _is_wide(character: str) -> bool:
    return unicodedata.east_asian_width(character) in "WF"


def _sign(number: float) -> int:
    return (number > 0) - (number < 0)
