"""Measure how long the page takes to look up a long text of wrong names, in the built site.

`make html` comes first. 46 kB, every name another one: nothing that was worked out for one helps
with the next. The page has to be usable meanwhile, so what counts is a third of a second.
"""

from __future__ import annotations

import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

PAGE = Path(__file__).resolve().parents[1] / "build/html/en/reference/index.html"
ROUNDS = 5
LOOK_UP = """
  () => {
    const wrong = Object.keys(verlKeys.keys).map((key) => key.slice(0, -2) + key.at(-1));
    const text = wrong.map((key) => `${key}=1`).join("\\n").slice(0, 46000);
    const started = performance.now();
    const { keys, part } = KeyFinder.read(text);
    for (const key of keys) KeyFinder.look(key, part);
    return { names: keys.length, milliseconds: performance.now() - started };
  }
"""


def main() -> int:
    """Print the best of a few rounds, each on a page that was loaded anew."""
    if not PAGE.exists():
        print("The site is not built: run make html first.", file=sys.stderr)
        return 2
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium")
        page = browser.new_page()
        found = []
        for _ in range(ROUNDS):
            page.goto(PAGE.as_uri())
            found.append(page.evaluate(LOOK_UP))
    best = min(found, key=lambda result: result["milliseconds"])
    print(f"{best['names']} wrong names looked up in {best['milliseconds']:.0f} ms")
    return 0


if __name__ == "__main__":
    sys.exit(main())
