"""Where the characters of a text stand in its file.

Lines and columns are 1-based; columns count code points of the source line; ends are exclusive.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator
from itertools import islice

from msgspec import Struct, field
from msgspec.structs import replace

from snippet_checker.text.lines import Line

Meaning = Callable[[re.Match[str]], str]
"""What an escape means: `\\n` a line feed."""


class Span(Struct, frozen=True):
    """Consecutive characters of a file: from (line, column) to before (end_line, end_column)."""

    path: str
    line: int
    column: int
    end_line: int
    end_column: int

    @property
    def start(self) -> tuple[int, int]:
        return self.line, self.column

    @property
    def end(self) -> tuple[int, int]:
        return self.end_line, self.end_column


class Origin(Struct, frozen=True):
    """Where a run of a block's text stands in its file.

    From `offset` of the text up to the next origin, each character stands one column right of
    the one before it. A plain line of text needs one origin, a folded or escaped line several.
    """

    offset: int
    line: int
    column: int


class SourceText(Struct, frozen=True):
    """A run of text that stands in a file, and where each of its characters stands."""

    path: str
    text: str
    origins: tuple[Origin, ...]

    def span(self, start: int, end: int) -> Span:
        """The place in the file of the characters `start` to `end` of the text."""
        line, column = self._place(start)
        last_line, last_column = self._place(max(start, end - 1))
        return Span(self.path, line, column, last_line, last_column + (end > start))

    def offset(self, line: int, column: int) -> int:
        """Where in the text the character stands that is at this place of the file."""
        origin = max(
            (one for one in self.origins if (one.line, one.column) <= (line, column)),
            key=lambda one: (one.line, one.column),
            default=self.origins[0],
        )
        return origin.offset + column - origin.column

    def bounds(self, span: Span) -> tuple[int, int]:
        """Where in the text a place of the file starts and ends."""
        return self.offset(*span.start), self.offset(span.end_line, span.end_column - 1) + 1

    def at(self, span: Span) -> str:
        """The text that stands there."""
        start, end = self.bounds(span)
        return self.text[start:end]

    def origins_of(self, start: int, end: int, offset: int = 0) -> Iterator[Origin]:
        """The origins of the characters `start` to `end`, which another text has at `offset`."""
        yield Origin(offset, *self._place(start))
        first = bisect_right(self.origins, start, key=lambda origin: origin.offset)
        for origin in islice(self.origins, first, None):
            if origin.offset >= end:
                break
            yield replace(origin, offset=offset + origin.offset - start)

    def _place(self, offset: int) -> tuple[int, int]:
        index = bisect_right(self.origins, offset, key=lambda origin: origin.offset) - 1
        origin = self.origins[max(index, 0)]
        return origin.line, origin.column + offset - origin.offset


class Assembly(Struct):
    """A text that is put together from pieces of lines, such as the strings of a catalog."""

    origins: list[Origin] = field(default_factory=list)
    _pieces: list[str] = field(default_factory=list)
    _length: int = 0

    @property
    def text(self) -> str:
        if len(self._pieces) > 1:
            self._pieces = ["".join(self._pieces)]
        return self._pieces[0] if self._pieces else ""

    def add(self, line: Line, escapes: re.Pattern[str], meaning: Meaning) -> None:
        """Append a piece with each of its escapes as what it means."""
        position = 0
        for escape in escapes.finditer(line.text):
            self._append(line.cut(position, escape.start()))
            self._append(line.cut(escape.start()), meaning(escape))
            position = escape.end()
        self._append(line.cut(position))

    def _append(self, line: Line, text: str | None = None) -> None:
        """Append a line's text, or another one in its place."""
        text = line.text if text is None else text
        if text:
            self.origins.append(Origin(self._length, line.number, line.column))
            self._pieces.append(text)
            self._length += len(text)
