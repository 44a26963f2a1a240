"""Accessibility of what a page becomes when it is used, and of the pages outside of the tree.

The walk in `test_pages` asks the same of every page as it opens.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, Route, expect

from tests.site.accessibility import COLOUR_RULES, RULES, ask_axe, new_colours, violations
from tests.site.conftest import SITE_URL, NewPage
from tests.site.overflow import cut_off

LANGUAGES = ("en", "zh_CN", "ja")
NARROW = {"width": 390, "height": 844}
KINDS = [
    "index.html",
    "guide/topology.html",  # diagrams
    "guide/calculators.html",
    "recipes/dapo.html",
    "checker/rules/unknown-key.html",
    "reference/rollout.html",
    "reference/history/0.9.1.html",
    "reference/names-that-drift.html",
    "search.html",
]

pytestmark = pytest.mark.slow


@pytest.fixture(params=[(code, scheme) for code in LANGUAGES for scheme in ("light", "dark")])
def place(request: pytest.FixtureRequest) -> tuple[str, str]:
    """A language and a colour scheme."""
    language, scheme = request.param
    return language, scheme


def test_a_page_of_each_kind_on_a_phone(
    new_page: NewPage, address: str, place: tuple[str, str]
) -> None:
    language, scheme = place
    page = new_page(color_scheme=scheme, viewport=NARROW)
    faults = []
    for name in KINDS:
        page.goto(f"{address}{language}/{name}")
        found = (*violations(page), *cut_off(page))
        faults += [f"{name}: {fault}" for fault in found]
    assert not faults, "\n".join(faults)


# One of each kind of fault, and what axe can only ask a person about.
FAULTS = """
    document.querySelector("article").insertAdjacentHTML("afterbegin", `
      <img src="logo.svg">
      <p style="color: #bbb">pale <a href="#x" style="color: #999; text-decoration: none">x</a></p>
      <p style="color: rgb(0 0 0 / 40%); background: hsl(0 0% 60%); opacity: 0.7">faint</p>
      <p style="background: linear-gradient(red, blue)">over two colours</p>
      <div style="position: relative; top: -20px; color: color(srgb 0.5 0.5 0.5)">beside</div>
      <button style="width: 8px; height: 8px; padding: 0"></button><input>
      <ul><p>no item</p></ul><h6>too deep</h6>`)
"""


ASKED = {"runOnly": [*RULES], "preload": False}


def answers(said: dict[str, Any]) -> dict[str, list[Any]]:
    """Everything that axe says about a page, with what it measured.

    The theme's empty banner opens while axe looks, at once or a little later.
    """
    said = json.loads(json.dumps(said).replace("height: auto;", "height: 0px;"))
    kinds = ("violations", "incomplete", "passes", "inapplicable")
    return {kind: [(rule["id"], rule["nodes"]) for rule in said[kind]] for kind in kinds}


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_quick_axe_says_what_axe_says(new_page: NewPage, address: str, scheme: str) -> None:
    page = new_page(color_scheme=scheme)
    page.goto(f"{address}ja/guide/calculators.html")
    page.evaluate(FAULTS)
    plain = answers(Axe().run(page, options=ASKED).response)
    page.reload()
    page.evaluate(FAULTS)
    quick = answers(ask_axe(page, ASKED))
    assert len(plain["violations"]) > 5
    assert plain["incomplete"]
    assert quick == plain


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_colours_that_were_seen_hide_no_others(
    new_page: NewPage, address: str, scheme: str
) -> None:
    """Every kind of fault is found where only new colours are asked, and nothing else is."""
    page = new_page(color_scheme=scheme)
    page.goto(f"{address}ja/guide/calculators.html")
    seen: set[str] = set()
    assert [*new_colours(page, seen)] == []
    assert [*new_colours(page, seen)] == []
    page.reload()
    page.evaluate(FAULTS)
    found = {*new_colours(page, seen)}
    assert found
    assert found == {*violations(page, rules=COLOUR_RULES)}


def test_the_rules_about_colours_are_those_of_axe(new_page: NewPage) -> None:
    page = new_page()
    page.evaluate(AXE_SCRIPT)
    asking = "(sets) => axe.getRules(sets).filter(({ tags }) => tags.includes('cat.color'))"
    found = page.evaluate(f"(sets) => ({asking})(sets).map(({{ ruleId }}) => ruleId)", [*RULES])
    assert sorted(found) == sorted(COLOUR_RULES)


def open_navigation(page: Page) -> None:
    page.click(".primary-toggle")
    expect(page.locator("dialog[open]").get_by_role("navigation")).to_be_visible()


def open_contents(page: Page) -> None:
    page.click(".secondary-toggle")
    expect(page.locator("dialog[open]").get_by_role("navigation")).to_be_visible()


def open_languages(page: Page) -> None:
    page.click(".language-switch:visible summary")


def open_colours(page: Page) -> None:
    page.click(".theme-switch-button:visible")
    expect(page.locator(".theme-change-button:visible")).to_have_count(3)


def search(page: Page) -> None:
    page.keyboard.press("Control+k")
    page.keyboard.type("rollout")
    expect(page.locator("dialog[open] input")).to_have_value("rollout")


def find_keys(page: Page) -> None:
    page.fill(
        ".key-finder textarea", "a.use_dynamic_batchsize=True trainer.nnodes=2 critic.enable=True"
    )
    expect(page.locator(".key-finder output a").first).to_be_visible()


def filter_keys(page: Page) -> None:
    page.fill(".reference-filter input[type=search]", "prefix caching")
    expect(page.locator("table.config-reference tbody tr:visible")).to_have_count(1)


def calculate(page: Page) -> None:
    page.locator("form.calculator input").first.fill("-1")
    expect(page.locator("form.calculator output").first).to_have_text("–")


def copy(page: Page) -> None:
    page.hover(".highlight-console")
    page.click(".highlight-console .copybtn")
    expect(page.locator(".copybtn.success")).to_be_visible()


def scroll_down(page: Page) -> None:
    page.mouse.wheel(0, 4000)
    page.wait_for_timeout(200)
    page.mouse.wheel(0, -200)
    expect(page.locator("#pst-back-to-top")).to_be_visible()


@pytest.mark.parametrize(
    ("name", "width", "use"),
    [
        ("index.html", 390, open_navigation),
        ("guide/memory.html", 390, open_contents),
        ("index.html", 390, open_languages),
        ("index.html", 390, search),
        ("index.html", 1280, open_languages),
        ("index.html", 1280, open_colours),
        ("index.html", 1280, search),
        ("index.html", 1280, copy),
        ("guide/memory.html", 1280, scroll_down),
        ("reference/names-that-drift.html", 390, find_keys),
        ("reference/names-that-drift.html", 1280, find_keys),
        ("reference/rollout.html", 1280, filter_keys),
        ("guide/calculators.html", 390, calculate),
        ("guide/calculators.html", 1280, calculate),
        ("search.html?q=rollout", 1280, lambda page: page.wait_for_selector(".search li a")),
    ],
)
def test_a_page_in_use(
    new_page: NewPage,
    address: str,
    place: tuple[str, str],
    name: str,
    width: int,
    use: Callable[[Page], object],
) -> None:
    language, scheme = place
    page = new_page(
        color_scheme=scheme,
        viewport={"width": width, "height": 844},
        permissions=["clipboard-write"],
    )
    page.goto(f"{address}{language}/{name}")
    use(page)
    faults = [*violations(page, "header" if use is open_colours else None)]
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_root_page(
    new_page: NewPage, site: Path, address: str, scheme: str, width: int
) -> None:
    """It leads on at once; what it shows meanwhile is for a reader whose browser does not."""
    page = new_page(color_scheme=scheme, viewport={"width": width, "height": 844})
    html = re.sub(
        "<(script|noscript)>.*?</\\1>", "", (site / "index.html").read_text("utf-8"), flags=re.S
    )
    page.route(address, lambda route: route.fulfill(body=html, content_type="text/html"))
    page.goto(address)
    faults = [*violations(page)]
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize("width", [390, 1280])
def test_the_page_not_found(
    new_page: NewPage, site: Path, place: tuple[str, str], width: int
) -> None:
    language, scheme = place
    page = new_page(color_scheme=scheme, viewport={"width": width, "height": 844})

    def answer(route: Route) -> None:
        path = route.request.url.removeprefix(SITE_URL).partition("?")[0]
        file = site / (f"{language}/404.html" if path == "lost" else path)
        route.fulfill(path=file) if file.is_file() else route.fulfill(status=404)

    page.route("**/*", answer)
    page.goto(f"{SITE_URL}lost")
    faults = [*violations(page)]
    assert not faults, "\n".join(faults)
