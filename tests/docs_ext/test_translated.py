"""Translated messages are read by one reader a page, and come out as MyST reads them."""

from __future__ import annotations

from pathlib import Path

import pytest
from bs4 import BeautifulSoup
from myst_parser.parsers.sphinx_ import MystParser

from tests.docs_ext.test_untranslated import built
from verl_docs import translated

PAGE = """
# A title

(here)=
## Section

A [link](https://example.org/a), a {ref}`label <here>`, and `code`.

**Strong** and *emphasis*, a footnote[^one] and $x^2$.

{verl:default}`trainer.nnodes` nodes

| Cell |
| --- |
| another |

[^one]: The note.
"""
MESSAGES = {
    "A title": "題",
    "Section": "節 `a.b`",
    "A [link](https://example.org/a), a {ref}`label <here>`, and `code`.": (
        "`code` と [リンク](https://example.org/a) と {ref}`札 <here>`。"
    ),
    "**Strong** and *emphasis*, a footnote[^one] and $x^2$.": (
        "**強** と *調* と脚注[^one] と $x^2$。"
    ),
    "{verl:default}`trainer.nnodes` nodes": "ノード {verl:default}`trainer.nnodes`",
    "Cell": "欄",
    "another": "- 項\\n- 目",
    "The note.": "注。",
}


def test_messages_come_out_as_myst_reads_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[object] = []
    make = translated.create_md_parser

    def made(*arguments: object) -> object:
        read.append(arguments)
        return make(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(translated, "create_md_parser", made)
    pages: list[BeautifulSoup] = []
    for name in ("ours", "mysts"):
        folder = tmp_path / name
        folder.mkdir()
        pages.append(built(folder, MESSAGES, "ja", PAGE))
        assert len(read) == 1  # for all messages, and by us only
        monkeypatch.setattr(translated.Parser, "parse", MystParser.parse)
    ours, mysts = pages
    assert str(ours) == str(mysts)
    for said in ("題", "札", "脚注", "ノード 1", "欄", "注。"):
        assert said in ours.get_text()
