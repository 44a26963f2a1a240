"""What cannot be read, or would be too much work -> a fragment with a fault that says so."""

from __future__ import annotations

from collections.abc import Iterator

from snippet_checker.documents.block import Block
from snippet_checker.snippets.snippet import Fault, FaultKind, Fragment
from snippet_checker.text.places import Span
from snippet_checker.work import MOST_FORMS_OF_A_MESSAGE, Work, unchecked


def read(block: Block, work: Work) -> Iterator[Fragment]:
    """The fault of what is nested too deeply."""
    yield unchecked_part(block, block.span(0, 1), "it is nested too deeply")


def read_surplus_form(block: Block, work: Work) -> Iterator[Fragment]:
    """The fault of a message's form that no language has."""
    reason = f"a message has no more than {MOST_FORMS_OF_A_MESSAGE} plural forms"
    yield unchecked_part(block, block.span(0, 1), reason)


def unchecked_part(block: Block, span: Span, reason: object) -> Fragment:
    """A part of a file that may be in order, and is too much to be checked."""
    fault = Fault(span, unchecked(reason), kind=FaultKind.UNCHECKED_PART)
    return Fragment(block, span, faults=(fault,))


def unreadable(block: Block, span: Span, message: str) -> Fragment:
    """A place at which a file is not what its format takes."""
    fault = Fault(span, message, kind=FaultKind.UNREADABLE_FILE)
    return Fragment(block, span, faults=(fault,))
