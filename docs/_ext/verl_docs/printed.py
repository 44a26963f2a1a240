"""What stands in an e-book, on paper and in plain text for what needs a browser."""

from __future__ import annotations

import shutil
import subprocess
from os import PathLike
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.transforms.post_transforms.images import ImageConverter


class Interactive(nodes.General, nodes.Element):
    """A node that only pages for browsers can show."""

    def printed(self, env: BuildEnvironment) -> list[nodes.Node]:
        """What to show elsewhere."""
        return []


class Print(SphinxPostTransform):
    default_priority = 5  # before links are resolved and images converted

    def run(self, **kwargs: object) -> None:
        for node in [*self.document.findall(Interactive)]:
            node.replace_self(node.printed(self.env))


class PrintBook(Print):
    builders = ("epub",)


class PrintText(Print):
    formats = ("latex", "man", "markdown", "texinfo", "text")

    def run(self, **kwargs: object) -> None:
        super().run(**kwargs)
        for table in self.document.findall(nodes.table):
            if "widths" in table:
                table["classes"].append("colwidths-given")
        for row in self.document.findall(nodes.row):
            # Nothing can lead to a row of a table in LaTeX; a link can be led to.
            link = next(row.findall(nodes.reference), None)
            if link is not None:
                link["ids"] += row["ids"]
                row["ids"] = []


class SvgConverter(ImageConverter):
    """LaTeX takes no SVG. The program is in Debian's and Ubuntu's package librsvg2-bin."""

    conversion_rules = [  # noqa: RUF012
        ("image/svg+xml", "application/pdf"),
        ("image/svg+xml", "image/png"),
    ]
    program = "rsvg-convert"

    def is_available(self) -> bool:
        return shutil.which(self.program) is not None

    def convert(self, _from: str | PathLike[str], _to: str | PathLike[str]) -> bool:
        kind = Path(_to).suffix.removeprefix(".")
        command = [self.program, f"--format={kind}", "--output", _to, _from]
        return subprocess.run(command, check=False).returncode == 0


def docname_of(node: nodes.Node, env: BuildEnvironment) -> str:
    """The page on which a node stands, also where all pages are put into one document."""
    place: nodes.Node | None = node
    while place is not None:
        if isinstance(place, nodes.section) and "docname" in place:
            return str(place["docname"])
        place = place.parent
    return env.current_document.docname


def setup(app: Sphinx) -> None:
    for transform in (PrintBook, PrintText, SvgConverter):
        app.add_post_transform(transform)
