"""How much a first visit loads."""

from __future__ import annotations

import gzip
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from tests.site.conftest import NewPage

pytestmark = pytest.mark.slow

MOST = 150 * 1024  # bytes, compressed


@pytest.mark.parametrize("language", ["en", "zh_CN", "ja"])
@pytest.mark.parametrize(
    "name", ["index", "guide/memory", "guide/troubleshooting", "reference/actor", "checker/index"]
)
def test_a_first_visit_loads_little(
    new_page: NewPage, address: str, site: Path, language: str, name: str
) -> None:
    page = new_page()
    loaded: list[str] = []
    page.on("request", lambda request: loaded.append(request.url))
    page.goto(f"{address}{language}/{name}.html", wait_until="networkidle")
    prefix = urlsplit(address).path
    files = {unquote(urlsplit(url).path).removeprefix(prefix) for url in loaded}
    sizes = {file: len(gzip.compress((site / file).read_bytes(), 6)) for file in files}
    assert len(sizes) > 5
    assert sum(sizes.values()) < MOST, sizes


def test_readers_see_nothing_for_contributors(site: Path) -> None:
    page = (site / "en/guide/memory.html").read_text("utf-8")
    navigation = page[page.index("bd-docs-nav") : page.index("</nav>", page.index("bd-docs-nav"))]
    assert "contributing/" not in navigation
    assert "contributing/index.html" in page  # in the footer
