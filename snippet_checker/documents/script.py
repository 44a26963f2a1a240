"""Files that are one block: shell scripts, YAML files, programs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from snippet_checker.documents.block import Block, BlockKind
from snippet_checker.documents.source import make_block
from snippet_checker.text.lines import Line


def _read(kind: BlockKind, path: str, lines: Sequence[Line]) -> Iterator[Block]:
    yield make_block(kind, path, lines, whole_file=True)


read_shell = partial(_read, BlockKind.SHELL)
read_yaml = partial(_read, BlockKind.YAML)
read_python = partial(_read, BlockKind.PYTHON)
read_json = partial(_read, BlockKind.JSON)
read_toml = partial(_read, BlockKind.TOML)
read_dockerfile = partial(_read, BlockKind.DOCKERFILE)
read_makefile = partial(_read, BlockKind.MAKEFILE)
read_justfile = partial(_read, BlockKind.JUSTFILE)
