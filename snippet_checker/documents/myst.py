"""MyST Markdown -> blocks.

markdown-it finds the blocks; their lines are then looked up in the source, because positions
have to survive list items, quotes and nested directives.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from markdown_it import MarkdownIt
from markdown_it.token import Token
from mdit_py_plugins.colon_fence import colon_fence_plugin
from mdit_py_plugins.deflist import deflist_plugin
from mdit_py_plugins.footnote import footnote_plugin
from mdit_py_plugins.front_matter import front_matter_plugin
from mdit_py_plugins.myst_blocks import myst_block_plugin

from snippet_checker.documents import html, mkdocs, rst
from snippet_checker.documents.block import Block, BlockKind
from snippet_checker.documents.blocks import (
    CODE_DIRECTIVES,
    OPAQUE_DIRECTIVES,
    TABLE_DIRECTIVES,
    Blocks,
    is_plain_table,
    without_options,
)
from snippet_checker.documents.fences import is_language, language_of
from snippet_checker.text.lines import Line, dedented

_DIRECTIVE = re.compile(r"\{(?P<name>[^}]+)\}\s*(?P<argument>.*)")
_DEEPEST = 20  # directives in one another; each is read anew, and people nest six at most
_DEEPEST_TOKENS = 80  # lists and quotes in one another, two for each list
_MARKDOWN = frozenset({"markdown", "md", "mdx", "myst"})
_INLINE_COMMENT = re.compile(r"(?<!`)<!--\s*snippet-checker:(?:[^`<]|<(?!!--))*?-->")


def read(path: str, lines: Sequence[Line], *, indented_code: bool = True) -> Iterator[Block]:
    """The code blocks and the running text of a MyST document, in their order.

    Without `indented_code`, text that is indented is read as any other.
    """
    reader = _Reader(path, _parser(indented_code=indented_code))
    yield from reader.read(lines)
    yield from reader.rest()


class _Reader:
    """Follows the tokens of a document into nested directives."""

    def __init__(self, path: str, parser: MarkdownIt) -> None:
        self._path = path
        self._parser = parser
        self._depth = 0
        self._blocks = Blocks(path)
        self._term: list[Line] = []  # of a definition list, and read with what defines it

    def read(self, lines: Sequence[Line]) -> Iterator[Block]:
        text = "\n".join(line.text for line in lines)
        before = ""
        for token in self._parser.parse(text):
            if token.map is not None and token.level >= _DEEPEST_TOKENS - 1:
                yield self._blocks.block(BlockKind.UNREAD, lines[token.map[0] : token.map[0] + 1])
            elif token.map is not None:
                first, last = token.map
                source = lines[first : max(first + 1, last)]  # the map of a term is empty
                if before == "dt_open":
                    self._term = self._inline(token, source)
                else:
                    yield from self._read_token(token, source)
            before = token.type
        yield from self._end_term()

    def rest(self) -> Iterator[Block]:
        yield from self._blocks.rest()

    def _read_token(self, token: Token, source: Sequence[Line]) -> Iterator[Block]:
        if token.type == "inline":
            term, self._term = self._term, []
            yield self._blocks.block(BlockKind.MYST, [*term, *self._inline(token, source)])
            return
        if token.type in ("code_block", "fence", "colon_fence"):
            yield from self._end_term()
        if token.type == "code_block":
            yield self._blocks.block(BlockKind.TEXT, dedented(source))
        elif token.type in ("fence", "colon_fence"):
            yield from self._read_fence(token, source)
        elif token.type in ("html_block", "myst_line_comment"):
            for line in source:
                self._blocks.add_comment(line)
            for tag, content in html.code(source) if token.type == "html_block" else ():
                yield from self._end_term()
                yield from self._blocks.code(tag, content)

    def _inline(self, token: Token, source: Sequence[Line]) -> list[Line]:
        for line in source:
            for comment in _INLINE_COMMENT.finditer(line.text):
                self._blocks.add_comment(line.cut(*comment.span()))
        return _located(token.content, source)

    def _end_term(self) -> Iterator[Block]:
        """A term that no running text defines; the comments before it are about what does."""
        if self._term:
            term, self._term = self._term, []
            directives = self._blocks.take()
            yield self._blocks.block(BlockKind.MYST, term)
            self._blocks.put_back(directives)

    def _read_fence(self, token: Token, source: Sequence[Line]) -> Iterator[Block]:
        content = _located(token.content.removesuffix("\n"), source[1:])
        directive = _DIRECTIVE.match(token.info.strip())
        is_box = token.type == "colon_fence"  # `:::tip Title`
        if directive is None and (is_box or language_of(token.info) in _MARKDOWN):
            yield from self._read_inside(content)
            return
        if directive is None or is_language(directive["name"]):  # `{bash, eval=FALSE}`
            yield from self._blocks.code(token.info, content)
            return
        name, argument = directive["name"], directive["argument"]
        title = _located(argument, source[:1]) if argument else []
        if name in TABLE_DIRECTIVES and is_plain_table(content):
            yield self._blocks.block(BlockKind.MYST, [*title, *content])
            return
        content = _without_options(content)
        if name in CODE_DIRECTIVES:
            yield from self._blocks.code(argument, content)
        elif name == "eval-rst":
            yield from rst.read(self._path, content)
        elif name not in OPAQUE_DIRECTIVES:
            if title:
                yield self._blocks.block(BlockKind.MYST, title)
            yield from self._read_inside(content)

    def _read_inside(self, lines: Sequence[Line]) -> Iterator[Block]:
        """The blocks of a directive's content, unless it lies in too many others."""
        if self._depth >= _DEEPEST:
            yield self._blocks.block(BlockKind.UNREAD, lines[:1])
            return
        self._depth += 1
        yield from self.read(lines)
        self._depth -= 1


@lru_cache(maxsize=2)
def _parser(*, indented_code: bool) -> MarkdownIt:
    # Inline parsing is left out: the inline language reads code spans in their places.
    parser = MarkdownIt("commonmark", {"maxNesting": _DEEPEST_TOKENS}).disable(
        ["inline", "text_join"]
    )
    parser.use(front_matter_plugin).use(colon_fence_plugin).use(myst_block_plugin)
    parser.use(deflist_plugin).use(footnote_plugin).use(mkdocs.plugin)
    if not indented_code:
        parser.disable("code")
    return parser.disable("footnote_tail")  # a footnote is read where it stands


def _located(content: str, source: Sequence[Line]) -> list[Line]:
    """The lines of a token's content, each where it stands at the end of its source line."""
    located = []
    for text, line in zip(content.split("\n"), source, strict=False):
        stripped = text.strip()
        start = line.text.rfind(stripped) if stripped else len(line.text)
        margin = len(text) - len(text.lstrip()) if stripped else 0
        column = max(1, line.column + start - margin)
        located.append(Line(text, line.number, column, line.ends_in_cr))
    return located


def _without_options(lines: Sequence[Line]) -> list[Line]:
    lines = list(lines)
    if lines and lines[0].text.strip() == "---":
        closing = next((n for n, line in enumerate(lines[1:], 1) if line.text.strip() == "---"), 0)
        return lines[closing + 1 :]
    return without_options(lines)
