"""Jupyter notebooks -> blocks: Markdown as in a document, code by what each cell is written in.

Format: https://nbformat.readthedocs.io/en/latest/format_description.html.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from snippet_checker.documents import ipython, myst
from snippet_checker.documents.block import Block, BlockKind, Directive
from snippet_checker.documents.fences import kind_of
from snippet_checker.documents.source import make_block
from snippet_checker.text import json_tree
from snippet_checker.text.json_tree import JsonValue, NotJson, Text, TooDeep
from snippet_checker.text.lines import Line, line_starts
from snippet_checker.text.places import Assembly, Origin, SourceText


def read(path: str, lines: Sequence[Line]) -> Iterator[Block]:
    """The blocks of each cell, in their order; what is no notebook is read as other JSON is."""
    whole = make_block(BlockKind.JSON, path, lines, whole_file=True)
    try:
        notebook = json_tree.parse(whole.text)
    except NotJson:
        yield whole
        return
    except TooDeep:
        yield replace(whole, kind=BlockKind.UNREAD)
        return
    if not _is_notebook(notebook):
        yield whole
        return
    language = _language(notebook)
    for cell in _cells(notebook):
        source = _source(cell, whole)
        if source is not None:
            yield from map(_Cell(source).in_file, _read_cell(path, cell, source, language))


def _cells(notebook: JsonValue) -> Iterator[dict[str, JsonValue]]:
    sheets = _list(notebook, "worksheets")  # of the third version of the format
    for holder in sheets or [notebook]:
        yield from (cell for cell in _list(holder, "cells") if isinstance(cell, dict))


def _is_notebook(tree: JsonValue) -> bool:
    return isinstance(tree, dict) and any(
        isinstance(tree.get(key), list) for key in ("cells", "worksheets")
    )


def _list(tree: JsonValue, key: str) -> list[JsonValue]:
    found = tree.get(key) if isinstance(tree, dict) else None
    return found if isinstance(found, list) else []


def _said(tree: JsonValue, *keys: str) -> str:
    """The string below some keys, in lower case, where there is one."""
    for key in keys:
        tree = tree.get(key) if isinstance(tree, dict) else None
    return tree.value.lower() if isinstance(tree, Text) else ""


def _language(notebook: JsonValue) -> BlockKind | None:
    """What the code cells are written in; Python where nothing says it."""
    said = (
        _said(notebook, "metadata", "kernelspec", "language")
        or _said(notebook, "metadata", "language_info", "name")
        or "python"
    )
    return kind_of(said)


def _source(cell: dict[str, JsonValue], whole: SourceText) -> SourceText | None:
    """The text of a cell, each of its characters where the file has it."""
    pieces = cell.get("source", cell.get("input"))
    text = Assembly()
    for piece in pieces if isinstance(pieces, list) else [pieces]:
        if isinstance(piece, Text):
            place = whole.span(piece.start, piece.start)
            line = Line(piece.written, place.line, place.column)
            text.add(line, json_tree.ESCAPES, json_tree.meaning)
    return SourceText(whole.path, text.text, tuple(text.origins)) if text.origins else None


def _read_cell(
    path: str, cell: dict[str, JsonValue], source: SourceText, language: BlockKind | None
) -> Iterator[Block]:
    """The blocks of a cell; their lines and columns count in its text."""
    lines = [Line(line, number) for number, line in enumerate(source.text.split("\n"), 1)]
    kind = _said(cell, "cell_type")
    if kind == "markdown":
        yield from myst.read(path, lines)
    elif kind == "code" and language is BlockKind.PYTHON:
        yield from ipython.read(path, lines)
    elif kind == "code" and language is not None:
        yield make_block(language, path, lines)


class _Cell:
    """The text of a cell, and where each of its lines begins in it."""

    def __init__(self, source: SourceText) -> None:
        self._source = source
        self._starts = line_starts(source.text)

    def in_file(self, block: Block) -> Block:
        """A block of the cell with its places in the file instead of those in the cell."""
        origins: list[Origin] = []
        ends = [*(origin.offset for origin in block.origins[1:]), len(block.text)]
        for origin, end in zip(block.origins, ends, strict=True):
            start = self._offset(origin.line, origin.column)
            last = start + end - origin.offset
            origins += self._source.origins_of(start, last, origin.offset)
        directives = tuple(map(self._moved, block.directives))
        return replace(block, origins=tuple(origins), directives=directives)

    def _moved(self, directive: Directive) -> Directive:
        span = directive.span
        start = self._offset(*span.start)
        end = self._offset(span.end_line, span.end_column)
        return replace(directive, span=self._source.span(start, end))

    def _offset(self, line: int, column: int) -> int:
        last = max(len(self._source.text) - 1, 0)
        return min(self._starts[max(line - 1, 0)] + column - 1, last)
