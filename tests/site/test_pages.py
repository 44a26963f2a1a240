"""What holds on every page, in each language and colour scheme: one walk asks everything."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import ConsoleMessage, Page, Request, ViewportSize

from tests.site.accessibility import violations
from tests.site.conftest import NewPage

LANGUAGES = ("en", "zh_CN", "ja")
WIDE = ViewportSize(width=1280, height=800)
NARROW = ViewportSize(width=390, height=800)
# Text beyond the right edge. The theme clips it, so the width of the page does not tell. Tables and
# code blocks scroll by themselves.
BEYOND_THE_EDGE = """
    [...document.querySelectorAll("header :is(a, summary), article :is(h1, h2, p, li, code)")]
      .filter((element) => !element.closest("table, pre"))
      .filter((element) => element.getBoundingClientRect().right > window.innerWidth)
      .map((element) => element.textContent)
"""

pytestmark = pytest.mark.slow


class Listener:
    """Hears what goes wrong while a page works: errors, and requests that leave the site."""

    def __init__(self, page: Page, address: str) -> None:
        self._address = address
        self._heard: list[str] = []
        page.on("pageerror", lambda error: self._heard.append(f"script error: {error}"))
        page.on("console", lambda said: self._note("console", shown(said), said.type == "error"))
        page.on("requestfailed", lambda request: self._note("request failed", request.url))
        page.on("request", lambda request: self._note("leaves", request.url, self._is_far(request)))

    def _is_far(self, request: Request) -> bool:
        return not request.url.startswith((self._address, "data:"))

    def _note(self, what: str, text: str, is_bad: bool = True) -> None:
        if is_bad:
            self._heard.append(f"{what}: {text}")

    def heard(self) -> list[str]:
        heard, self._heard = self._heard, []
        return heard


def shown(message: ConsoleMessage) -> str:
    return f"{message.text} ({message.location['url']})"


def too_wide(page: Page) -> Iterator[str]:
    """What does not fit on the screen."""
    width = page.evaluate("innerWidth")
    if (found := page.evaluate("document.documentElement.scrollWidth")) > width:
        yield f"is {found} pixels wide on a screen of {width}"
    for text in page.evaluate(BEYOND_THE_EDGE):
        yield f"beyond the edge of {width} pixels: {text}"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_page(
    new_page: NewPage, address: str, pages: list[str], language: str, scheme: str
) -> None:
    page = new_page(color_scheme=scheme)
    listener = Listener(page, address)
    faults: list[str] = []
    for name in [*pages, "search.html?q=rollout"]:
        page.set_viewport_size(WIDE)  # before the page is loaded: the theme moves what it resizes
        page.goto(f"{address}{language}/{name}")
        found = [*too_wide(page), *violations(page)]
        page.set_viewport_size(NARROW)
        found += too_wide(page)
        if page.get_attribute("html", "data-theme") != scheme:
            found.append("has another colour scheme")
        page.wait_for_load_state("networkidle")
        faults += [f"{language}/{name} ({scheme}): {fault}" for fault in found + listener.heard()]
    assert not faults, "\n".join(faults)
