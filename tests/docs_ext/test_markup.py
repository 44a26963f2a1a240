"""The HTML of tables, code and the navigation."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from bs4 import BeautifulSoup, Tag

from verl_docs.markup import named_disclosures

Build = Callable[[str], tuple[BeautifulSoup, str]]


def cells(page: BeautifulSoup, selector: str) -> list[tuple[str, str | None, str]]:
    return [(c.name, c.get("scope"), c.get_text(strip=True)) for c in page.select(selector)]


def test_three_columns_have_headings_for_columns_and_rows(build: Build) -> None:
    page, warnings = build("| Engine | Key | Value |\n| --- | --- | --- |\n| vLLM | a | 1 |")
    assert not warnings
    assert cells(page, "thead tr > *") == [
        ("th", "col", "Engine"),
        ("th", "col", "Key"),
        ("th", "col", "Value"),
    ]
    assert cells(page, "tbody tr > *") == [
        ("th", "row", "vLLM"),
        ("td", None, "a"),
        ("td", None, "1"),
    ]


def test_two_columns_have_no_headings_for_rows(build: Build) -> None:
    page, _warnings = build("| Open | Do |\n| --- | --- |\n| a | b |")
    assert cells(page, "tbody tr > *") == [("td", None, "a"), ("td", None, "b")]


def test_a_cell_of_a_generated_table_names_its_column(build: Build) -> None:
    page, _warnings = build("```{verl:keys} verl.trainer.main_ppo\nalgorithm.*\n```")
    rows = page.select("table.stacked tbody tr")
    assert rows
    for row in rows:
        labels = [cell.get("data-label") for cell in row.select("td")]
        assert labels == ["Values", "Default", "Since", "Description"]


@pytest.mark.parametrize(
    ("cell", "is_wide"), [("short", False), ("a text that needs more than half a phone", True)]
)
def test_a_wide_table_of_a_page_names_its_columns(build: Build, cell: str, is_wide: bool) -> None:
    page, _warnings = build(f"| Open | Do |\n| --- | --- |\n| a | {cell} |")
    labels = [cell.get("data-label") for cell in page.select("table.stacked tbody td")]
    assert labels == (["Open", "Do"] if is_wide else [])


@pytest.mark.parametrize(
    ("code", "written"),
    [
        ("actor_rollout_ref.actor", "actor_|rollout_|ref|.actor"),
        ("actor_rollout_ref.rollout.n", "actor_|rollout_|ref|.rollout.n"),
        ("timing_s/gen", "timing_|s/|gen"),
        ("a._b", "a._|b"),
        ("qwen3_0.6b.json", "qwen3_|0.6b.json"),  # numbers and suffixes stay whole
        ("0.9 .. ./x /y <b/>", "0.9 .. ./x /y &lt;b/&gt;"),
    ],
)
def test_code_may_break_between_its_parts(build: Build, code: str, written: str) -> None:
    page, _warnings = build(f"`{code}`")
    found = page.select_one("p code")
    assert isinstance(found, Tag)
    assert found.get_text() == code
    for span in found.select("span"):
        span.unwrap()
    assert found.decode_contents() == written.replace("|", "<wbr/>")


def test_only_long_names_break_on_a_phone(build: Build) -> None:
    page, _warnings = build(f"`{'ab_' * 9}x` and `{'ab_' * 9}xyz`")
    fits, does_not = page.select("p code")
    assert fits.select("span.pre.short")
    assert does_not.select("span.pre:not(.short)")


def test_blocks_of_code_are_left_alone(build: Build) -> None:
    page, _warnings = build("```text\nactor_rollout_ref.actor\n```")
    assert page.select("pre")
    assert not page.select("pre wbr")


def test_a_button_of_the_navigation_says_what_it_opens() -> None:
    item = '<li><a href="x">Recipes</a><details><summary></summary><ul>{}</ul></details></li>'
    inner = item.replace("Recipes", "DAPO").format("")
    found = BeautifulSoup(named_disclosures(item.format(inner)), "html.parser")
    names = [summary["aria-label"] for summary in found.select("summary")]
    assert names == ["Pages below Recipes", "Pages below DAPO"]
