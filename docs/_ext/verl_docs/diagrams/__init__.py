"""Diagrams: drawn in SVG when a page is written, with labels from the page's catalog.

A diagram is a module of this package with `ALT`, the text alternative, `LABELS`, its English
texts by name, and `draw`, which makes the picture of translated ones.
"""

from __future__ import annotations

import importlib
import pkgutil
from types import ModuleType
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from verl_docs.labelled import Labelled


class diagram(Labelled):  # noqa: N801 - docutils names nodes like this
    """A diagram's name and its texts; the text alternative has no name."""

    @classmethod
    def of(cls, name: str) -> diagram:
        drawing = load(name)
        made = cls("", name=name)
        made.set_labels({"": drawing.ALT, **drawing.LABELS})
        return made

    def svg(self) -> str:
        labels = self.labels()
        picture: str = load(self["name"]).draw(labels.pop(""), labels)
        return picture


def names() -> list[str]:
    """Every diagram that there is."""
    return [module.name for module in pkgutil.iter_modules(__path__) if module.name != "svg"]


def load(name: str) -> ModuleType:
    return importlib.import_module(f"{__name__}.{name}")


class DiagramDirective(SphinxDirective):
    """A diagram by its name."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        name = self.arguments[0].replace("-", "_")
        if name not in names():
            message = f"there is no diagram '{name}'; there are {', '.join(names())}"
            raise self.error(message)
        self.env.note_dependency(str(load(name).__file__))
        found = diagram.of(name)
        self.set_source_info(found)
        return [found]


def visit_html(self: Any, node: diagram) -> None:
    self.body.append(f'<div class="diagram-frame">{node.svg()}</div>')
    raise nodes.SkipNode


def visit_text(self: Any, node: diagram) -> None:
    self.add_text(node.labels()[""])
    raise nodes.SkipNode


def visit_latex(self: Any, node: diagram) -> None:
    self.body.append(self.encode(node.labels()[""]))
    raise nodes.SkipNode


def setup(app: Sphinx) -> None:
    app.add_node(
        diagram, html=(visit_html, None), latex=(visit_latex, None), text=(visit_text, None)
    )
    app.add_directive_to_domain("verl", "diagram", DiagramDirective)
