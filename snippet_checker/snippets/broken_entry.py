"""A line of a catalog that gettext cannot read -> a fault that says why."""

from __future__ import annotations

import re
from collections.abc import Iterator

from snippet_checker.documents.block import Block
from snippet_checker.snippets.snippet import Fault, FaultKind, Mentions
from snippet_checker.work import Work

_KEYWORD = re.compile(r"(?P<keyword>[a-z_]+(?:\[\d+\])?)?\s*(?P<quote>\")?")
_KEYWORDS = re.compile(r"msgctxt|msgid|msgid_plural|msgstr(?:\[\d+\])?")


def read(block: Block, work: Work) -> Iterator[Mentions]:
    """The fault."""
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
