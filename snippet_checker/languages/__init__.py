"""Block -> snippets: one module a language, chosen by the block's kind."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from pkgutil import resolve_name

from snippet_checker.model import Block, BlockKind, Context, Fault, FaultKind, Snippet
from snippet_checker.work import Work, unchecked

Reader = Callable[[Block, Work], Iterator[Snippet]]

READERS = {
    BlockKind.YAML: "yaml:read",
    BlockKind.SHELL: "shell:read",
    BlockKind.CONSOLE: "shell:read_console",
    BlockKind.PYTHON: "python:read",
    BlockKind.TEXT: "text:read",
    BlockKind.MYST: "inline:read",
    BlockKind.RST: "inline:read",
    BlockKind.BROKEN_ENTRY: "broken_entry:read",
}
"""The reader of each kind of block; it is loaded with the first such block."""


def read(block: Block, work: Work | None = None) -> list[Snippet]:
    """The snippets of a block, in their order, at the cost of its file's `work`."""
    try:
        return list(_reader(block.kind)(block, work or Work(len(block.text))))
    except RecursionError:
        span = block.span(0, 1)
        fault = Fault(FaultKind.UNCHECKED_PART, unchecked("it is nested too deeply"), span)
        return [Snippet(block, Context.FRAGMENT, span, faults=(fault,))]


@cache
def _reader(kind: BlockKind) -> Reader:
    reader: Reader = resolve_name(f"{__name__}.{READERS[kind]}")
    return reader
