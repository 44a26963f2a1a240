"""What holds on every page, in each language and colour scheme: one walk asks everything."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

import pytest
from playwright.sync_api import ConsoleMessage, Page, Request, ViewportSize

from tests.site.accessibility import COLOUR_RULES, lay_out_all, new_colours, shape, violations
from tests.site.conftest import NewPage
from tests.site.overflow import cut_off, holding_more, too_wide, wait_for_shape

Scheme = Literal["light", "dark"]
LANGUAGES = ("en", "zh_CN", "ja")
SCHEMES: tuple[Scheme, ...] = ("light", "dark")
WIDE = ViewportSize(width=1280, height=800)
NARROW = ViewportSize(width=390, height=800)
TABLES = "article .pst-scrollable-table-container"
# Playwright's own way to wait for an attribute would describe the whole page where it has to wait.
HAS_SCHEME = """
    (scheme) => new Promise((done) => {
      const page = document.documentElement;
      const look = () => page.dataset.theme === scheme && done(true);
      new MutationObserver(look).observe(page, { attributeFilter: ["data-theme"] });
      look();
      setTimeout(() => done(false), 30_000);  // a long page, under load
    })
"""
SEARCH = "search.html?q=rollout"
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


class Tab:
    """A page of a browser, and who listens to it."""

    def __init__(self, page: Page, address: str) -> None:
        self._page = page
        self._listener = Listener(page, address)

    def faults(self, url: str, schemes: Sequence[Scheme], colours: set[str]) -> Iterator[str]:
        """What is wrong with a page that is opened in the first colour scheme and then changes.

        `colours` are the combinations of which the rules about colours were asked; its own are
        added. The other rules are asked once for each shape that the page has.
        """
        page = self._page
        page.goto("about:blank")  # or the page before would be laid out once more
        page.set_viewport_size(WIDE)  # beforehand: the theme moves what it resizes
        page.emulate_media(color_scheme=schemes[0])
        page.goto(url)
        # After its fonts comes its icon alone, and on one page what a search finds. To hear for
        # half a second that nothing is asked for takes a quarter of the time.
        wait_for_shape(page)
        if url.endswith(SEARCH):
            page.wait_for_load_state("networkidle")
        lay_out_all(page)
        shapes: set[str] = set()
        for scheme in schemes:
            yield from (f"{scheme}: {fault}" for fault in self._wide(scheme, shapes, colours))
        page.set_viewport_size(NARROW)
        for scheme in reversed(schemes):
            yield from (f"{scheme}: {fault}" for fault in self._narrow(scheme))
        page.wait_for_load_state("networkidle")  # for long: nothing is left to be heard
        yield from self._listener.heard()

    def _wide(self, scheme: Scheme, shapes: set[str], colours: set[str]) -> Iterator[str]:
        page = self._page
        yield from self._change_to(scheme)
        if (own := shape(page)) not in shapes:
            yield from violations(page, without=COLOUR_RULES)
        shapes.add(own)
        yield from new_colours(page, colours)
        yield from (*too_wide(page), *cut_off(page))

    def _narrow(self, scheme: Scheme) -> Iterator[str]:
        page = self._page
        yield from self._change_to(scheme)
        yield from (*too_wide(page), *cut_off(page))
        if "/reference/" in page.url and (count := holding_more(page, TABLES)):
            yield f"{count} tables do not fit a phone"

    def _change_to(self, scheme: Scheme) -> Iterator[str]:
        self._page.emulate_media(color_scheme=scheme)
        if not self._page.evaluate(HAS_SCHEME, scheme):
            yield "has another colour scheme"


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
    tab = Tab(new_page(), address)
    faults: list[str] = []
    known = {*colours}  # a page that is asked anew is asked of all again
    for number, name in [*enumerate([*pages, SEARCH])][part::PARTS]:
        # Each page is opened in both colour schemes, in one language or another.
        is_dark_first = (number + LANGUAGES.index(language)) % 2
        schemes = SCHEMES[::-1] if is_dark_first else SCHEMES
        found = tab.faults(f"{address}{language}/{name}", schemes, known)
        faults += [f"{language}/{name}: {fault}" for fault in found]
    assert not faults, "\n".join(faults)
    colours |= known


FAULTY = """
<!doctype html><html lang="en"><title>Faulty</title>
<style>
  main { background: white; color: #111; }
  [data-theme=dark] main { background: black; color: #222; }
  [data-theme=light] p { color: #ccc; }
  article { overflow-x: hidden; }
  h1 { width: 600px; }
</style>
<main><article><h1>A heading</h1><p>Some text.</p><button></button></article></main>
<script>
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const scheme = () => (dark.matches ? "dark" : "light");
  const change = () => { document.documentElement.dataset.theme = scheme(); };
  dark.addEventListener("change", change);
  change();
  console.error("it does not work");
</script>
"""


@pytest.mark.parametrize("schemes", [SCHEMES, SCHEMES[::-1]], ids=["light first", "dark first"])
def test_the_walk_finds_what_is_wrong_in_one_scheme_or_width(
    page: Page, address: str, schemes: tuple[Scheme, ...]
) -> None:
    page.route("**/*", lambda route: route.fulfill(body=FAULTY, content_type="text/html"))
    found = [*Tab(page, address).faults(f"{address}faulty.html", schemes, set())]
    rules = {fault.split(" at ")[0] for fault in found if " at " in fault}
    assert {"light: color-contrast", "dark: color-contrast"} <= rules
    assert [rule for rule in rules if rule.endswith("button-name")] == [
        f"{schemes[0]}: button-name"
    ]
    assert [f.partition(":")[0] for f in found if "beyond the edge of 390" in f] == [*schemes[::-1]]
    assert not [fault for fault in found if "screen of 1280" in fault]
    assert [fault for fault in found if "it does not work" in fault]
