"""reStructuredText -> blocks, read line by line so that every character keeps its place."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from snippet_checker.documents.fences import kind_of
from snippet_checker.documents.source import Line, dedented, find_directives, make_block
from snippet_checker.model import Block, BlockKind, Directive

_MARKER = r"(?P<indent>\s*(?:(?:[-*+•]|[\w#]{1,3}[.)])\s+)*)"
_DIRECTIVE = re.compile(_MARKER + r"\.\.\s+(?P<name>[\w:+.-]+?)\s?::(?:\s+(?P<argument>.*))?$")
_MARKERS = re.compile(_MARKER)
_EXPLICIT = re.compile(r"\s*\.\.\s+(?:_|\[|\|)")
_COMMENT = re.compile(r"(?P<indent>\s*)\.\.(?:\s|$)")
_CODE_DIRECTIVES = frozenset({"code-block", "code", "sourcecode", "prompt"})
_OPAQUE_DIRECTIVES = frozenset(
    {"math", "graphviz", "mermaid", "toctree", "raw", "image", "include", "literalinclude"}
)
_OPTION = re.compile(r"\s*:[\w-]+:")


def read(path: str, lines: Sequence[Line]) -> Iterator[Block]:
    """The literal blocks and the running text of a reST document, in their order."""
    return _Reader(path, lines).read()


class _Reader:
    """Hands `snippet-checker:` comments on to the block that follows them."""

    def __init__(self, path: str, lines: Sequence[Line]) -> None:
        self._path = path
        self._lines = lines
        self._at = 0
        self._paragraph: list[Line] = []
        self._pending: list[Directive] = []

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
        yield from self._rest()

    def _rest(self) -> Iterator[Block]:
        """An empty block for the comments that nothing follows, so that they are not lost."""
        if self._pending:
            yield self._block(BlockKind.TEXT, ())

    def _read_directive(self, directive: re.Match[str], line: Line) -> Iterator[Block]:
        name, argument = directive["name"], directive["argument"] or ""
        indent = len(directive["indent"])
        if name in _CODE_DIRECTIVES:
            body = self._take_indented(indent)
            while body and _OPTION.match(body[0].text):
                body.pop(0)
            kind = kind_of(argument)
            if kind is not None and body:
                yield self._block(kind, dedented(body))
            else:
                yield from self._rest()
        elif name in _OPAQUE_DIRECTIVES:
            self._take_indented(indent)
        elif argument:
            # What follows in an admonition or a list item is read as the text that it is.
            self._paragraph.append(line.cut(directive.start("argument")))

    def _read_comment(self, line: Line, indent: int) -> None:
        for part in [line, *self._take_indented(indent)]:
            self._pending += find_directives(self._path, part)

    def _read_text(self, line: Line) -> Iterator[Block]:
        self._paragraph.append(line)
        following = self._lines[self._at] if self._at < len(self._lines) else None
        if line.text.rstrip().endswith("::") and (following is None or not following.text.strip()):
            marker = _MARKERS.match(self._paragraph[0].text)
            indent = len(marker["indent"]) if marker else 0
            directives, self._pending = self._pending, []
            yield from self._end_paragraph()
            # A comment above the text that announces a literal block is about that block.
            self._pending = directives
            body = self._take_indented(indent)
            if body:
                yield self._block(BlockKind.TEXT, dedented(body))

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
            yield self._block(BlockKind.RST, paragraph)

    def _block(self, kind: BlockKind, lines: Sequence[Line]) -> Block:
        directives, self._pending = self._pending, []
        return make_block(kind, self._path, lines, directives)
