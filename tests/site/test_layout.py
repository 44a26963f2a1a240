"""What becomes of a page on a phone, on paper, without scripts and without motion."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.site.conftest import NewPage
from tests.site.overflow import holding_more

NARROW = {"width": 390, "height": 844}
LABELS = {"en": "Default: ", "zh_CN": "默认值：", "ja": "デフォルト値："}

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("language", LABELS)
def test_a_table_on_a_phone_names_what_it_shows(
    new_page: NewPage, address: str, language: str
) -> None:
    page = new_page(viewport=NARROW)
    page.goto(f"{address}{language}/reference/rollout.html")
    default = page.locator("[id='key-actor_rollout_ref.rollout.temperature'] td").nth(1)
    content = default.evaluate("cell => getComputedStyle(cell, '::before').content")
    assert "".join(re.findall('"([^"]*)"', content)) == LABELS[language]


def test_a_table_is_a_list_on_a_phone(new_page: NewPage, address: str) -> None:
    page = new_page(viewport=NARROW)
    page.goto(f"{address}en/guide/fsdp.html")
    row = page.locator("tr:has(th:has-text('VeOmni'))").first
    lefts = row.locator("> *").evaluate_all(
        "cells => cells.filter((cell) => cell.textContent)"
        ".map((cell) => cell.getBoundingClientRect().left)"
    )
    assert len(lefts) > 2
    assert len(set(lefts)) == 1
    tables = page.locator("article .pst-scrollable-table-container")
    assert tables.evaluate_all("all => all.every((t) => t.scrollWidth <= t.clientWidth)")


@pytest.mark.parametrize("language", LABELS)
def test_without_scripts_a_link_at_the_top_leads_to_the_navigation(
    new_page: NewPage, address: str, language: str
) -> None:
    page = new_page(viewport=NARROW, java_script_enabled=False)
    page.goto(f"{address}{language}/guide/topology.html")
    link = page.locator("header a[href='#pst-primary-sidebar']")
    expect(link).to_be_in_viewport()
    navigation = page.locator("#pst-primary-sidebar nav")
    expect(navigation).not_to_be_in_viewport()
    link.click()
    expect(navigation).to_be_in_viewport()


def test_with_scripts_there_is_one_way_to_the_navigation(new_page: NewPage, address: str) -> None:
    page = new_page(viewport=NARROW)
    page.goto(f"{address}en/index.html")
    expect(page.locator("header a[href='#pst-primary-sidebar']")).to_have_count(0)


def test_nothing_moves_for_readers_who_want_no_motion(new_page: NewPage, address: str) -> None:
    page = new_page()  # every page of these tests asks for reduced motion
    page.goto(f"{address}en/guide/topology.html")
    moving = """
        [...document.querySelectorAll("*")].map((element) => [element, getComputedStyle(element)])
          .filter(([, style]) => style.animationName !== "none" || style.scrollBehavior === "smooth"
            || style.transitionDuration !== "0s")
          .map(([element]) => element.outerHTML.slice(0, 80))
    """
    assert page.evaluate(moving) == []


# -- On paper ----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["recipes/dapo.html", "guide/topology.html"])
def test_paper_shows_the_text_and_cuts_nothing_off(
    new_page: NewPage, address: str, name: str
) -> None:
    page = new_page(viewport={"width": 680, "height": 960})
    page.goto(f"{address}ja/{name}")
    page.emulate_media(media="print")
    for frame in ("header", ".bd-sidebar-primary", ".bd-sidebar-secondary", ".copybtn"):
        for part in page.locator(frame).all():
            expect(part).to_be_hidden()
    expect(page.locator("article h1")).to_be_visible()
    assert holding_more(page, "article pre, .diagram-frame") == 0


def test_a_dark_page_is_printed_in_dark_ink(
    new_page: NewPage, address: str, tmp_path: Path
) -> None:
    page = new_page(color_scheme="dark")
    page.goto(f"{address}en/guide/topology.html")
    page.evaluate(
        "addEventListener('beforeprint', () => {"
        " window.ink = getComputedStyle(document.body).color; })"
    )
    ink = page.evaluate("getComputedStyle(document.body).color")
    page.pdf(path=tmp_path / "page.pdf")
    assert page.evaluate("window.ink") != ink
    expect(page.locator("html[data-theme=dark]")).to_have_count(1)
