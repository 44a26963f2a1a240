"""Tables as docutils nodes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby

from docutils import nodes


def table(
    headings: Sequence[str], widths: Sequence[int], rows: Iterable[nodes.row], classes: str
) -> nodes.table:
    """A table with a heading row; `widths` are relative.

    One of three columns or more is for wide screens: on others its rows are stacks of cells.
    """
    group = nodes.tgroup("", cols=len(headings))
    group.extend(nodes.colspec("", colwidth=width) for width in widths)
    head = row([[nodes.Text(heading)] for heading in headings])
    group += nodes.thead("", head)
    group += nodes.tbody("", *(labelled(row, headings) for row in rows))
    stacked = ["stacked"] if len(headings) > 2 else []
    return nodes.table("", group, classes=[*classes.split(), *stacked], widths="given")


def labelled(row: nodes.row, headings: Sequence[str]) -> nodes.row:
    """The row, each cell with the heading of its column, for a screen that has no columns."""
    for cell, heading in zip(row.findall(nodes.entry), headings, strict=True):
        cell["label"] = str(heading)
    return row


def row(cells: Iterable[Iterable[nodes.Node]], **attributes: object) -> nodes.row:
    """A row of cells; inline content that follows each other makes a paragraph."""
    made = nodes.row("", **attributes)
    for cell in cells:
        entry = nodes.entry("")
        for is_block, group in groupby(cell, lambda node: isinstance(node, nodes.paragraph)):
            content = [*group]
            entry += content if is_block else [nodes.paragraph("", "", *content)]
        made += entry
    return made


def section(title: nodes.Node, *body: nodes.Node, **attributes: object) -> nodes.section:
    """A section whose title is in the reader's language already, or in none."""
    heading = nodes.title("", "", title, translatable=False)
    return nodes.section("", heading, *body, **attributes)


def literal(text: str) -> nodes.literal:
    return nodes.literal(text, text)


def phrase(text: str, *content: Sequence[nodes.Node]) -> list[nodes.Node]:
    """A translated text with nodes in the places of its `{}`."""
    said, *rest = text.split("{}")
    found: list[nodes.Node] = [nodes.Text(said)] if said else []
    for inserted, after in zip(content, rest, strict=True):
        found += [*inserted, *([nodes.Text(after)] if after else [])]
    return found


def joined(parts: Iterable[nodes.Node], separator: str) -> list[nodes.Node]:
    """The parts with a text between them."""
    found: list[nodes.Node] = []
    for part in parts:
        found += [nodes.Text(separator)] if found else []
        found.append(part)
    return found
