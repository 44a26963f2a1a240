"""What is too much to be read -> a fault that says so, at its place."""

from __future__ import annotations

from collections.abc import Iterator

from snippet_checker.documents.block import Block
from snippet_checker.snippets.snippet import Fault, FaultKind, Fragment
from snippet_checker.text.places import Span
from snippet_checker.text.words import Word
from snippet_checker.work import MOST_FORMS_OF_A_MESSAGE, Work, unchecked


def read(block: Block, work: Work) -> Iterator[Fragment]:
    """The fault of what is nested too deeply."""
    yield _snippet(block, "it is nested too deeply")


def read_surplus_form(block: Block, work: Work) -> Iterator[Fragment]:
    """The fault of a message's form that no language has."""
    yield _snippet(block, f"a message has no more than {MOST_FORMS_OF_A_MESSAGE} plural forms")


def read_long(block: Block, most: int) -> Iterator[Fragment]:
    """The fault of a program that is too long to be parsed."""
    yield _snippet(block, f"a program has no more than {most:,} characters")


def read_broken(block: Block, language: str, place: int, what: str = "it") -> Iterator[Fragment]:
    """The fault of a file that cannot be read from a place on in its text."""
    message = f"this is not valid {language}, so nothing of {what} is checked"
    yield _unreadable(block, message, block.span(place, place + 1))


def read_ungrammatical(block: Block) -> Iterator[Fragment]:
    """The fault of a shell script that sets something of verl's, and in which nothing is found."""
    yield _snippet(block, "the grammar of shells does not get through it")


def read_unclosed(block: Block, quote: Word) -> Iterator[Fragment]:
    """The fault of a shell script that ends inside a quote."""
    message = (
        "nothing closes this quote, so no shell reads the script, and nothing of it is checked"
    )
    yield _unreadable(block, message, quote.span(block))


def read_piece(block: Block, piece: Word, reason: str) -> Iterator[Fragment]:
    """The fault of a piece of a file that is not what its format takes."""
    yield _unreadable(block, f"{reason}, so nothing of it is checked", piece.span(block))


def _unreadable(block: Block, message: str, span: Span) -> Fragment:
    return Fragment(block, span, faults=(Fault(FaultKind.UNREADABLE_FILE, message, span),))


def _snippet(block: Block, reason: str) -> Fragment:
    span = block.span(0, 1)
    fault = Fault(FaultKind.UNCHECKED_PART, unchecked(reason), span)
    return Fragment(block, span, faults=(fault,))
