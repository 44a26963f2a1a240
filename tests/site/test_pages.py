"""What holds on every page, in each language and colour scheme: one walk asks everything."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from playwright.sync_api import ConsoleMessage, Page, Request, ViewportSize

from tests.site.accessibility import COLOUR_RULES, new_colours, shape, violations
from tests.site.conftest import NewPage
from tests.site.overflow import cut_off, holding_more, too_wide

LANGUAGES = ("en", "zh_CN", "ja")
WIDE = ViewportSize(width=1280, height=800)
NARROW = ViewportSize(width=390, height=800)
TABLES = "article .pst-scrollable-table-container"
PARTS = 4  # so that two processes have the same to do

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


@dataclass(frozen=True, slots=True)
class Tab:
    """A page of a browser in one colour scheme, and who listens to it."""

    scheme: str
    page: Page
    listener: Listener

    def open(self, url: str) -> None:
        self.page.set_viewport_size(WIDE)  # beforehand: the theme moves what it resizes
        self.page.goto(url)

    def faults(self, shapes: set[str], colours: set[str]) -> Iterator[str]:
        """What is wrong with the open page.

        `shapes` are those of the page in which every rule but those about colours was asked, and
        `colours` those of texts of which these were asked; its own are added.
        """
        page = self.page
        page.wait_for_load_state("networkidle")  # by then it has its shape
        if (own := shape(page)) not in shapes:
            yield from violations(page, without=COLOUR_RULES)
        shapes.add(own)
        yield from new_colours(page, colours)
        yield from (*too_wide(page), *cut_off(page))
        page.set_viewport_size(NARROW)
        yield from (*too_wide(page), *cut_off(page))
        if "/reference/" in page.url and (count := holding_more(page, TABLES)):
            yield f"{count} tables do not fit a phone"
        if page.get_attribute("html", "data-theme") != self.scheme:
            yield "has another colour scheme"
        yield from self.listener.heard()


@pytest.fixture(scope="module")
def colours() -> set[str]:
    """The combinations of colours of which the rules were asked, on pages of any language."""
    return set()


@pytest.mark.long
@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_page(
    new_page: NewPage,
    address: str,
    pages: list[str],
    colours: set[str],
    language: str,
    part: int,
) -> None:
    tabs = [open_tab(new_page, address, scheme) for scheme in ("light", "dark")]
    faults: list[str] = []
    known = {*colours}  # a page that is asked anew is asked of all again
    for name in [*pages, "search.html?q=rollout"][part::PARTS]:
        for tab in tabs:
            tab.open(f"{address}{language}/{name}")
        shapes: set[str] = set()
        for tab in tabs:
            faults += [f"{language}/{name} ({tab.scheme}): {f}" for f in tab.faults(shapes, known)]
    assert not faults, "\n".join(faults)
    colours |= known


def open_tab(new_page: NewPage, address: str, scheme: str) -> Tab:
    page = new_page(color_scheme=scheme)
    return Tab(scheme, page, Listener(page, address))
