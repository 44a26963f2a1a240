"""Translated messages are read by one reader, not by a new one for each.

MyST makes a reader of Markdown for every text that it is given, and with it a document of its own
that nobody uses. A translated page has hundreds of messages, which made up half of its build.
"""

from __future__ import annotations

from collections.abc import MutableMapping
from typing import Any, cast

from docutils import nodes
from markdown_it import MarkdownIt
from myst_parser.mdit_to_docutils import base
from myst_parser.mdit_to_docutils.sphinx_ import SphinxRenderer
from myst_parser.parsers.mdit import create_md_parser
from myst_parser.parsers.sphinx_ import MystParser
from sphinx.application import Sphinx

MESSAGE = ":<translated>"  # how Sphinx ends the name of the source of a message
READER = "reader_of_messages"


class Renderer(SphinxRenderer):
    """Renders into the document that it is given, and makes no other one."""

    def setup_render(self, options: dict[str, Any], env: MutableMapping[str, Any]) -> None:
        made = base.make_document
        base.make_document = lambda *_: cast(nodes.document, options["document"])
        try:
            super().setup_render(options, env)
        finally:
            base.make_document = made


class Parser(MystParser):
    """MyST's parser, quicker with messages."""

    def parse(self, inputstring: str, document: nodes.document) -> None:
        if not document["source"].endswith(MESSAGE) or inputstring.startswith("---"):
            super().parse(inputstring, document)
            return
        env = document.settings.env
        kept = env.current_document  # until the next page is read
        if READER not in kept:
            kept[READER] = create_md_parser(env.myst_config, Renderer)
        reader: MarkdownIt = kept[READER]
        reader.options["document"] = document
        reader.render(inputstring)


def setup(app: Sphinx) -> None:
    app.setup_extension("myst_parser")
    app.add_source_parser(Parser, override=True)
