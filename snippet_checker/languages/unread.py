"""What is nested too deeply to be read -> a fault that says so, at its place."""

from __future__ import annotations

from collections.abc import Iterator

from snippet_checker.model import Block, Context, Fault, FaultKind, Snippet
from snippet_checker.work import Work, unchecked


def read(block: Block, work: Work) -> Iterator[Snippet]:
    """The fault."""
    span = block.span(0, 1)
    fault = Fault(FaultKind.UNCHECKED_PART, unchecked("it is nested too deeply"), span)
    yield Snippet(block, Context.FRAGMENT, span, faults=(fault,))
