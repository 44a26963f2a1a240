"""The text of an open file, and its places as editors and as the checker count them.

An editor counts lines and columns from 0, columns in the units of an encoding, and takes a lone
carriage return for the end of a line. The checker counts from 1, in characters, and does not.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable
from functools import cached_property

from lsprotocol.types import (
    Position,
    PositionEncodingKind,
    Range,
    TextDocumentContentChangeEvent,
    TextDocumentContentChangePartial,
)
from msgspec import Struct
from msgspec.structs import replace

from snippet_checker.text.lines import line_starts
from snippet_checker.text.places import Span

_LINE_END = re.compile(r"\r\n|\n|\r")
_CODECS = {PositionEncodingKind.Utf8: ("utf-8", 1), PositionEncodingKind.Utf16: ("utf-16-le", 2)}
"""How an encoding is written, and the bytes of one of its units."""

_FOLLOWING_BYTES = bytes(range(0x80, 0xC0))  # of a character in UTF-8


class Document(Struct, frozen=True, dict=True):
    """One version of a text that is open in an editor; `language` is the editor's name for it."""

    uri: str
    language: str
    version: int
    text: str
    encoding: PositionEncodingKind = PositionEncodingKind.Utf16

    def changed(self, version: int, changes: Iterable[TextDocumentContentChangeEvent]) -> Document:
        """The document after an editor's changes, each to what the one before it left."""
        document = self
        for change in changes:
            text = change.text
            if isinstance(change, TextDocumentContentChangePartial):
                first = document.offset(change.range.start)
                last = max(first, document.offset(change.range.end))
                text = document.text[:first] + text + document.text[last:]
            document = replace(document, text=text)
        return replace(document, version=version)

    @cached_property
    def _ends(self) -> list[tuple[int, int]]:
        """Where each line of the editor ends: before the line end, and after it."""
        found = [match.span() for match in _LINE_END.finditer(self.text)]
        return [*found, (len(self.text), len(self.text))]

    @cached_property
    def _starts(self) -> list[int]:
        return [0, *(after for _, after in self._ends[:-1])]

    @cached_property
    def _rows(self) -> list[int]:
        """Where each line of the checker starts, and one behind the text would."""
        return line_starts(self.text)

    def line(self, number: int) -> str:
        """A line of the editor, without its end; empty where there is none."""
        if not 0 <= number < len(self._starts):
            return ""
        return self.text[self._starts[number] : self._ends[number][0]]

    def offset(self, position: Position) -> int:
        """Where in the text a place of the editor is; the nearest place where there is none."""
        if position.line >= len(self._starts):
            return len(self.text)
        return self._starts[position.line] + self._characters(
            self.line(position.line), position.character
        )

    def position(self, offset: int) -> Position:
        """Where an editor has the character at a place of the text."""
        number = bisect_right(self._starts, offset) - 1
        start, end = self._starts[number], self._ends[number][0]
        return Position(number, self._units(self.text[start : min(offset, end)]))

    def range(self, span: Span) -> Range:
        """The place of a finding as the editor has it."""
        first = self._at(*span.start)
        return self.range_of(first, max(first, self._at(span.end_line, span.end_column)))

    def range_of(self, first: int, last: int) -> Range:
        """The place of the characters from `first` to before `last`."""
        return Range(self.position(first), self.position(last))

    def place(self, position: Position) -> tuple[int, int]:
        """The line and the column that the checker has for a place of the editor."""
        offset = self.offset(position)
        row = bisect_right(self._rows, offset) - 1
        return row + 1, offset - self._rows[row] + 1

    def _at(self, line: int, column: int) -> int:
        row = min(max(line, 1), len(self._rows) - 1) - 1
        return min(self._rows[row] + column, self._rows[row + 1]) - 1

    def _units(self, text: str) -> int:
        """How many units of the encoding a piece of a line is long."""
        if self.encoding not in _CODECS or text.isascii():
            return len(text)
        codec, size = _CODECS[self.encoding]
        return len(text.encode(codec, "surrogatepass")) // size

    def _characters(self, line: str, units: int) -> int:
        """How many characters of a line so many units are; half of one counts as that one."""
        if self.encoding not in _CODECS or line.isascii():
            return min(units, len(line))
        codec, size = _CODECS[self.encoding]
        data = line.encode(codec, "surrogatepass")[: units * size]
        if size == 1:
            return len(data.translate(None, delete=_FOLLOWING_BYTES))
        return len(data.decode(codec, "surrogatepass"))
