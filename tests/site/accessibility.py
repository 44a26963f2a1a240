"""Asks axe what keeps people from using a page."""

from __future__ import annotations

from collections.abc import Iterator

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

# Some rules of these sets are off unless the sets are named.
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]


def violations(page: Page, within: str | None = None) -> Iterator[str]:
    """What breaks a rule of WCAG 2.2 A and AA, or of good practice, with its place.

    `within` is a selector: an open menu lies over links of the page, which axe takes for small.
    """
    # Without `preload`, axe asks for no style sheets of its own: none of these rules needs them.
    options = {"runOnly": RULES, "resultTypes": ["violations"], "preload": False}
    for broken in Axe().run(page, context=within, options=options).response["violations"]:
        for node in broken["nodes"]:
            place = " ".join(map(str, node["target"]))
            yield f"{broken['id']} at {place}: {node['failureSummary']}"
