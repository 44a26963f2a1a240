"""A note beside every text that a page in another language still shows in English."""

from __future__ import annotations

import re
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.locale import _
from sphinx.transforms import SphinxTransform
from sphinx.transforms.i18n import Locale
from sphinx.util.nodes import extract_messages

WORD = re.compile(r"[a-z]{2}")  # "GB", "1.5B" and "TP × DP" read the same in every language


class PageWithoutCatalog(SphinxTransform):
    """Sphinx leaves such a page alone; all of its texts are untranslated."""

    default_priority = Locale.default_priority + 1

    def apply(self, **kwargs: Any) -> None:
        if self.config.language != "en":
            for node, _message in extract_messages(self.document):
                node.setdefault("translated", False)


def mark(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    tag = app.config.language.replace("_", "-")
    for node in untranslated(doctree):
        node["classes"] += ["untranslated", "language-en"]
        said = _("Not translated yet")
        note = nodes.inline("", said, classes=["untranslated-note", f"language-{tag}"])
        node += [nodes.Text(" "), note]


def untranslated(doctree: nodes.document) -> list[nodes.TextElement]:
    elements = doctree.findall(nodes.TextElement)
    return [e for e in elements if e.get("translated") is False and needs_translation(e)]


def needs_translation(element: nodes.TextElement) -> bool:
    """Whether there is a word outside of code."""
    texts = element.findall(nodes.Text)
    return any(WORD.search(t.astext()) for t in texts if not isinstance(t.parent, nodes.literal))


def setup(app: Sphinx) -> None:
    app.add_transform(PageWithoutCatalog)
    app.connect("doctree-resolved", mark)
