"""The site, built once from this repository and served under a path prefix, and a browser."""

from __future__ import annotations

import http.server
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import pytest
from filelock import FileLock

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page, Playwright


ROOT = Path(__file__).resolve().parents[2]
CHROMIUM = Path("/usr/bin/chromium")
SITE_URL = "https://guide.invalid/any/prefix/"
# The browser must not talk to anybody either, or "no external request" would prove nothing.
CHROMIUM_ARGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Path:
    """The folder with the three languages in it; the first worker that asks builds it for all."""
    own = tmp_path_factory.getbasetemp()
    folder = (own if worker_id == "master" else own.parent) / "site"
    html = folder / "served" / "any" / "prefix"
    with FileLock(folder.with_suffix(".lock")):
        if not (html / "index.html").exists():  # written last
            command = [sys.executable, ROOT / "tools/build_site.py"]
            command += ["--html", html, "--doctrees", folder / "doctrees", "--site-url", SITE_URL]
            build = subprocess.run(command, capture_output=True, text=True, check=False)
            assert build.returncode == 0, build.stdout + build.stderr
    return html


@pytest.fixture(scope="session")
def pages(site: Path) -> list[str]:
    """Every page of a language, relative to the root of that language.

    The page "not found" has tests of its own: it is made for the root of a host.
    """
    english = site / "en"
    found = (page.relative_to(english).as_posix() for page in english.rglob("*.html"))
    return sorted(page for page in found if not page.startswith("_static/") and page != "404.html")


class QuietHandler(http.server.SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture(scope="session")
def address(site: Path) -> Iterator[str]:
    """Where the site is served. The prefix shows links that only work at the root of a host."""
    handler = partial(QuietHandler, directory=site.parents[1])
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/any/prefix/"
        server.shutdown()
        thread.join()


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    """What starts browsers; a process can have one only."""
    if not CHROMIUM.exists():
        advice = f"{CHROMIUM} is missing: install Debian's or Ubuntu's package `chromium`"
        if os.environ.get("CI") == "true":
            pytest.fail(advice)
        pytest.skip(advice)
    from playwright.sync_api import sync_playwright

    with sync_playwright() as started:
        yield started


@pytest.fixture(scope="session")
def browser(playwright: Playwright) -> Iterator[Browser]:
    started = playwright.chromium.launch(executable_path=CHROMIUM, args=CHROMIUM_ARGS)
    yield started
    started.close()


class NewPage(Protocol):
    """Opens an empty page; the options are those of a browser context."""

    def __call__(self, **options: Any) -> Page: ...


@pytest.fixture
def new_page(browser: Browser) -> Iterator[NewPage]:
    """Pages in contexts of their own, where nothing moves that a reader can switch off."""
    contexts: list[BrowserContext] = []

    def make(**options: Any) -> Page:
        contexts.append(browser.new_context(reduced_motion="reduce", **options))
        return contexts[-1].new_page()

    yield make
    for context in contexts:
        context.close()
