"""The tables of the glossary, and what happens to a broken one."""

from __future__ import annotations

from pathlib import Path

import pytest
from bs4 import BeautifulSoup

from tests.docs_ext.conftest import Built, Project

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
def file(project: Project) -> Path:
    file = project.source / "glossary.toml"
    file.write_text(GLOSSARY, "utf-8")
    return file


def built(project: Project, table: str) -> Built:
    project.write(index=f"```{{verl:glossary}} {table}\n```")
    return project.build(verl_glossary="glossary.toml")


def cells(page: BeautifulSoup, table: str) -> list[list[tuple[str | None, str]]]:
    """Language and text of each paragraph of each cell."""
    return [
        [(p.get("lang"), p.text) for p in cell.select("p")]
        for cell in page.select(f"table.{table} tbody :is(th, td)")
    ]


@pytest.mark.usefixtures("file")
def test_a_term_stands_in_three_languages(project: Project) -> None:
    done = built(project, "terms")
    page = done.page("index")
    assert done.warnings == ""
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
def test_a_name_that_stays(project: Project) -> None:
    page = built(project, "keeps").page("index")
    assert cells(page, "glossary-keeps") == [[("en", "vLLM")], []]


@pytest.mark.parametrize(
    ("argument", "text", "message"),
    [
        ("odd", GLOSSARY, "'odd' is none of terms, keeps"),
        ("terms", "[[term]]", "glossary.toml: a term lacks 'en'"),
    ],
)
def test_what_is_wrong_breaks_the_build(
    project: Project, file: Path, argument: str, text: str, message: str
) -> None:
    file.write_text(text, "utf-8")
    assert message in built(project, argument).warnings


def test_a_project_without_a_glossary_is_told_where_to_name_it(project: Project) -> None:
    project.write(index="```{verl:glossary} terms\n```")
    assert "name the glossary as `verl_glossary` in conf.py" in project.build().warnings
