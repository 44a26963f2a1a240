"""What the head of a page and the sitemap tell search engines about the other languages."""

from __future__ import annotations

import subprocess
import sys
from functools import cache
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from bs4 import BeautifulSoup

from tests.site.conftest import ROOT, SITE_URL

pytestmark = pytest.mark.slow

TAGS = {"en": "en", "zh_CN": "zh-CN", "ja": "ja"}
SITEMAP = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
LINK = "{http://www.w3.org/1999/xhtml}link"


class Head:
    def __init__(self, page: Path) -> None:
        text, end, _ = page.read_text("utf-8").partition("</head>")
        soup = BeautifulSoup(text + end, "html.parser")
        assert soup.head is not None
        self.canonical = [str(link["href"]) for link in soup.head.select('link[rel="canonical"]')]
        links = soup.head.select('link[rel="alternate"][hreflang]')
        self.alternates = {str(link["hreflang"]): str(link["href"]) for link in links}
        assert len(self.alternates) == len(links)
        assert soup.html is not None
        assert not soup.head.select("meta[translated]")  # Sphinx's mark, not of HTML
        self.language = soup.html["lang"]


@cache
def head_of(page: Path) -> Head:
    """The head of a page, read once: each page is named by all of its translations."""
    return Head(page)


def file_at(site: Path, address: str) -> Path:
    assert address.startswith(SITE_URL)
    path = address.removeprefix(SITE_URL)
    return site / (path or "index.html")


def test_every_page_names_itself_in_every_language_and_they_name_it(
    site: Path, pages: list[str]
) -> None:
    for page in sorted({*pages} - {"search.html"}):
        for language in TAGS:
            head = head_of(site / language / page)
            own = f"{SITE_URL}{language}/{page}"
            assert head.canonical == [own]
            assert head.alternates[TAGS[language]] == own
            assert head.language == TAGS[language]
            assert set(head.alternates) == {*TAGS.values(), "x-default"}, own
            for tag, address in head.alternates.items():
                other = head_of(file_at(site, address))
                assert other.alternates == head.alternates, address
                assert tag in (other.language, "x-default"), address


def test_readers_of_other_languages_are_sent_to_the_root_page_or_to_english(site: Path) -> None:
    root = head_of(site / "index.html")
    assert root.canonical == [SITE_URL]
    assert root.alternates["x-default"] == SITE_URL
    assert head_of(site / "ja/index.html").alternates == root.alternates
    english = f"{SITE_URL}en/guide/memory.html"
    assert head_of(site / "ja/guide/memory.html").alternates["x-default"] == english


def test_a_page_without_an_address_of_its_own_names_none(site: Path) -> None:
    for language in TAGS:
        assert head_of(site / language / "404.html").canonical == []
        assert head_of(site / language / "404.html").alternates == {}
        assert head_of(site / language / "search.html").alternates == {}


def test_the_sitemap_lists_every_page_with_the_links_of_its_head(
    site: Path, pages: list[str]
) -> None:
    urls = ET.parse(site / "sitemap.xml").getroot().findall(f"{SITEMAP}url")
    listed = {
        str(url.findtext(f"{SITEMAP}loc")): {
            str(link.get("hreflang")): str(link.get("href")) for link in url.findall(LINK)
        }
        for url in urls
    }
    documents = {*pages} - {"search.html"}
    expected = {f"{SITE_URL}{language}/{page}" for language in TAGS for page in documents}
    assert set(listed) == {SITE_URL, *expected}
    assert len(urls) == len(listed)
    for address, alternates in listed.items():
        assert alternates == head_of(file_at(site, address)).alternates, address
    assert not [*site.glob("*/sitemap.xml")]


@pytest.mark.parametrize("text", ["example.org", "ftp://example.org/", "https://example.org/?a=b"])
def test_what_is_no_address_is_refused(text: str) -> None:
    command = [sys.executable, ROOT / "tools/build_site.py", "--site-url", text]
    refused = subprocess.run(command, capture_output=True, text=True, check=False)
    assert refused.returncode == 2
    assert "is no address like https://" in refused.stderr
