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
_SMALLEST = 9
_PADDING, _MARGIN = 4, 4  # beside a label in its box, and around the picture


def _by_character(characters_by_width: dict[float, str]) -> dict[str, float]:
    return {c: width for width, characters in characters_by_width.items() for c in characters}


# Which font a reader has is not known. These are widths in the widest that systems bring along, in
# parts of the size, so that a text fits with any.
_REGULAR = _by_character(
    {
        **{0.3: "'Iijl", 0.35: " ,./:;\\|", 0.4: "()-[]ft", 0.45: "!r", 0.5: '"*J`', 0.55: "csz"},
        **{0.6: "?L_kvxy", 0.65: "$0123456789FTabdeghnopqu{}", 0.7: "ABEKPSVXYZ", 0.75: "CNRU"},
        **{0.8: "&DGHOQ", 0.85: "#+<=>^w~", 0.9: "M", 1.0: "%Wm", 1.05: "@"},
    }
)
_STRONG = _by_character(
    {
        **{0.35: "'ijl", 0.4: " ,./:;I\\|", 0.45: "-f", 0.5: "!()[]`rt", 0.55: '"*', 0.6: "J_csz"},
        **{0.65: "?Lx", 0.7: "$0123456789EFTaekovy", 0.75: "CPSYZbdghnpqu{}", 0.8: "ABKRVX"},
        **{0.85: "#+<=>DGHNU^~", 0.9: "&OQ", 0.95: "w", 1.0: "@M", 1.05: "%m", 1.15: "W"},
    }
)
_MONO, _OTHER, _WIDE = 0.62, 0.85, 1.0  # code, other characters, Chinese and Japanese


def picture(width: float, height: float, alt: str, parts: Iterable[str]) -> str:
    """The whole drawing, with its text alternative; what stands at its edge is not cut."""
    box = f"{-_MARGIN} {-_MARGIN} {width + 2 * _MARGIN:g} {height + 2 * _MARGIN:g}"
    return (
        f'<svg class="diagram" viewBox="{box}" role="img" '
        f'aria-label="{escape(alt)}" xmlns="http://www.w3.org/2000/svg">'
        f"{''.join(parts)}</svg>"
    )


def box(
    x: float, y: float, width: float, height: float, label: str = "", tone: str = "plain"
) -> str:
    """A rectangle with a label in its middle, in the largest size in which it fits."""
    place = f'x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}"'
    shape = f'<rect class="tone-{tone}" {place} rx="4"/>'
    room = width - 2 * _PADDING
    sizes = range(SIZE, _SMALLEST - 1, -1)
    size = next((s for s in sizes if _fits(label, room, height, s)), _SMALLEST)
    lines = wrap(label, room, size)
    top = y + height / 2 - (len(lines) - 1) * size * LINE / 2 + size * 0.36
    drawn = (
        text(x + width / 2, top + n * size * LINE, line, room, anchor="middle", size=size)
        for n, line in enumerate(lines)
    )
    return f"<g>{shape}{''.join(drawn)}</g>"


def _fits(label: str, width: float, height: float, size: float) -> bool:
    lines = wrap(label, width, size)
    is_wide = any(text_width(line, size) > width for line in lines)
    return not is_wide and len(lines) * size * LINE <= height


def text(
    x: float,
    y: float,
    content: str,
    room: float,
    *,
    anchor: str = "start",
    style: str = "",
    size: float = SIZE,
) -> str:
    """A line of text whose baseline is at `y`, smaller where `room` is too narrow for it.

    `style` is `code`, `strong` or `muted`.
    """
    kind = f' class="text-{style}"' if style else ""
    width = text_width(content, size, style)
    fitting = size if width <= room else size * room / width
    return (
        f'<text{kind} x="{x:g}" y="{y:g}" text-anchor="{anchor}" font-size="{fitting:g}">'
        f"{escape(content)}</text>"
    )


def paragraph(x: float, y: float, width: float, content: str, *, style: str = "") -> str:
    """Text in lines of at most `width`, the first baseline at `y`."""
    return "".join(
        text(x, y + number * SIZE * LINE, line, width, style=style)
        for number, line in enumerate(wrap(content, width, style=style))
    )


def end_of_paragraph(y: float, width: float, content: str) -> float:
    """How far down a paragraph reaches; one line takes as much as two, as it may in translation."""
    return y + (max(2, len(wrap(content, width))) - 1) * SIZE * LINE + SIZE * 0.4


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


def wrap(content: str, width: float, size: float = SIZE, style: str = "") -> list[str]:
    """The text in lines that fit: Latin breaks at spaces, Chinese and Japanese anywhere."""
    lines: list[str] = []
    current = ""
    for piece in _pieces(content):
        if current and text_width((current + piece).rstrip(), size, style) > width:
            lines.append(current.rstrip())
            current = piece.lstrip()
        else:
            current += piece
    return [*lines, current.rstrip()] if current.strip() else lines


def text_width(content: str, size: float = SIZE, style: str = "") -> float:
    """How wide a line of text is at most."""
    known = _STRONG if style == "strong" else _REGULAR
    narrow = dict.fromkeys(known, _MONO) if style == "code" else known
    return size * sum(_WIDE if _is_wide(c) else narrow.get(c, _OTHER) for c in content)


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
