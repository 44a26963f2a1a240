"""Tables as docutils nodes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from docutils import nodes


def table(
    headings: Sequence[str], widths: Sequence[int], rows: Iterable[nodes.row], classes: str
) -> nodes.table:
    """A table with a heading row; `widths` are relative."""
    group = nodes.tgroup("", cols=len(headings))
    group.extend(nodes.colspec("", colwidth=width) for width in widths)
    head = row([[nodes.Text(heading)] for heading in headings])
    group += nodes.thead("", head)
    group += nodes.tbody("", *rows)
    return nodes.table("", group, classes=classes.split())


def row(cells: Iterable[Iterable[nodes.Node]], **attributes: object) -> nodes.row:
    """A row of cells with inline content; an empty cell stays empty."""
    made = nodes.row("", **attributes)
    for cell in cells:
        content = [*cell]
        made += nodes.entry("", *([nodes.paragraph("", "", *content)] if content else []))
    return made


def literal(text: str) -> nodes.literal:
    return nodes.literal(text, text)


def joined(parts: Iterable[nodes.Node], separator: str) -> list[nodes.Node]:
    """The parts with a text between them."""
    found: list[nodes.Node] = []
    for part in parts:
        found += [nodes.Text(separator)] if found else []
        found.append(part)
    return found
