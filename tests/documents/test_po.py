"""Our reader of catalogs against polib: the same strings, whatever the folding and escapes."""

from __future__ import annotations

from pathlib import Path

import polib
import pytest
from hypothesis import given
from hypothesis import strategies as st

from snippet_checker.documents import read_text
from snippet_checker.model import BlockKind

CATALOGS = sorted((Path(__file__).parents[2] / "locales").rglob("*.po"))
TEXT = st.text("ab文字 \n\t\"\\'`$", min_size=1, max_size=30)


def pairs(source: str) -> list[tuple[str, str]]:
    blocks = read_text("catalog.po", source)
    return [(block.original.text, block.text) for block in blocks if block.original]


def polibs(source: str) -> list[tuple[str, str]]:
    entries = polib.pofile(source)
    return [(e.msgid, e.msgstr) for e in entries if e.msgid and e.translated()]


@given(st.lists(st.tuples(TEXT, TEXT), max_size=3), st.integers(20, 80))
def test_strings_that_polib_wrote(messages: list[tuple[str, str]], width: int) -> None:
    catalog = polib.POFile(wrapwidth=width)
    catalog.metadata = {"Content-Type": "text/plain; charset=UTF-8"}
    for msgid, msgstr in messages:
        catalog.append(polib.POEntry(msgid=msgid, msgstr=msgstr))
    assert pairs(str(catalog)) == messages


@pytest.mark.parametrize("catalog", CATALOGS, ids=lambda path: f"{path.parts[-4]}/{path.name}")
def test_our_own_catalogs(catalog: Path) -> None:
    source = catalog.read_text(encoding="utf-8")
    assert pairs(source) == polibs(source)


def test_every_character_knows_its_place() -> None:
    source = 'msgid "a"\nmsgstr ""\n"b\\"c"\n"文\\n`k`"\n'
    (block,) = read_text("catalog.po", source)
    assert block.text == 'b"c文\n`k`'
    start = block.text.index("k")
    assert (block.span(2, 3).line, block.span(2, 3).column) == (3, 5)
    assert (block.span(start, start + 1).line, block.span(start, start + 1).column) == (4, 6)


def test_the_source_decides_the_markup() -> None:
    source = '#: ../docs/page.rst:3\nmsgid "a"\nmsgstr "b"\n\nmsgid "c"\nmsgstr "d"\n'
    assert [b.kind for b in read_text("c.po", source)] == [BlockKind.RST, BlockKind.MYST]


def test_without_blank_lines_between_entries() -> None:
    source = 'msgid "a"\nmsgstr "b"\nmsgid "c"\nmsgstr "d"\n'
    assert pairs(source) == [("a", "b"), ("c", "d")]
