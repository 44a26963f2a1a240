"""Files that are one block: shell scripts and YAML files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from snippet_checker.documents.block import Block, BlockKind
from snippet_checker.documents.source import make_block
from snippet_checker.text.lines import Line


def read_shell(path: str, lines: Sequence[Line]) -> Iterator[Block]:
    """A launch script."""
    yield make_block(BlockKind.SHELL, path, lines, whole_file=True)


def read_yaml(path: str, lines: Sequence[Line]) -> Iterator[Block]:
    """A config file."""
    yield make_block(BlockKind.YAML, path, lines, whole_file=True)
