"""What a reader without a mouse can do."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, TimeoutError, expect

from tests.site.conftest import NewPage

WIDE, NARROW = {"width": 1280, "height": 844}, {"width": 390, "height": 844}
PAGE = "guide/rollout-generation.html"

# Notes every element that gets the focus, and how it and its neighbours look then and without it:
# the ring may be drawn around the element, around what holds it, or around what it holds.
WATCH = """
  () => {
    const PROPERTIES = ["outline-style", "outline-width", "outline-color", "box-shadow",
      "border-color", "background-color", "text-decoration-line"];
    const look = (element) => [element, element.parentElement, element.firstElementChild]
      .filter(Boolean).map((part) => getComputedStyle(part))
      .flatMap((style) => PROPERTIES.map((name) => style.getPropertyValue(name))).join();
    const name = (element) => [element.tagName, element.getAttribute("href") ?? element.name,
      element.ariaLabel ?? element.textContent.trim()].filter(Boolean).join(" ");
    const wanted = [
      ...document.querySelectorAll("a[href], button, input, select, textarea, summary"),
      ...document.querySelectorAll("[tabindex='0']"),
    ].filter((element) => element.checkVisibility({ visibilityProperty: true }))
      .filter((element) => element.tabIndex >= 0 && !element.closest("dialog:not([open])"));
    addEventListener("focusin", ({ target }) => {
      const { width, bottom, top } = target.getBoundingClientRect();
      const isShown = width > 0 && bottom > 0 && top < innerHeight;
      reached.push({ target, focused: look(target), isShown });
    });
    window.restart = () => { window.reached = []; };
    window.isThrough = () => {
      const { activeElement: now, body } = document;
      return now === body || reached.slice(0, -1).some(({ target }) => target === now);
    };
    window.result = () => {
      document.activeElement.blur();
      const seen = new Set(reached.map(({ target }) => target));
      const names = (found) => found.map(({ target }) => name(target));
      return {
        order: [...seen].map(name),
        missed: wanted.filter((element) => !seen.has(element)).map(name),
        invisible: names(reached.filter(({ target, focused }) => look(target) === focused)),
        offScreen: names(reached.filter(({ isShown }) => !isShown)),
      };
    };
  }
"""

# This button comes and goes as the page scrolls, between two presses of a key or after both.
WITHOUT_BACK_TO_TOP = "#pst-back-to-top { display: none !important; }"

pytestmark = pytest.mark.slow


def walk(page: Page, key: str) -> dict[str, list[str]]:
    """Press a key until the focus has been everywhere."""
    page.evaluate("restart()")
    for _ in range(3000):
        page.keyboard.press(key)
        if page.evaluate("isThrough()"):
            found: dict[str, list[str]] = page.evaluate("result()")
            return found
    pytest.fail(f"{key} never leaves the page")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("viewport", [WIDE, NARROW], ids=["wide", "narrow"])
@pytest.mark.parametrize(
    "name",
    [
        PAGE,
        "guide/topology.html",
        "guide/calculators.html",
        "reference/names-that-drift.html",
        "reference/algorithm.html",
        "search.html",
    ],
)
def test_tab_goes_everywhere_and_shows_where_it_is(
    new_page: NewPage, address: str, name: str, viewport: Any, scheme: str
) -> None:
    page = new_page(viewport=viewport, color_scheme=scheme)
    page.goto(f"{address}ja/{name}", wait_until="networkidle")
    page.add_style_tag(content=WITHOUT_BACK_TO_TOP)
    page.evaluate(WATCH)
    forwards = walk(page, "Tab")
    assert forwards["order"]
    assert forwards["missed"] == []
    assert forwards["invisible"] == []
    assert forwards["offScreen"] == []
    backwards = walk(page, "Shift+Tab")
    assert backwards["order"] == forwards["order"][::-1]


def reach(page: Page, target: Locator, key: str = "Tab") -> None:
    """Press Tab until an element has the focus."""
    for _ in range(500):
        page.keyboard.press(key)
        if target.evaluate("element => element === document.activeElement"):
            return
    pytest.fail(f"{key} does not reach {target}")


def test_the_skip_link_leads_to_the_text(new_page: NewPage, address: str) -> None:
    page = new_page(viewport=WIDE)
    page.goto(f"{address}en/{PAGE}")
    page.keyboard.press("Tab")
    link = page.locator("#pst-skip-link a")
    expect(link).to_be_focused()
    expect(link).to_be_in_viewport()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.closest('main') !== null")


@pytest.mark.parametrize("viewport", [WIDE, NARROW], ids=["wide", "narrow"])
@pytest.mark.parametrize("key", ["Enter", "Space"])
def test_the_language_switch(new_page: NewPage, address: str, viewport: Any, key: str) -> None:
    page = new_page(viewport=viewport)
    page.goto(f"{address}en/{PAGE}")
    summary = page.locator(".language-switch:visible summary")
    reach(page, summary)
    page.keyboard.press(key)
    page.keyboard.press("Tab")
    expect(page.locator(".language-switch[open] a").first).to_be_focused()
    page.keyboard.press("Escape")
    expect(summary).to_be_focused()
    expect(page.locator(".language-switch[open]")).to_have_count(0)
    page.keyboard.press(key)
    reach(page, page.locator(".language-switch[open] a[lang=ja]"))
    page.keyboard.press("Enter")
    page.wait_for_url(f"{address}ja/{PAGE}")


def test_the_colour_switch(new_page: NewPage, address: str) -> None:
    page = new_page(viewport=WIDE, color_scheme="light")
    page.goto(f"{address}en/{PAGE}")
    button = page.locator(".theme-switch-button:visible")
    dark = page.locator(".theme-change-button[data-mode=dark]:visible")
    reach(page, button)
    page.keyboard.press("Enter")
    reach(page, dark, "ArrowDown")
    page.keyboard.press("Escape")
    expect(dark).to_have_count(0)
    expect(button).to_be_focused()
    page.keyboard.press("Enter")
    reach(page, dark, "ArrowDown")
    page.keyboard.press("Enter")
    expect(page.locator("html[data-theme=dark]")).to_have_count(1)


@pytest.mark.parametrize("toggle", [".primary-toggle", ".secondary-toggle"])
def test_the_drawers_of_a_phone(new_page: NewPage, address: str, toggle: str) -> None:
    page = new_page(viewport=NARROW)
    page.goto(f"{address}en/{PAGE}")
    button = page.locator(toggle)
    reach(page, button)
    page.keyboard.press("Enter")
    expect(button).to_have_attribute("aria-expanded", "true")
    link = page.locator("dialog[open] nav a:visible").last
    reach(page, link)
    expect(link).to_be_in_viewport()
    page.keyboard.press("Escape")
    expect(button).to_be_focused()
    expect(button).to_have_attribute("aria-expanded", "false")
    page.keyboard.press("Enter")
    reach(page, page.locator("dialog[open] nav a:visible").nth(1))
    before = page.url
    page.keyboard.press("Enter")
    page.wait_for_url(lambda url: url != before)


def test_the_side_bar_opens_what_is_below_a_page(new_page: NewPage, address: str) -> None:
    page = new_page(viewport=WIDE)
    page.goto(f"{address}en/{PAGE}")
    summary = page.get_by_label("Pages below Recipes")
    reach(page, summary)
    page.keyboard.press("Space")
    page.keyboard.press("Tab")
    expect(page.locator("#pst-primary-sidebar details[open] a").first).to_be_focused()


@pytest.mark.parametrize(
    ("name", "scroller"),
    [
        (PAGE, ".highlight pre"),
        ("guide/topology.html", ".diagram-frame"),
    ],
)
def test_what_is_wider_than_a_phone_scrolls_with_the_arrows(
    new_page: NewPage, address: str, name: str, scroller: str
) -> None:
    page = new_page(viewport=NARROW)
    page.goto(f"{address}en/{name}", wait_until="networkidle")
    wide = page.locator(f"article {scroller}[tabindex='0']").first
    reach(page, wide)
    page.keyboard.press("ArrowRight")
    page.wait_for_function("document.activeElement.scrollLeft > 0")


def test_a_copy_button(new_page: NewPage, address: str) -> None:
    page = new_page(viewport=WIDE, permissions=["clipboard-read", "clipboard-write"])
    page.goto(f"{address}en/index.html")
    button = page.locator(".highlight-console .copybtn")
    reach(page, button)
    expect(button).to_have_css("opacity", "1")
    page.keyboard.press("Enter")
    expect(button).to_have_class("copybtn o-tooltip--left success")


@pytest.mark.parametrize("viewport", [WIDE, NARROW], ids=["wide", "narrow"])
def test_the_search(new_page: NewPage, address: str, viewport: Any) -> None:
    page = new_page(viewport=viewport)
    page.goto(f"{address}en/{PAGE}")
    button = page.locator(".search-button__button:visible")
    reach(page, button)
    page.keyboard.press("Enter")
    page.keyboard.type("rollout")
    page.keyboard.press("Escape")
    expect(page.locator("dialog[open]")).to_have_count(0)
    expect(button).to_be_focused()
    page.keyboard.press("Enter")
    page.keyboard.type("rollout")
    page.keyboard.press("Enter")
    page.wait_for_url("**/search.html?q=rollout*")
    result = page.locator("#search-results li a").first
    expect(result).to_be_visible()
    reach(page, result)
    page.keyboard.press("Enter")
    page.wait_for_url(lambda url: "search.html" not in url)


def test_the_field_that_finds_keys(new_page: NewPage, address: str) -> None:
    page = new_page(viewport=WIDE)
    page.goto(f"{address}ja/reference/names-that-drift.html")
    reach(page, page.locator(".key-finder textarea"))
    page.keyboard.type("use_dynamic_batchsize")
    live = page.locator(".key-finder [aria-live=polite]")
    expect(live).to_contain_text("use_dynamic_bsz")
    reach(page, live.locator("a").first)
    page.keyboard.press("Enter")
    page.wait_for_url("**/reference/*.html#key-*")


def test_the_filter_of_the_reference(new_page: NewPage, address: str) -> None:
    page = new_page(viewport=WIDE)
    page.goto(f"{address}en/reference/rollout.html")
    reach(page, page.locator(".reference-filter input[type=search]"))
    page.keyboard.type("prefix caching")
    status = page.locator(".reference-filter [aria-live=polite]")
    expect(status).to_contain_text("1 of")
    page.keyboard.press("Escape")
    page.keyboard.press("Tab")
    page.keyboard.press("Space")
    expect(page.locator(".reference-filter input[type=checkbox]")).to_be_checked()


def test_a_calculator(new_page: NewPage, address: str) -> None:
    page = new_page(viewport=WIDE)
    page.goto(f"{address}en/guide/calculators.html")
    form = page.locator("form.calculator[data-calculator=logits]")
    result = form.locator("output").last
    before = result.inner_text()
    reach(page, form.locator("input").first)
    page.keyboard.type("1000000")
    expect(result).not_to_have_text(before)
    before = result.inner_text()
    reach(page, form.locator("select").last)
    page.keyboard.press("ArrowDown")
    expect(result).not_to_have_text(before)


def test_back_to_top(new_page: NewPage, address: str) -> None:
    page = new_page(viewport=WIDE)
    page.goto(f"{address}en/{PAGE}")
    page.keyboard.press("End")
    page.wait_for_function("scrollY > 2 * innerHeight")
    button = page.locator("#pst-back-to-top")
    for _ in range(5):
        # It shows while the page goes up: a press that falls into the way down is lost.
        page.keyboard.press("PageUp")
        with suppress(TimeoutError):
            button.wait_for(timeout=1000)
            break
    expect(button).to_be_visible()
    reach(page, button)
    page.keyboard.press("Enter")
    page.wait_for_function("scrollY === 0")
