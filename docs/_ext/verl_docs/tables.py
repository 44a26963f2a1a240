"""Tables as docutils nodes, and those of the pages as lists where a screen has no columns."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.transforms.post_transforms import SphinxPostTransform

FITS_A_PHONE = 36  # characters of all columns of a table, at most


def table(
    headings: Sequence[str], widths: Sequence[int], rows: Iterable[nodes.row], classes: str
) -> nodes.table:
    """A table with a heading row; `widths` are relative."""
    group = nodes.tgroup("", cols=len(headings))
    group.extend(nodes.colspec("", colwidth=width) for width in widths)
    head = row([[nodes.Text(heading)] for heading in headings])
    group += nodes.thead("", head)
    group += nodes.tbody("", *rows)
    return nodes.table("", group, classes=classes.split(), widths="given")


class Stack(SphinxPostTransform):
    """Tables that are wide for a phone become stacks of cells there, each with its heading."""

    default_priority = 900  # the texts are in the reader's language, and links are resolved
    formats = ("html",)

    def run(self, **kwargs: Any) -> None:
        for found in self.document.findall(nodes.table):
            heads = [*found.findall(nodes.thead)]
            if not heads:
                continue
            headings = [cell.astext() for cell in heads[0].findall(nodes.entry)]
            rows = [
                [*row.findall(nodes.entry)] for body in found.findall(nodes.tbody) for row in body
            ]
            if len(headings) < 2:
                continue
            widest = [max(map(_width, column)) for column in zip(*rows, strict=False)]
            if sum(widest) > FITS_A_PHONE:
                found["classes"].append("stacked")
            for cells in rows:
                for cell, heading in zip(cells, headings, strict=False):
                    cell["label"] = heading


def _width(cell: nodes.entry) -> int:
    """How much room the text of a cell takes; a CJK character takes two places."""
    return sum(2 if ord(character) > 0x2E80 else 1 for character in cell.astext())


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


def setup(app: Sphinx) -> None:
    app.add_post_transform(Stack)
