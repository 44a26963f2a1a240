"""What a page shows only in part, or beyond the edge of the screen."""

from __future__ import annotations

from collections.abc import Iterator

from playwright.sync_api import Page

# Text beyond the right edge. The theme clips it, so the width of the page does not tell. Tables and
# code blocks scroll by themselves.
_BEYOND_THE_EDGE = """
    [...document.querySelectorAll("header :is(a, summary), article :is(h1, h2, p, li, code)")]
      .filter((element) => !element.closest("table, pre"))
      .filter((element) => element.getBoundingClientRect().right > window.innerWidth)
      .map((element) => element.textContent)
"""
# What watches sizes runs before the next picture. A browser that paints nothing, as it may in the
# background, must not let us wait for ever.
_PAINTED = """
    () => Promise.race([
      new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
      new Promise((done) => setTimeout(done, 2000)),
    ])
"""
# What is cut without a way to it, or scrolls without a sign or without the keyboard.
_CUT = """
    async () => {
      await PAINTED();
      const found = [];
      for (const element of document.querySelectorAll("article *")) {
        const style = getComputedStyle(element);
        const beyond = element.scrollWidth - element.clientWidth;
        if (beyond <= 1 || !element.clientWidth || style.overflowX === "visible") continue;
        const said = `${element.tagName}.${element.className} ${beyond}`;
        if (!["auto", "scroll"].includes(style.overflowX)) found.push(`cut: ${said}`);
        else if (style.maskImage === "none") found.push(`no sign: ${said}`);
        else if (element.tabIndex !== 0) found.push(`no focus: ${said}`);
      }
      const width = document.documentElement.clientWidth;
      const shown = "article :is(table, pre, svg, p.badge, code)";
      for (const element of document.querySelectorAll(shown)) {
        const { right } = element.getBoundingClientRect();
        const scrolls = element.closest("pre, .pst-scrollable-table-container, .diagram-frame");
        if (right <= width + 1 || scrolls) continue;
        found.push(`off the screen: ${element.outerHTML.slice(0, 80)}`);
      }
      return found;
    }
""".replace("PAINTED", f"({_PAINTED})")
_HAS_FONTS = "() => document.fonts.ready.then(PAINTED)".replace("PAINTED", f"({_PAINTED})")
_TOO_WIDE = """
    (selector) => [...document.querySelectorAll(selector)]
      .filter((element) => element.scrollWidth > element.clientWidth).length
"""


def wait_for_shape(page: Page) -> None:
    """Wait until a loaded page has the shape that it keeps if nothing is done to it."""
    page.evaluate(_HAS_FONTS)


def too_wide(page: Page) -> Iterator[str]:
    """What does not fit on the screen."""
    width = page.evaluate("innerWidth")
    if (found := page.evaluate("document.documentElement.scrollWidth")) > width:
        yield f"is {found} pixels wide on a screen of {width}"
    for text in page.evaluate(_BEYOND_THE_EDGE):
        yield f"beyond the edge of {width} pixels: {text}"


def cut_off(page: Page) -> Iterator[str]:
    """What cannot be scrolled to, or does not show that there is more."""
    width = page.evaluate("innerWidth")
    yield from (f"on a screen of {width} pixels, {fault}" for fault in page.evaluate(_CUT))


def holding_more(page: Page, selector: str) -> int:
    """How many elements hold more than they show."""
    count: int = page.evaluate(_TOO_WIDE, selector)
    return count
