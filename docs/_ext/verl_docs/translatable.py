"""Text that a directive takes from a file, in the catalog of the page that shows it."""

from __future__ import annotations

from docutils import nodes
from sphinx.util.docutils import SphinxDirective


def translatable(directive: SphinxDirective, text: str) -> nodes.paragraph:
    """A paragraph of a text in MyST markup, to be translated with its page."""
    content, messages = directive.parse_inline(text, lineno=directive.lineno)
    del messages  # a fault in the markup is reported while it is parsed
    paragraph = nodes.paragraph(text, "", *content)
    # Only a text with a source has a place in the page's catalog.
    docname = directive.env.current_document.docname
    paragraph.source, paragraph.line = str(directive.env.doc2path(docname)), directive.lineno
    return paragraph
