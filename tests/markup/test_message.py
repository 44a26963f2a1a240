"""What is read of a message: its markup in its places, its words, its numbers."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from snippet_checker.documents.block import Block, BlockKind
from snippet_checker.markup import message, numbers
from snippet_checker.markup.types import MarkupKind
from snippet_checker.text.places import Origin

MYST = {
    "Set `a` and ``b`c``.": [("literal", "a"), ("literal", "b`c")],
    "{ref}`text <label>` {doc}`page`": [("role", "label"), ("role", "page")],
    "[l `c` x](<a b.md#f> 't') <https://a.b>": [
        ("literal", "c"),
        ("link", "a b.md#f"),
        ("link", "https://a.b"),
    ],
    "![alt `x`](i.png) see https://a.b/c.": [("image", "i.png"), ("link", "https://a.b/c")],
    "$x$ and $$y$$ and {math}`z`": [
        ("mathematics", "x"),
        ("display mathematics", "y"),
        ("mathematics", "z"),
    ],
    "[^1] <b>%(n)d</b> {name} {{ s }}": [
        ("footnote", "[^1]"),
        ("raw HTML", "<b>"),
        ("raw HTML", "</b>"),
        ("substitution", "s"),
        ("placeholder", "%(n)d"),
        ("placeholder", "{name}"),
    ],
    "**a** _b_ ***c*** 語**「d」**語": [
        ("strong emphasis", "**"),
        ("emphasis", "_"),
        ("emphasis", "*"),
        ("strong emphasis", "**"),
    ],
    "``unclosed [x](y z) {ref} `t`": [("literal", "t"), ("placeholder", "{ref}")],
    "$5 and $6, 50 % of it, 2 * 3 * 4": [],
}
RST = {
    "``a`` :ref:`text <label>` :py:func:`f`": [
        ("literal", "a"),
        ("role", "label"),
        ("role", "f"),
    ],
    "`text <https://a.b>`_, `ref`_, word_, |s|, [1]_": [
        ("link", "https://a.b"),
        ("link", "ref"),
        ("link", "word"),
        ("substitution", "s"),
        ("footnote", "[1]_"),
    ],
    "語``a``語 ``b`` 語": [("literal", "b")],
    "**a** *b* :math:`x`": [("strong emphasis", "a"), ("emphasis", "b"), ("mathematics", "x")],
}
NUMBERS = {
    "40 GB, 1.5 million tokens, 131,072": ["40 GB", "1500000", "131072"],
    "1 億 2,000 万、３ 毫秒、90％": ["120000000", "3 ms", "90 %"],
    "verl 0.9.1 on an H100, a 7B model, bf16": ["0.9.1", "7000000000"],
    "10–20, 4/8, 1e-6, 3 分の 1": ["10", "20", "4", "8", "0.000001", "3", "1"],
    "a 5-minute wait, 100 MB/s, 30 分": ["5 min", "100 MB/s", "30 min"],
    "1.5 × 10⁹ and 2 × 10⁶": ["1500000000", "2000000"],
    "v1e999": ["1" + "0" * 999],
}


def read(kind: BlockKind, text: str) -> list[tuple[str, str]]:
    found = message.read(Block("page.po", text, (Origin(0, 1, 1),), kind))
    for piece in found.markup:
        if piece.kind not in (MarkupKind.STRONG, MarkupKind.EMPHASIS):
            assert piece.target in text[piece.start : piece.end]
    return [(piece.kind.value, piece.target) for piece in found.markup]


@pytest.mark.parametrize(("text", "expected"), MYST.items())
def test_markdown(text: str, expected: list[tuple[str, str]]) -> None:
    assert read(BlockKind.MYST, text) == expected


@pytest.mark.parametrize(("text", "expected"), RST.items())
def test_restructuredtext(text: str, expected: list[tuple[str, str]]) -> None:
    assert read(BlockKind.RST, text) == expected


@pytest.mark.parametrize(("text", "expected"), NUMBERS.items())
def test_numbers(text: str, expected: list[str]) -> None:
    assert [" ".join(filter(None, (n.value, n.unit))) for n in numbers.read(text)] == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Five of them, ten of those", ["5", "10"]),
        ("often, thirty-two, seventy", []),
        ("f\u0131ve and \u017feven", []),  # which are other letters than those of ASCII
    ],
)
def test_cardinals(text: str, expected: list[str]) -> None:
    assert [number.value for number in numbers.cardinals(text)] == expected


@given(
    st.sampled_from([BlockKind.MYST, BlockKind.RST]),
    st.text(st.sampled_from("ab語。「1 0.*_`[](){}<>$\\!^|:#-\n%&~@'\"/")),
)
def test_offsets_hold_whatever_is_written(kind: BlockKind, text: str) -> None:
    found = message.read(Block("page.po", text, (Origin(0, 1, 1),), kind))
    assert len(found.words) == len(text)
    assert all(word in (" ", char) for word, char in zip(found.words, text, strict=True))
    for piece in (*found.markup, *found.numbers):
        assert 0 <= piece.start <= piece.end <= len(text)
