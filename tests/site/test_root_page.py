"""The page above the languages leads to the reader's own."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import Browser, BrowserContext

from tests.site.test_browser import PAGE, switch_language

pytestmark = pytest.mark.slow

STORAGE_IS_OFF = """
    Object.defineProperty(window, "localStorage", {
      get() { throw new DOMException("Access is denied", "SecurityError"); },
    });
"""


def prefer(context: BrowserContext, tags: list[str]) -> None:
    getter = f"{{ get: () => {json.dumps(tags)} }}"
    context.add_init_script(f'Object.defineProperty(navigator, "languages", {getter});')


@pytest.mark.parametrize(
    ("tags", "language"),
    [
        (["en-GB"], "en"),
        (["zh-CN"], "zh_CN"),
        (["zh-TW", "en"], "zh_CN"),
        (["zh-Hant-HK"], "zh_CN"),
        (["zh"], "zh_CN"),
        (["JA"], "ja"),
        (["en", "ja"], "en"),
        (["fr-FR", "ja-JP", "en"], "ja"),
        (["fr-FR", "de"], "en"),
        ([], "en"),
    ],
)
def test_it_takes_the_first_language_of_the_browser_that_there_is(
    browser: Browser, address: str, tags: list[str], language: str
) -> None:
    context = browser.new_context()
    prefer(context, tags)
    page = context.new_page()
    page.goto(address)
    page.wait_for_url(f"{address}{language}/index.html")
    context.close()


def test_it_remembers_the_language_that_was_chosen(browser: Browser, address: str) -> None:
    context = browser.new_context(locale="zh-CN")
    page = context.new_page()
    page.goto(f"{address}zh_CN/{PAGE}")
    switch_language(page, "日本語")
    page.goto(address)
    page.wait_for_url(f"{address}ja/index.html")
    context.close()


@pytest.mark.parametrize("remembered", ["", "xx", "constructor"])
def test_it_ignores_a_remembered_language_that_is_none(
    browser: Browser, address: str, remembered: str
) -> None:
    context = browser.new_context(locale="ja")
    page = context.new_page()
    page.goto(f"{address}en/index.html")
    page.evaluate("tag => localStorage.setItem('language', tag)", remembered)
    page.goto(address)
    page.wait_for_url(f"{address}ja/index.html")
    context.close()


def test_everything_works_while_storage_is_off(browser: Browser, address: str) -> None:
    context = browser.new_context(locale="ja")
    context.add_init_script(STORAGE_IS_OFF)
    page = context.new_page()
    page.goto(address)
    page.wait_for_url(f"{address}ja/index.html")
    switch_language(page, "简体中文")
    page.wait_for_url(f"{address}zh_CN/index.html")
    context.close()


def test_colours_follow_the_system_while_storage_is_off(browser: Browser, address: str) -> None:
    """From the first painting on, which the theme's script comes too late for."""
    context = browser.new_context(color_scheme="dark")
    context.add_init_script(STORAGE_IS_OFF)
    page = context.new_page()
    page.route("**/pydata-sphinx-theme.js*", lambda route: route.abort())
    page.goto(f"{address}en/index.html")
    assert page.get_attribute("html", "data-theme") == "dark"
    context.close()


def test_back_leads_past_it(browser: Browser, address: str) -> None:
    for javascript in (True, False):
        context = browser.new_context(java_script_enabled=javascript)
        page = context.new_page()
        page.goto(f"{address}en/{PAGE}")
        page.goto(address)
        page.wait_for_url(f"{address}en/index.html")
        page.go_back()
        assert page.url == f"{address}en/{PAGE}"
        context.close()


def test_it_is_english_without_javascript(browser: Browser, address: str) -> None:
    context = browser.new_context(locale="ja", java_script_enabled=False)
    page = context.new_page()
    page.goto(address)
    page.wait_for_url(f"{address}en/index.html")
    context.close()
