"""Places in a text: an editor's lines and units, and the checker's lines and characters."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lsprotocol.types import (
    Position,
    PositionEncodingKind,
    Range,
    TextDocumentContentChangePartial,
    TextDocumentContentChangeWholeDocument,
)

from snippet_checker.lsp.documents import Document
from snippet_checker.text.lines import split_lines
from snippet_checker.text.places import Span

UTF8, UTF16, UTF32 = PositionEncodingKind
TEXTS = st.text(st.sampled_from("ab 日本é😀𠮷\n\r\f\u2028\ufeff\ud800"), max_size=12)
ENCODINGS = st.sampled_from([UTF8, UTF16, UTF32])


def document(text: str, encoding: PositionEncodingKind = UTF16) -> Document:
    return Document("file:///a.sh", "sh", 1, text, encoding)


def units(text: str, encoding: PositionEncodingKind) -> int:
    """Counted character by character, as the protocol explains it."""
    if encoding == UTF32:
        return len(text)
    if encoding == UTF16:
        return sum(1 + (ord(character) > 0xFFFF) for character in text)
    return sum(1 + sum(ord(c) > top for top in (0x7F, 0x7FF, 0xFFFF)) for c in text)


@pytest.mark.parametrize(
    ("text", "found", "encoding", "place"),
    [
        ("a=1", "1", UTF16, (0, 2)),
        ("日本=1", "1", UTF16, (0, 3)),
        ("日本=1", "1", UTF8, (0, 7)),
        ("😀𠮷=1", "1", UTF16, (0, 5)),
        ("😀𠮷=1", "1", UTF8, (0, 9)),
        ("😀𠮷=1", "1", UTF32, (0, 3)),
        ("a\r\nb\r\n1", "1", UTF16, (2, 0)),
        ("a\rb\n1", "1", UTF16, (2, 0)),  # an editor ends a line at a lone carriage return
        ("a\fb\u2028c\x85d\n1", "1", UTF16, (1, 0)),  # and at none of these
        ("\ufeffa=1", "1", UTF16, (0, 3)),
    ],
)
def test_a_character_is_where_an_editor_has_it(
    text: str, found: str, encoding: PositionEncodingKind, place: tuple[int, int]
) -> None:
    position = document(text, encoding).position(text.index(found))
    assert (position.line, position.character) == place


@given(TEXTS, ENCODINGS)
def test_each_place_is_found_again(text: str, encoding: PositionEncodingKind) -> None:
    opened = document(text, encoding)
    for offset in range(len(text) + 1):
        if text[offset - 1 : offset + 1] == "\r\n" and offset:
            continue  # no place of an editor lies inside a line end
        position = opened.position(offset)
        line = re.split("\r\n|\n|\r", text[:offset])[-1]
        assert position.character == units(line, encoding)
        assert opened.offset(position) == offset


@given(TEXTS, ENCODINGS)
def test_the_checker_has_the_same_characters(text: str, encoding: PositionEncodingKind) -> None:
    """A span of each character that the checker sees leads to that character, and back."""
    opened = document(text, encoding)
    offset = 0
    for line in split_lines(text):
        offset += line.column - 1
        for column in range(line.column, line.column + len(line.text)):
            place = opened.range(Span("a", line.number, column, line.number, column + 1))
            assert opened.offset(place.start) == offset
            assert opened.place(place.start) == (line.number, column)
            offset += 1
        offset += 1 + line.ends_in_cr


@pytest.mark.parametrize(
    ("place", "offset"), [((0, 99), 3), ((1, 99), 6), ((2, 0), 7), ((9, 9), 7), ((0, 2), 2)]
)
def test_a_place_beyond_the_text_is_the_nearest(place: tuple[int, int], offset: int) -> None:
    assert document("abc\nde\n").offset(Position(*place)) == offset


def test_a_span_beyond_the_text_is_cut_off() -> None:
    place = document("abc\nde").range(Span("a", 1, 2, 9, 9))
    assert place == Range(Position(0, 1), Position(1, 2))
    assert document("abc").range(Span("a", 0, 1, 0, 1)) == Range(Position(0, 0), Position(0, 0))


@given(TEXTS, ENCODINGS, st.data())
def test_changes_follow_one_another(
    text: str, encoding: PositionEncodingKind, data: st.DataObject
) -> None:
    """As if each were made to the text itself."""
    opened, changes = document(text, encoding), []
    for _ in range(data.draw(st.integers(0, 3))):
        usual = [o for o in range(len(text) + 1) if not o or text[o - 1 : o + 1] != "\r\n"]
        first, last = sorted(data.draw(st.tuples(st.sampled_from(usual), st.sampled_from(usual))))
        new, here = data.draw(TEXTS), document(text, encoding)
        place = Range(here.position(first), here.position(last))
        changes.append(TextDocumentContentChangePartial(place, new))
        text = text[:first] + new + text[last:]
    changed = opened.changed(2, changes)
    assert (changed.text, changed.version) == (text, 2)


def test_a_whole_text_replaces_another() -> None:
    assert document("a").changed(5, [TextDocumentContentChangeWholeDocument("b")]).text == "b"
