"""What cannot be read, or would be too much work -> a fault that says so, at its place."""

from __future__ import annotations

import re
from collections.abc import Iterator

from snippet_checker.documents.block import Block
from snippet_checker.snippets.snippet import Fault, FaultKind, Fragment, Mentions
from snippet_checker.text.places import Span
from snippet_checker.work import MOST_FORMS_OF_A_MESSAGE, Work, unchecked

_KEYWORD = re.compile(r"(?P<keyword>[a-z_]+(?:\[\d+\])?)?\s*(?P<quote>\")?")
_KEYWORDS = re.compile(r"msgctxt|msgid|msgid_plural|msgstr(?:\[\d+\])?")


def too_much(block: Block, span: Span, reason: object) -> Fragment:
    """A part of a file that may be in order, and is too much to be checked."""
    fault = Fault(span, unchecked(reason), kind=FaultKind.UNCHECKED_PART)
    return Fragment(block, span, faults=(fault,))


def refused(block: Block, span: Span, message: str) -> Fragment:
    """A place at which a file is not what its format takes."""
    fault = Fault(span, message, kind=FaultKind.UNREADABLE_FILE)
    return Fragment(block, span, faults=(fault,))


def read_nested(block: Block, work: Work) -> Iterator[Fragment]:
    """The fault of what is nested too deeply."""
    yield too_much(block, block.span(0, 1), "it is nested too deeply")


def read_surplus_form(block: Block, work: Work) -> Iterator[Fragment]:
    """The fault of a message's form that no language has."""
    reason = f"a message has no more than {MOST_FORMS_OF_A_MESSAGE} plural forms"
    yield too_much(block, block.span(0, 1), reason)


def read_broken_entry(block: Block, work: Work) -> Iterator[Mentions]:
    """The fault of a line of a catalog that gettext cannot read, and why."""
    span = block.span(0, len(block.text))
    message = f"gettext cannot read this line: {_reason(block.text)}"
    fault = Fault(span, message, kind=FaultKind.CATALOG_SYNTAX)
    yield Mentions(block, span, faults=(fault,))


def _reason(line: str) -> str:
    match = _KEYWORD.match(line)
    keyword, quote = (match["keyword"], match["quote"]) if match else (None, None)
    if keyword is not None and not _KEYWORDS.fullmatch(keyword):
        return f"'{keyword}' is no keyword of a catalog"
    if quote is None:
        return "it is neither a comment nor a text in double quotes"
    if not line.endswith('"') or len(line) == line.index('"') + 1:
        return "the double quote is not closed"
    return 'a double quote inside of a text is written \\"'
