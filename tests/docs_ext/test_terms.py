"""The tables of the glossary, and what happens to a broken one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from bs4 import BeautifulSoup

from verl_docs import terms

Build = Callable[[str], tuple[BeautifulSoup, str]]

GLOSSARY = """
[[term]]
en = ["gradient checkpointing", "activation checkpointing"]
zh_CN = { use = ["梯度检查点"], avoid = ["梯度检查站", "梯度检查所"] }
ja = { avoid = ["勾配チェックポインティング"] }
note = "Not the `saved` state."

[[keep]]
en = ["vLLM"]
"""


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    file = tmp_path / "glossary.toml"
    file.write_text(GLOSSARY, "utf-8")
    monkeypatch.setattr(terms, "FILE", file)
    return file


def cells(page: BeautifulSoup, table: str) -> list[list[tuple[str | None, str]]]:
    """Language and text of each paragraph of each cell."""
    return [
        [(p.get("lang"), p.text) for p in cell.select("p")]
        for cell in page.select(f"table.{table} tbody :is(th, td)")
    ]


@pytest.mark.usefixtures("file")
def test_a_term_stands_in_three_languages(build: Build) -> None:
    page, warnings = build("```{verl:glossary} terms\n```")
    assert warnings == ""
    assert cells(page, "glossary-terms") == [
        [("en", "gradient checkpointing · activation checkpointing")],
        [
            ("zh-CN", "梯度检查点"),
            ("zh-CN", "×\N{NO-BREAK SPACE}梯度检查站 · ×\N{NO-BREAK SPACE}梯度检查所"),
        ],
        [("ja", "×\N{NO-BREAK SPACE}勾配チェックポインティング")],
        [(None, "Not the saved state.")],
    ]
    assert page.select(".avoid") == page.select("p:-soup-contains('×')")


@pytest.mark.usefixtures("file")
def test_a_name_that_stays(build: Build) -> None:
    page, _ = build("```{verl:glossary} keeps\n```")
    assert cells(page, "glossary-keeps") == [[("en", "vLLM")], []]


@pytest.mark.parametrize(
    ("argument", "text", "message"),
    [
        ("odd", GLOSSARY, "'odd' is none of terms, keeps"),
        ("terms", "[[term]]", "glossary.toml: a term: 'en' must be a list"),
    ],
)
def test_what_is_wrong_breaks_the_build(
    build: Build, file: Path, argument: str, text: str, message: str
) -> None:
    file.write_text(text, "utf-8")
    assert message in build(f"```{{verl:glossary}} {argument}\n```")[1]
