"""File -> blocks: one module a format, chosen by the file's suffix."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from pkgutil import resolve_name

from snippet_checker.documents.block import Block
from snippet_checker.text.lines import Line, split_lines

__all__ = ["SUFFIXES", "read_text"]

Reader = Callable[[str, Sequence[Line]], Iterator[Block]]

SUFFIXES = {
    ".md": "myst:read",
    ".rst": "rst:read",
    ".txt": "rst:read",
    ".po": "po:read",
    ".sh": "script:read_shell",
    ".bash": "script:read_shell",
    ".slurm": "script:read_shell",
    ".sbatch": "script:read_shell",
    ".yaml": "script:read_yaml",
    ".yml": "script:read_yaml",
}
"""The reader of each file suffix that the checker knows; it is loaded with the first such file."""


def read_text(name: str, text: str) -> list[Block]:
    """The blocks of a text that would stand in the file `name`."""
    return list(_reader(Path(name).suffix)(name, split_lines(text)))


@cache
def _reader(suffix: str) -> Reader:
    reader: Reader = resolve_name(f"{__name__}.{SUFFIXES[suffix.lower()]}")
    return reader
