"""What text measures, whichever fonts a reader's system has."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from bs4 import BeautifulSoup
from playwright.sync_api import Browser, Page, Playwright

from tests.site.conftest import ROOT
from tests.site.fonts import FOLDERS, environment_with
from tests.site.test_typography import faces, session_of
from tests.site.watch import Browsers

LANGUAGES = ("en", "zh_CN", "ja")
FIGURES = len([*(ROOT / "docs/_ext/verl_docs/diagrams").glob("[a-z]*.py")]) - 1  # without svg.py
FIGURES += 1  # the bars of the measurements

pytestmark = pytest.mark.slow

# The widths of texts in the font and the place of an element.
WIDTHS = """
    (element, texts) => {
      const { fontFamily } = getComputedStyle(element);
      const sample = document.createElement("span");
      sample.style.cssText = "position: absolute; white-space: pre; font-size: 16px";
      sample.style.fontFamily = fontFamily;
      sample.lang = element.closest("[lang]").lang;
      document.querySelector("article").append(sample);
      const widths = texts.map((text) => {
        sample.textContent = text;
        return Math.round(10 * sample.getBoundingClientRect().width) / 10;
      });
      sample.remove();
      return widths;
    }
"""
CODE = {
    "guide/memory.html": ("pre", "p > code", "td code", "p.badge code"),
    "guide/step-time.html": ("svg .text-code",),
    "reference/names-that-drift.html": (".key-finder textarea", "td code"),
}

# Texts of figures that leave the picture, or the box that they stand in.
OUTSIDE = """
    () => [...document.querySelectorAll("svg.diagram text")].flatMap((text) => {
      const within = (inner, outer) =>
        inner.x >= outer.x && inner.x + inner.width <= outer.x + outer.width &&
        inner.y >= outer.y - 1 && inner.y + inner.height <= outer.y + outer.height + 1;
      const box = text.getBBox();
      const frames = [text.ownerSVGElement.viewBox.baseVal];
      const rect = text.closest("g")?.querySelector("rect");
      if (rect) frames.push(rect.getBBox());
      return frames.every((frame) => within(box, frame)) ? [] : [text.textContent];
    })
"""
# Pairs of texts of figures that run into each other.
COLLISIONS = """
    () => [...document.querySelectorAll("svg.diagram")].flatMap((figure) => {
      const texts = [...figure.querySelectorAll("text")].map((text) => {
        const { x, y, width, height } = text.getBBox();
        const [top, bottom] = [y + 0.3 * height, y + 0.7 * height]; // of its small letters
        return { said: text.textContent, left: x, right: x + width, top, bottom };
      });
      return texts.flatMap((a, n) => texts.slice(n + 1)
        .filter((b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom)
        .map((b) => `${a.said} / ${b.said}`));
    })
"""


FONTS = [pytest.param(name, marks=pytest.mark.xdist_group(name)) for name in FOLDERS]


@pytest.fixture(scope="module", params=FONTS)
def fonts(request: pytest.FixtureRequest) -> str:
    """Of which family the fonts are."""
    return str(request.param)


@pytest.fixture(scope="module")
def browsers(
    fonts: str, playwright: Playwright, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Browsers]:
    """Browsers that have few fonts."""
    folder = tmp_path_factory.mktemp("fonts")
    started = Browsers(playwright, environment_with(fonts, folder))
    yield started
    started.close()


@pytest.fixture
def page(browser: Browser, fonts: str) -> Iterator[Page]:
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    page.set_content("<p style='font-family: sans-serif'>Text</p>")
    found = faces(session_of(page), "p")
    assert all(face.startswith(fonts) for face in found), "the fonts are not installed"
    yield page
    page.close()


@pytest.mark.parametrize("language", LANGUAGES)
def test_letters_of_code_are_equally_wide(page: Page, address: str, language: str) -> None:
    for name, places in CODE.items():
        page.goto(f"{address}{language}/{name}")
        for place in places:
            code = page.locator(f"article {place}").first
            narrow, wide, other = code.evaluate(WIDTHS, ["i" * 10, "m" * 10, "=" * 10])
            assert narrow == wide == other > 0, f"{name}: {place}"


@pytest.mark.parametrize("language", LANGUAGES)
def test_chinese_and_japanese_in_code_have_a_face(page: Page, address: str, language: str) -> None:
    page.goto(f"{address}{language}/guide/memory.html")
    page.locator("article pre").first.evaluate(
        "element => { element.id = 'sample'; element.textContent = '显存とメモリ'; }"
    )
    assert all("CJK" in face for face in faces(session_of(page), "#sample"))


@cache
def with_figures(folder: Path, pages: tuple[str, ...]) -> tuple[str, ...]:
    """The pages that show a figure of ours."""
    texts = {name: (folder / name).read_text("utf-8") for name in pages}
    return tuple(
        name
        for name, text in texts.items()
        if "diagram" in text and BeautifulSoup(text, "html.parser").select("svg.diagram")
    )


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_text_of_a_figure_leaves_its_box(
    page: Page, site: Path, address: str, pages: list[str], language: str
) -> None:
    named = with_figures(site / language, tuple(pages))
    assert len(named) == FIGURES
    for name in named:
        page.goto(f"{address}{language}/{name}")
        assert page.evaluate(OUTSIDE) == [], name
        assert page.evaluate(COLLISIONS) == [], name
