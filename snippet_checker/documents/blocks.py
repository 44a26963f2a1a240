"""What Markdown and reStructuredText share: directives that hold code, and comments before it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from snippet_checker.documents import ipython, po
from snippet_checker.documents.block import Block, BlockKind, Directive
from snippet_checker.documents.fences import CATALOGS, kind_of, language_of
from snippet_checker.documents.source import find_directives, make_block
from snippet_checker.text.lines import Line

CODE_DIRECTIVES = frozenset({"code-block", "code", "sourcecode", "code-cell", "prompt"})
OPAQUE_DIRECTIVES = frozenset(
    {"math", "mermaid", "graphviz", "toctree", "raw", "image", "include", "literalinclude"}
)
TABLE_DIRECTIVES = frozenset({"list-table", "csv-table"})
_BLOCK_INSIDE = re.compile(r"\s*(?:[*-]\s+)*(?:```|~~~|:::|<!--|\.\.(?:\s|$))|.*::\s*$")
_OPTION = re.compile(r"\s*:[\w-]+:")


class Blocks:
    """Makes the blocks of a document; each gets the `snippet-checker:` comments before it."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._pending: list[Directive] = []

    def add_comment(self, line: Line) -> None:
        """Keep what a comment says for the block that follows."""
        self._pending += find_directives(self._path, line)

    def block(self, kind: BlockKind, lines: Sequence[Line]) -> Block:
        """A block of lines; the comments before it are its own."""
        return make_block(kind, self._path, lines, self.take())

    def code(self, tag: str, lines: Sequence[Line]) -> Iterator[Block]:
        """The blocks of code in the language that a tag names, or none of them."""
        kind = kind_of(tag)
        if language_of(tag) in CATALOGS:
            for block in po.read(self._path, lines):
                yield replace(block, directives=(*self.take(), *block.directives))
        elif kind is BlockKind.PYTHON and ipython.is_session(lines):
            yield self.block(kind, ipython.typed(lines))
        elif kind is BlockKind.PYTHON and ipython.has_shell(lines):
            for block in ipython.read(self._path, lines):
                yield replace(block, directives=(*self.take(), *block.directives))
        elif kind is not None:
            yield self.block(kind, lines)
        else:
            yield from self.rest()

    def rest(self) -> Iterator[Block]:
        """An empty block for the comments that nothing follows, so that they are not lost."""
        if self._pending:
            yield self.block(BlockKind.TEXT, ())

    def take(self) -> list[Directive]:
        """The comments that wait for a block, which wait no longer."""
        taken, self._pending = self._pending, []
        return taken

    def put_back(self, directives: list[Directive]) -> None:
        """Let comments wait for another block than the one that came."""
        self._pending = directives


def without_options(lines: Sequence[Line]) -> list[Line]:
    """A directive's content without the options at its beginning."""
    first = next((n for n, line in enumerate(lines) if not _OPTION.match(line.text)), len(lines))
    return list(lines[first:])


def is_plain_table(lines: Sequence[Line]) -> bool:
    """Whether the cells of a table directive hold running text only, so that it is one block."""
    return not any(_BLOCK_INSIDE.match(line.text) for line in lines)
