"""Diagrams: drawn in SVG when a page is written, with labels from the page's catalog.

A diagram is a module of this package with `ALT`, the text alternative, `LABELS`, its English
texts by name, and `draw`, which makes the picture of translated ones.
"""

from __future__ import annotations

import importlib
import pkgutil
from pathlib import Path
from types import ModuleType
from typing import Any
from xml.dom import minidom

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util.docutils import SphinxDirective

from verl_docs.labelled import Labelled
from verl_docs.languages import LANGUAGES
from verl_docs.printed import docname_of

PRINT_STYLE = Path(__file__).with_name("print.css")


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

    def printed(self, env: BuildEnvironment) -> list[nodes.Node]:
        """The picture as a file, in colours of its own."""
        file = Path(env.doctreedir, "diagrams", f"{self['name']}.svg")
        file.parent.mkdir(exist_ok=True)
        file.write_text(with_colours(self.svg(), LANGUAGES[env.config.language].tag), "utf-8")
        env.images.add_file(docname_of(self, env), str(file))
        candidates = {"image/svg+xml": str(file)}
        return [nodes.image(uri=str(file), candidates=candidates, alt=self.labels()[""])]


def with_colours(picture: str, language: str) -> str:
    """The picture for a place without the site's style sheet."""
    document = minidom.parseString(picture)
    root, style = document.documentElement, document.createElement("style")
    assert root is not None
    root.setAttribute("xml:lang", language)
    style.appendChild(document.createTextNode(PRINT_STYLE.read_text("utf-8")))
    root.insertBefore(style, root.firstChild)
    return document.toxml()


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
            raise self.error(f"there is no diagram '{name}'; there are {', '.join(names())}")
        self.env.note_dependency(str(load(name).__file__))
        found = diagram.of(name)
        self.set_source_info(found)
        return [found]


def visit_framed(self: Any, node: Any) -> None:
    """Write what a node draws, in a frame of its own."""
    self.body.append(f'<div class="diagram-frame">{node.svg()}</div>')
    raise nodes.SkipNode


def setup(app: Sphinx) -> None:
    app.add_node(diagram, html=(visit_framed, None))
