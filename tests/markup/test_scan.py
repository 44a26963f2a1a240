"""The quick scan of running text finds what the full readers of MyST and reST find."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from snippet_checker import documents
from snippet_checker.documents.block import Block, BlockKind
from snippet_checker.markup import message, scan
from snippet_checker.markup.types import MarkupKind
from snippet_checker.text.places import Origin
from tests.checkout import ROOT

_HIDDEN = {
    BlockKind.MYST: {
        "a <!-- `b.c=1` d.e=2 --> f": " f",
        "$`b.c=1`$ and $d.e=2$": "and",
        "from $HOME to `b.c=1`, and $5 or `d.e=2` for $6": "from $HOME to",
        "<img alt=\"b.c=1\" src='d.e=2'> f": " f",
        "<code>b.c=1</code>": "b.c=1",
        "[l](b.c=1) {ref}`d.e=2`": "[l",
        "__b.c__": "b.c",
        "https://b.c/d.e=2 f": " f",
    },
    BlockKind.RST: {
        ".. _b.c.d:": "",
        ":ref:`b.c=1` `d.e <f.g>`_ h": " h",
        ":math:`b.c=1` i": " i",
    },
}
# What begins or ends markup, next to each other in any order. A text ends in a full stop, since
# the plugin for formulas takes the last character for the one before the first.
_PIECES = (
    *(
        "a",
        "b.c",
        "d.e=1",
        " ",
        ", ",
        "\n",
        "、",
        "。",
        "語",
        "(",
        ")",
        "[",
        "](u)",
        "*",
        "_",
        "5 ",
    ),
    *("`", "``", "$", " {code}`x` ", " {ref}`y` ", "<!-- ", " -->", "<b>", '<i t="f.g=2">'),
)


def _block(text: str, kind: BlockKind) -> Block:
    return Block("a.md", text, (Origin(0, 1, 1),), kind)


def _code(block: Block) -> list[str]:
    return [" ".join(one.text.split()) for one in scan.literals(block) if one.is_code]


def _code_as_read(block: Block) -> list[str]:
    """The literals as the library that publishes the text reads them."""
    pieces = message.read(block).markup
    return [
        " ".join(piece.target.split())
        for piece in pieces
        if piece.kind is MarkupKind.LITERAL
        or (piece.kind is MarkupKind.ROLE and piece.name in ("code", "literal"))
        or piece.name.startswith("verl:")
    ]


@pytest.mark.parametrize(
    ("kind", "text", "rest"),
    [(kind, text, rest) for kind, texts in _HIDDEN.items() for text, rest in texts.items()],
)
def test_what_no_reader_sees_as_text_is_hidden(kind: BlockKind, text: str, rest: str) -> None:
    seen = scan.visible(_block(text, kind))
    assert len(seen) == len(text)
    assert rest in seen
    assert [word for word in ("b.c", "d.e", "f.g") if word in seen and word not in rest] == []


@pytest.mark.parametrize("text", [text for text in _HIDDEN[BlockKind.MYST] if "for $6" not in text])
def test_comments_and_formulas_hold_no_literals(text: str) -> None:
    assert _code(_block(text, BlockKind.MYST)) == []


def test_prices_are_no_formula() -> None:
    block = _block("from $HOME to `b.c=1`, and $5 or `d.e=2` for $6", BlockKind.MYST)
    assert _code(block) == ["b.c=1", "d.e=2"]


@given(st.lists(st.sampled_from(_PIECES), max_size=9).map(lambda pieces: "".join(pieces) + "."))
def test_literals_are_those_that_markdown_it_finds(text: str) -> None:
    block = _block(text, BlockKind.MYST)
    assert _code(block) == _code_as_read(block)


def _documents() -> list[Path]:
    folders = (ROOT / "docs", ROOT / "locales", ROOT / "tests" / "cases")
    return sorted(f for folder in folders for f in folder.rglob("*") if f.suffix in (".md", ".po"))


@pytest.mark.parametrize("every", [12, pytest.param(1, marks=pytest.mark.slow)])
def test_documents_of_ours_are_read_alike(every: int) -> None:
    """Tables are left out: markdown-it would read one message as one paragraph."""
    differing = []
    for file in _documents()[::every]:
        for block in documents.read_text(str(file), file.read_text(encoding="utf-8")):
            if block.kind is not BlockKind.MYST or block.text.lstrip().startswith("|"):
                continue
            if _code(block) != _code_as_read(block):
                differing.append((file.name, block.text))
    assert differing == []
