"""How Chinese and Japanese are set."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from bs4 import BeautifulSoup, SoupStrainer
from playwright.sync_api import CDPSession, Page

from tests.site.conftest import NewPage

ARTICLES = SoupStrainer("article")
FACES = {"zh_CN": "Noto Sans CJK SC", "ja": "Noto Sans CJK JP"}
CJK = r"[\u3000-\u30ff\u3400-\u9fff\uff00-\uffef]"
TEXTS = ["h1", "article p", "article td", "nav a", "svg text", "label", "button", "footer p"]

pytestmark = pytest.mark.slow


def faces(session: CDPSession, selector: str) -> set[str]:
    """The fonts that a browser really takes for an element and what it holds."""
    session.send("DOM.enable")
    session.send("CSS.enable")
    root = session.send("DOM.getDocument")["root"]["nodeId"]
    found = session.send("DOM.querySelectorAll", {"nodeId": root, "selector": selector})
    fonts = [session.send("CSS.getPlatformFontsForNode", {"nodeId": n}) for n in found["nodeIds"]]
    return {font["familyName"] for of_node in fonts for font in of_node["fonts"]}


def session_of(page: Page) -> CDPSession:
    return page.context.new_cdp_session(page)


@pytest.mark.parametrize("language", FACES)
def test_each_language_has_its_own_face(new_page: NewPage, address: str, language: str) -> None:
    page = new_page()
    shown = set()
    for name in ("guide/topology.html", "guide/calculators.html"):
        page.goto(f"{address}{language}/{name}")
        session = session_of(page)
        shown |= {face for text in TEXTS for face in faces(session, text)}
    assert {face for face in shown if "CJK" in face} == {FACES[language]}


@pytest.mark.parametrize("language", ["en", *FACES])
def test_the_name_of_a_language_has_the_face_of_that_language(
    new_page: NewPage, address: str, language: str
) -> None:
    page = new_page()
    page.goto(f"{address}{language}/index.html")
    page.click(".language-switch:visible summary")
    session = session_of(page)
    assert faces(session, "a[lang=ja]") == {FACES["ja"]}
    assert faces(session, "a[lang=zh-CN]") == {FACES["zh_CN"]}


@pytest.mark.parametrize("language", FACES)
def test_lines_break_where_the_language_allows_it(
    new_page: NewPage, address: str, language: str
) -> None:
    page = new_page()
    page.goto(f"{address}{language}/guide/topology.html")
    for text in ("h1", "article p", "article li", "article td"):
        style = page.locator(text).first.evaluate(
            "element => (({ lineBreak, textAutospace }) => ({ lineBreak, textAutospace }))"
            "(getComputedStyle(element))"
        )
        assert style == {"lineBreak": "strict", "textAutospace": "normal"}, text


def gaps(page: Path) -> Iterator[str]:
    """White space between two Chinese or Japanese characters of a page's text."""
    article = BeautifulSoup(page.read_text("utf-8"), "html.parser", parse_only=ARTICLES).article
    for text in article.find_all(string=True) if article is not None else ():
        if not text.find_parent(["pre", "code", "svg", "template", "script"]):
            yield from re.findall(rf"{CJK}+\s+{CJK}+", text)


@pytest.mark.parametrize("language", FACES)
def test_no_space_stands_between_two_characters(
    site: Path, pages: list[str], language: str
) -> None:
    found = {name: [*gaps(site / language / name)] for name in pages}
    assert {name: texts for name, texts in found.items() if texts} == {}
