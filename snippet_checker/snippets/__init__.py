"""Block -> snippets: one module a language, chosen by the block's kind."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from pkgutil import resolve_name

from snippet_checker.documents.block import Block, BlockKind
from snippet_checker.snippets import unreadable
from snippet_checker.snippets.snippet import Snippet
from snippet_checker.work import Work

Reader = Callable[[Block, Work], Iterator[Snippet]]

READERS = {
    BlockKind.YAML: "yaml:read",
    BlockKind.SHELL: "commands:read",
    BlockKind.CONSOLE: "commands:read_console",
    BlockKind.PYTHON: "python:read",
    BlockKind.JSON: "json:read",
    BlockKind.TOML: "toml:read",
    BlockKind.DOTENV: "dotenv:read",
    BlockKind.DOCKERFILE: "dockerfile:read",
    BlockKind.MAKEFILE: "makefile:read",
    BlockKind.JUSTFILE: "justfile:read",
    BlockKind.DIFF: "foreign:read_diff",
    BlockKind.FOREIGN: "foreign:read",
    BlockKind.TEXT: "text:read",
    BlockKind.MYST: "mentions:read",
    BlockKind.RST: "mentions:read",
    BlockKind.BROKEN_ENTRY: "unreadable:read_broken_entry",
    BlockKind.UNREAD: "unreadable:read_nested",
    BlockKind.SURPLUS_FORM: "unreadable:read_surplus_form",
}
"""The reader of each kind of block; it is loaded with the first such block."""

_DATA = frozenset(
    {BlockKind.YAML, BlockKind.JSON, BlockKind.TOML, BlockKind.DOTENV}
    | {BlockKind.DOCKERFILE, BlockKind.MAKEFILE}
)
_LAUNCH = re.compile(r"(?:[^\S\n]*(?:#[^\n]*)?\n)*+[^\S\n]*(?:python[\d.]*|torchrun)[^\S\n]+-")


def read(block: Block, work: Work | None = None) -> list[Snippet]:
    """The snippets of a block, in their order, at the cost of its file's `work`."""
    return list(_read(block, work or Work(len(block.text))))


def _read(block: Block, work: Work) -> Iterator[Snippet]:
    """The snippets up to where the block is nested too deeply, and a fault that says so."""
    kind = BlockKind.SHELL if _is_command(block) else block.kind
    try:
        yield from _reader(kind)(block, work)
    except RecursionError:
        yield from unreadable.read_nested(block, work)


def _is_command(block: Block) -> bool:
    """Whether a block of a document that is tagged as data begins with a command all the same."""
    return not block.whole_file and block.kind in _DATA and _LAUNCH.match(block.text) is not None


@cache
def _reader(kind: BlockKind) -> Reader:
    reader: Reader = resolve_name(f"{__name__}.{READERS[kind]}")
    return reader
