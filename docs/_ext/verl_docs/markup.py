"""HTML that everybody can use: named and scoped cells, breakable keys, a navigation with names."""

from __future__ import annotations

import re
from html import unescape
from typing import Any

from bs4 import BeautifulSoup
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.writers.html5 import HTML5Translator

from verl_docs.interface import _

# Between the parts of a key or a path. A dot goes to the next line with what follows it: at the end
# of a line it would end a sentence. Nothing parts a number, a short last name or a file's suffix.
BETWEEN_PARTS = re.compile(r"(?:(?<=_)|(?<=\w/))(?=\w)|(?<=\w)(?=\.[A-Za-z]\w{4})")
PHONES_LINE = 28  # characters of code that fit beside each other on a phone, at least
WORD, SHORT_WORD = '<span class="pre">', '<span class="pre short">'


def breakable(code: str) -> str:
    """A word of code with places to break, which it does not need on a phone where it is short."""
    text = unescape(code.removeprefix(WORD).removesuffix("</span>"))
    code = BETWEEN_PARTS.sub("<wbr>", code)
    return code.replace(WORD, SHORT_WORD, 1) if len(text) <= PHONES_LINE else code


class Translator(HTML5Translator):
    """Writes tables whose cells know their row and column, and code that breaks between words."""

    def visit_colspec(self, node: nodes.colspec) -> None:
        """The first of three columns or more names the rows."""
        node["stub"] = node.parent["cols"] > 2 and node.parent.index(node) == 0
        super().visit_colspec(node)

    def starttag(
        self,
        node: nodes.Element,
        tagname: str,
        suffix: str = "\n",
        empty: bool = False,
        **attributes: Any,
    ) -> str:
        if isinstance(node, nodes.entry):
            attributes |= self._of_cell(node, tagname)
        return super().starttag(node, tagname, suffix, empty, **attributes)

    def _of_cell(self, cell: nodes.entry, tagname: str) -> dict[str, str]:
        if tagname == "th":
            return {"scope": "col" if isinstance(cell.parent.parent, nodes.thead) else "row"}
        return {"data-label": cell["label"]} if "label" in cell else {}

    def visit_Text(self, node: nodes.Text) -> None:  # noqa: N802 - the name of the node
        start = len(self.body)
        super().visit_Text(node)
        if self.protect_literal_text:
            self.body[start:] = map(breakable, self.body[start:])


def named_disclosures(navigation: BeautifulSoup | str) -> str:
    """A navigation in which each button that opens the pages below a page says which ones."""
    soup = BeautifulSoup(str(navigation), "html.parser")
    for item in soup.select("li:has(> a):has(> details)"):
        assert item.a is not None
        assert item.summary is not None
        item.summary["aria-label"] = _("Pages below {}").format(item.a.get_text())
    return str(soup)


def add_to_templates(
    app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], doctree: object
) -> None:
    context["named_disclosures"] = named_disclosures


def setup(app: Sphinx) -> None:
    app.set_translator("html", Translator)
    app.connect("html-page-context", add_to_templates)
