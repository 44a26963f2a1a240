"""A note beside every text that a page in another language still shows in English."""

from __future__ import annotations

import gettext
import re
from collections.abc import Callable
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.transforms import SphinxTransform
from sphinx.transforms.i18n import Locale
from sphinx.util.i18n import docname_to_domain
from sphinx.util.nodes import extract_messages

from verl_docs.interface import _
from verl_docs.labelled import Labelled

WORD = re.compile(r"[a-z]{2}")  # "GB", "1.5B" and "TP × DP" read the same in every language


class Unsaid(gettext.NullTranslations):
    """What a catalog falls back on: it tells a text without translation from one that is equal."""

    def gettext(self, message: str) -> str:
        return ""


class NoteUntranslated(SphinxTransform):
    """Notes what Sphinx does not: a page without a catalog, and nodes with texts of their own."""

    default_priority = Locale.default_priority + 1

    def apply(self, **kwargs: Any) -> None:
        if self.config.language == "en":
            return
        for node, _message in extract_messages(self.document):
            node.setdefault("translated", False)
        said = catalog_of(self.env)
        for node in [*self.document.findall(Labelled)]:
            if not all(map(said, node.extract_original_messages())):
                index = node.parent.index(node) + 1
                node.parent.insert(index, nodes.paragraph("", "", note(self.config.language)))


def catalog_of(env: BuildEnvironment) -> Callable[[str], str]:
    """What the catalog of the page that is being read says for a text; nothing if it is silent."""
    domain = docname_to_domain(env.current_document.docname, env.config.gettext_compact)
    found: gettext.NullTranslations = Unsaid()
    for folder in reversed(env.config.locale_dirs):
        catalog = gettext.translation(
            domain, str(env.srcdir / folder), [env.config.language], fallback=True
        )
        if isinstance(catalog, gettext.GNUTranslations):
            catalog.add_fallback(found)
            found = catalog
    return found.gettext


def note(language: str) -> nodes.inline:
    classes = ["untranslated-note", f"language-{language.replace('_', '-')}"]
    return nodes.inline("", _("Not translated yet"), classes=classes)


def mark(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    for node in untranslated(doctree):
        node["classes"] += ["untranslated", "language-en"]
        node += [nodes.Text(" "), note(app.config.language)]
    for meta in doctree.findall(nodes.meta):
        # Sphinx's own mark would become an attribute, too.
        if meta.attributes.pop("translated", None) is False:
            meta["lang"] = "en"


def untranslated(doctree: nodes.document) -> list[nodes.TextElement]:
    elements = doctree.findall(nodes.TextElement)
    return [e for e in elements if e.get("translated") is False and needs_translation(e)]


def needs_translation(element: nodes.TextElement) -> bool:
    """Whether there is a word outside of code."""
    texts = element.findall(nodes.Text)
    return any(WORD.search(t.astext()) for t in texts if not isinstance(t.parent, nodes.literal))


def setup(app: Sphinx) -> None:
    app.add_transform(NoteUntranslated)
    app.connect("doctree-resolved", mark)
