"""What the reference says of a key, as a card beside each link to it: see `site.js`."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.builders import Builder

from verl_docs import page_data
from verl_docs.interface import _

if TYPE_CHECKING:
    from verl_docs.domain import VerlDomain

DATA = "key-cards.js"
START = "key-"


def collect(app: Sphinx, doctree: nodes.document) -> None:
    """Note what the rows of keys on a page say; Sphinx keeps a page's metadata with the page."""
    found: dict[str, list[str]] = {}
    for row in doctree.findall(nodes.row):
        names = [name.removeprefix(START) for name in row["ids"] if name.startswith(START)]
        cells = [_text(cell) for cell in row.findall(nodes.entry)]
        if len(cells) == len(_labels()) + 1:
            found.update((name, cells[1:]) for name in names)
    if found:
        app.env.metadata[app.env.current_document.docname]["cards"] = found


def _text(cell: nodes.entry) -> str:
    """What a cell says, without its links to other places."""
    shown = cell.deepcopy()
    for links in [
        *shown.findall(
            lambda node: "config-links" in getattr(node, "attributes", {}).get("classes", ())
        )
    ]:
        links.parent.remove(links)
    return " ".join(shown.astext().split())


def _labels() -> list[str]:
    return [str(text) for text in (_("Values"), _("Default"), _("Since"), _("Description"))]


def write(app: Sphinx, builder: Builder) -> None:
    if not page_data.is_wanted(builder):
        return
    domain = cast("VerlDomain", app.env.get_domain("verl"))
    shown = {
        name: app.env.metadata[page]["cards"][name]
        for name, page in domain.pages().items()
        if name in app.env.metadata[page].get("cards", ())
    }
    known = {
        "labels": _labels(),
        "again": str(_("Tap again to open the reference.")),
        "keys": shown,
    }
    page_data.write(app, DATA, "window.keyCards", known)


def setup(app: Sphinx) -> None:
    app.connect("doctree-read", collect)
    app.connect("write-started", write)
