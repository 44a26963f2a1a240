"""reStructuredText -> blocks, read line by line so that every character keeps its place."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from snippet_checker.documents.block import Block, BlockKind
from snippet_checker.documents.blocks import (
    CODE_DIRECTIVES,
    OPAQUE_DIRECTIVES,
    TABLE_DIRECTIVES,
    Blocks,
    is_plain_table,
    without_options,
)
from snippet_checker.text.lines import Line, dedented

_MARKER = r"(?P<indent>\s*(?:(?:[-*+•]|[\w#]{1,3}[.)])\s+)*)"
_DIRECTIVE = re.compile(_MARKER + r"\.\.\s+(?P<name>[\w:+.-]+?)\s?::(?:\s+(?P<argument>.*))?$")
_MARKERS = re.compile(_MARKER)
_EXPLICIT = re.compile(r"\s*\.\.\s+(?:_|\[|\|)")
_COMMENT = re.compile(r"(?P<indent>\s*)\.\.(?:\s|$)")


def read(path: str, lines: Sequence[Line]) -> Iterator[Block]:
    """The literal blocks and the running text of a reST document, in their order."""
    return _Reader(path, lines).read()


class _Reader:
    """Goes through the lines of a document once."""

    def __init__(self, path: str, lines: Sequence[Line]) -> None:
        self._blocks = Blocks(path)
        self._lines = lines
        self._at = 0
        self._paragraph: list[Line] = []

    def read(self) -> Iterator[Block]:
        while self._at < len(self._lines):
            line = self._lines[self._at]
            self._at += 1
            directive = _DIRECTIVE.match(line.text)
            if not line.text.strip():
                yield from self._end_paragraph()
            elif directive is not None:
                yield from self._end_paragraph()
                yield from self._read_directive(directive, line)
            elif _EXPLICIT.match(line.text):
                yield from self._end_paragraph()
                self._paragraph.append(line)
            elif (comment := _COMMENT.match(line.text)) and not self._paragraph:
                self._read_comment(line, len(comment["indent"]))
            else:
                yield from self._read_text(line)
        yield from self._end_paragraph()
        yield from self._blocks.rest()

    def _read_directive(self, directive: re.Match[str], line: Line) -> Iterator[Block]:
        name, argument = directive["name"], directive["argument"] or ""
        indent = len(directive["indent"])
        if name in CODE_DIRECTIVES:
            body = without_options(self._take_indented(indent))
            yield from self._blocks.code(argument, dedented(body)) if body else self._blocks.rest()
        elif name in OPAQUE_DIRECTIVES:
            self._take_indented(indent)
        elif name in TABLE_DIRECTIVES and (table := self._take_plain_table(indent)):
            title = [line.cut(directive.start("argument"))] if argument else []
            yield self._blocks.block(BlockKind.RST, [*title, *dedented(table)])
        elif argument:
            # What follows in an admonition or a list item is read as the text that it is.
            self._paragraph.append(line.cut(directive.start("argument")))

    def _read_comment(self, line: Line, indent: int) -> None:
        for part in [line, *self._take_indented(indent)]:
            self._blocks.add_comment(part)

    def _read_text(self, line: Line) -> Iterator[Block]:
        self._paragraph.append(line)
        following = self._lines[self._at] if self._at < len(self._lines) else None
        if line.text.rstrip().endswith("::") and (following is None or not following.text.strip()):
            marker = _MARKERS.match(self._paragraph[0].text)
            indent = len(marker["indent"]) if marker else 0
            directives = self._blocks.take()
            yield from self._end_paragraph()
            # A comment above the text that announces a literal block is about that block.
            self._blocks.put_back(directives)
            body = self._take_indented(indent)
            if body:
                yield self._blocks.block(BlockKind.TEXT, dedented(body))

    def _take_plain_table(self, indent: int) -> list[Line]:
        """Consume the body of a table whose cells hold running text only."""
        start = self._at
        body = self._take_indented(indent)
        if is_plain_table(body):
            return body
        self._at = start
        return []

    def _take_indented(self, indent: int) -> list[Line]:
        """Consume the lines that are blank or indented by more than `indent`."""
        taken: list[Line] = []
        while self._at < len(self._lines):
            line = self._lines[self._at]
            if line.text.strip() and len(line.text) - len(line.text.lstrip()) <= indent:
                break
            taken.append(line)
            self._at += 1
        while taken and not taken[-1].text.strip():
            taken.pop()
        return taken

    def _end_paragraph(self) -> Iterator[Block]:
        if self._paragraph:
            paragraph, self._paragraph = self._paragraph, []
            yield self._blocks.block(BlockKind.RST, paragraph)
