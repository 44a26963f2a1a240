"""JSON with places: strings where they stand, and nothing for what is no JSON."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from snippet_checker.text.json_tree import JsonValue, NotJson, Text, TooDeep, parse

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner),
    max_leaves=12,
)


def strings_only(value: object) -> object:
    if isinstance(value, dict):
        return {key: strings_only(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [strings_only(inner) for inner in value]
    return value if isinstance(value, str) else None


def plain(tree: JsonValue) -> object:
    if isinstance(tree, dict):
        return {key: plain(inner) for key, inner in tree.items()}
    if isinstance(tree, list):
        return [plain(inner) for inner in tree]
    return tree.value if isinstance(tree, Text) else None


@given(VALUES, st.booleans(), st.sampled_from([None, 2]))
def test_it_reads_what_json_reads(value: object, ascii_only: bool, indent: int | None) -> None:
    text = json.dumps(value, ensure_ascii=ascii_only, indent=indent)
    assert plain(parse(text)) == strings_only(value)


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=20))
def test_each_character_stands_where_it_is_written(value: str) -> None:
    text = json.dumps([value])
    [string] = parse(text)  # type: ignore[misc]
    assert isinstance(string, Text)
    assert string.word.text == value
    for character, offset in zip(string.word.text, string.word.offsets, strict=True):
        assert text[offset] in (character, "\\")


def test_comments_and_trailing_commas_are_passed_over() -> None:
    assert plain(parse('{ // one\n "a": ["b", /* "c" */ ],\n}')) == {"a": ["b"]}


@pytest.mark.parametrize(
    "text",
    ["", "{", "]", '{"a"}', '{"a" "b": 1}', '["a', "a b", '{"a": 1]', '"a\n"', "/* x", '{"a":: 1}'],
)
def test_what_is_no_json_is_refused(text: str) -> None:
    with pytest.raises(NotJson):
        parse(text)


def test_depth_is_bounded() -> None:
    assert parse("[" * 100 + "]" * 100)
    with pytest.raises(TooDeep):
        parse("[" * 100_000)
