"""A message in reStructuredText -> its inline markup and its words, in their places.

docutils reads the message. Its nodes keep the source that they were made of, which is looked up
from left to right.
"""

from __future__ import annotations

import re
from functools import lru_cache
from types import SimpleNamespace
from typing import Any

from docutils import nodes
from docutils.frontend import get_default_settings
from docutils.parsers.rst import Parser, languages, states
from docutils.utils import new_document

from snippet_checker.markup.types import BY_NAME, VERBATIM_ROLES, Markup, MarkupKind, Prose

_EMBEDDED = re.compile(r"(?s)(?P<label>(?:.*\S)?)\s*+<(?P<target>[^<>]+)>\Z")
_BLOCK = re.compile(
    r"(?P<list>[-*+•‣⁃]\s)|(?P<numbered>\(?(?:\d+|[A-Za-z#]|[ivxlcdmIVXLCDM]+)[.)]\s)"
    r"|(?P<directive>\.\.(?:\s|$))|(?P<quotation>\s+\S)|(?P<prompt>>>>)"
    r"|(?P<field>:[^:`\s][^:`]*:\s)|(?P<lines>\|\s)"
)
_BLOCK_NAMES = {
    "list": "a list",
    "numbered": "a numbered list",
    "directive": "a directive or a comment",
    "quotation": "a quotation",
    "prompt": "a doctest",
    "field": "a field list",
    "lines": "a block of lines",
}
_SIMPLE = {
    nodes.strong: (MarkupKind.STRONG, 2),
    nodes.emphasis: (MarkupKind.EMPHASIS, 1),
    nodes.literal: (MarkupKind.LITERAL, 2),
    nodes.substitution_reference: (MarkupKind.SUBSTITUTION, 1),
    nodes.footnote_reference: (MarkupKind.FOOTNOTE, 0),
    nodes.citation_reference: (MarkupKind.FOOTNOTE, 0),
}
_NO_MARKUP = (nodes.Text, nodes.problematic)  # what is problematic is shown as it stands
_VISIBLE = (nodes.strong, nodes.emphasis)


class _Interpreted(nodes.inline):
    """Text in a role: `:name:` and the text between the backquotes."""


def _interpreted(
    rawsource: str, text: str, role: str, lineno: int
) -> tuple[list[nodes.Node], list[nodes.system_message]]:
    """Read every role, whether docutils knows it or not."""
    return [_Interpreted(rawsource, text, name=role)], []


def read(text: str) -> Prose:
    """The markup of a message, in its order."""
    markup: list[Markup] = []
    words = list(text)
    place = 0
    for node in _nodes(text):
        source = getattr(node, "rawsource", "")
        start = text.find(source, place)
        if isinstance(node, _NO_MARKUP) or not source or start < 0:
            continue
        place = start + len(source)
        piece, shown = _piece(node, source, start)
        words[start:place] = " " * len(source)
        words[slice(*shown)] = text[slice(*shown)]
        markup.append(piece)
    return Prose(tuple(markup), "".join(words), _block(text))


def _piece(node: nodes.Node, source: str, start: int) -> tuple[Markup, tuple[int, int]]:
    """What a node is, and where the words in it stand."""
    if isinstance(node, _Interpreted):
        return _role(node, source, start)
    for kind, (markup_kind, margin) in _SIMPLE.items():
        if isinstance(node, kind):
            begin, end = start + margin, start + len(source) - margin
            shown = (begin, end) if isinstance(node, _VISIBLE) else (start, start)
            return Markup(markup_kind, source[margin : len(source) - margin], begin, end), shown
    return _link(source, start)


def _role(node: _Interpreted, source: str, start: int) -> tuple[Markup, tuple[int, int]]:
    begin = source.index("`") + 1
    end = source.index("`", begin)
    name = node["name"]
    embedded = _EMBEDDED.match(source[begin:end]) if name not in VERBATIM_ROLES else None
    if embedded is not None:
        first, last = (start + begin + offset for offset in embedded.span("target"))
        shown = (start + begin, start + begin + embedded.end("label"))
        return Markup(MarkupKind.ROLE, embedded["target"], first, last, name), shown
    kind = MarkupKind.MATH if name == "math" else MarkupKind.ROLE
    return Markup(kind, source[begin:end], start + begin, start + end, name), (start, start)


def _link(source: str, start: int) -> tuple[Markup, tuple[int, int]]:
    """A hyperlink: `label <target>`_, `label`_, label_ or a bare address."""
    begin = 1 if source.startswith("`") else 0
    inner = source[begin:].rstrip("_").removesuffix("`")
    embedded = _EMBEDDED.match(inner)
    if embedded is not None:
        first, last = (start + begin + offset for offset in embedded.span("target"))
        shown = (start + begin, start + begin + embedded.end("label"))
        return Markup(MarkupKind.LINK, embedded["target"], first, last), shown
    first, last = start + begin, start + begin + len(inner)
    if "://" in inner or "@" in inner:
        return Markup(MarkupKind.LINK, inner, first, last), (start, start)
    # The label is the name of its target, and Sphinx finds that by the place of the link.
    return Markup(MarkupKind.LINK, inner, first, last, BY_NAME), (first, last)


def _nodes(text: str) -> list[nodes.Node]:
    document = new_document("message", _settings())
    language = languages.get_language("en", document.reporter)
    memo = SimpleNamespace(
        document=document, reporter=document.reporter, language=language, inliner=None
    )
    inliner: Any = states.Inliner()  # it reads its own class's attributes: no subclass can be made
    inliner.interpreted = _interpreted
    inliner.init_customizations(document.settings)
    # Bare addresses are found alike in every markup; docutils' pattern takes a text's square.
    inliner.implicit_dispatch = []
    found, _ = inliner.parse(text, 1, memo, document)
    return list(found)


@lru_cache(maxsize=1)
def _settings() -> Any:
    settings = get_default_settings(Parser)
    settings.report_level = 5  # docutils would print what we report in our own words
    settings.raw_enabled = settings.file_insertion_enabled = False
    return settings


def _block(text: str) -> str | None:
    """What Sphinx would read a message as, if not as one paragraph."""
    if not text.strip():
        return "nothing"
    match = _BLOCK.match(text)
    if match is not None:
        return _BLOCK_NAMES[str(match.lastgroup)]
    return "several blocks" if re.search(r"\n[ \t]*\n", text.rstrip()) else None
