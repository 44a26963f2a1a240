"""What MkDocs adds to Markdown: admonitions and tabs, whose content is indented by four blanks.

Syntax: https://squidfunk.github.io/mkdocs-material/reference/admonitions/#usage.
"""

from __future__ import annotations

import re

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock

_MARKER = re.compile(
    r"(?:(?:!!!|\?\?\?\+?)[^\S\n]+[\w-]+(?:[^\S\n]+[\w-]+)*+(?:[^\S\n]+\"(?P<title>[^\"\n]*)\")?"
    r"|===[+!]?[^\S\n]+\"(?P<tab>[^\"\n]*)\")\s*"
)
_INDENT = 4


def plugin(parser: MarkdownIt) -> None:
    """Let a parser read them."""
    parser.block.ruler.before(
        "fence",
        "mkdocs_admonition",
        _admonition,
        {"alt": ["paragraph", "reference", "blockquote", "list"]},
    )


def _admonition(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """`!!! note "Title"`, `??? tip` or `=== "Tab"`, where something indented follows."""
    if state.is_code_block(start):
        return False
    marker = _MARKER.fullmatch(
        state.src, state.bMarks[start] + state.tShift[start], state.eMarks[start]
    )
    last = _end(state, start, end)
    if marker is None or last == start + 1:
        return False
    if silent:
        return True
    _push_title(state, marker["title"] or marker["tab"] or "", start)
    around = state.blkIndent, state.lineMax, state.parentType
    state.blkIndent, state.lineMax = state.sCount[start] + _INDENT, last
    state.parentType = "admonition"
    state.md.block.tokenize(state, start + 1, last)
    state.blkIndent, state.lineMax, state.parentType = around
    state.line = last
    return True


def _end(state: StateBlock, start: int, end: int) -> int:
    """The line behind the content: the first that is not blank and stands further left."""
    indent, last = state.sCount[start] + _INDENT, start + 1
    for line in range(start + 1, end):
        if state.isEmpty(line):
            continue
        if state.sCount[line] < indent:
            break
        last = line + 1
    return last


def _push_title(state: StateBlock, title: str, line: int) -> None:
    if title:
        token = state.push("inline", "", 0)
        token.content, token.map, token.children = title, [line, line + 1], []
