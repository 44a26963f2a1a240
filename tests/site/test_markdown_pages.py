"""The pages as Markdown: all of them, with what the pages for browsers say, and listed."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path

import pytest
from bs4 import BeautifulSoup
from markdown_it import MarkdownIt
from sphinx.util.inventory import InventoryFile

LANGUAGES = ("en", "zh_CN", "ja")
pytestmark = pytest.mark.slow
_LISTED = re.compile(r"^- \[(?P<title>.+?)\]\((?P<page>[^)]+)\)(?:: (?P<said>.+))?$")


@pytest.fixture(params=LANGUAGES)
def folder(site: Path, request: pytest.FixtureRequest) -> Path:
    return site / str(request.param)


def documents(folder: Path) -> list[str]:
    """The names of all pages that have a source."""
    listed = InventoryFile.loads(folder.joinpath("objects.inv").read_bytes(), uri="").data
    return sorted(place.uri.removesuffix(".html") for place in listed["std:doc"].values())


def test_every_page_has_its_twin(folder: Path) -> None:
    names = documents(folder)
    assert len(names) > 80
    assert (
        sorted(
            file.relative_to(folder).with_suffix("").as_posix()
            for file in folder.rglob("*.md")
            if "_" not in file.relative_to(folder).parts[0]
        )
        == names
    )


def test_a_twin_says_what_its_page_says(folder: Path) -> None:
    """Titles, code and tables; no markup of HTML but places to lead to, and nothing unresolved."""
    for name in ("guide/fsdp", "guide/measurements", "recipes/dapo", "checker/rules/wrong-type"):
        page = BeautifulSoup(folder.joinpath(f"{name}.html").read_text("utf-8"), "html.parser")
        article = page.select_one("article")
        assert article is not None
        text = folder.joinpath(f"{name}.md").read_text("utf-8")
        tokens = MarkdownIt("commonmark").enable("table").parse(text)
        titles = [
            inline.content for opened, inline in pairwise(tokens) if opened.type == "heading_open"
        ]
        for heading in article.select("h1, h2"):
            link = heading.select_one(".headerlink")
            assert link is not None
            link.decompose()
            assert heading.text.strip() in {re.sub(r"[`\\]", "", title) for title in titles}, name
        blocks = "".join(token.content for token in tokens if token.type == "fence")
        for block in article.select("div.highlight pre"):
            assert block.text.strip() in blocks, name
        tables = [token for token in tokens if token.type == "table_open"]
        assert len(tables) == len(article.select("table")), name
        markup = [token.content for token in tokens if token.type == "html_block"]
        assert [one for one in markup if not one.startswith('<a id="')] == [], name


def test_links_lead_to_what_is_there(folder: Path) -> None:
    for name in documents(folder):
        if name == "404":  # which any address may show
            continue
        file = folder / f"{name}.md"
        for target in linked(file.read_text("utf-8")):
            assert not target.startswith("/"), f"{name} -> {target}"
            path = target.partition("#")[0]
            if path and ":" not in path and path.endswith(".md"):
                assert file.parent.joinpath(path).is_file(), f"{name} -> {target}"


def linked(text: str) -> list[str]:
    """Where the links of a page lead; there are no pictures, but what these say."""
    blocks = MarkdownIt("commonmark").enable("table").parse(text)
    inlines = [token for block in blocks for token in block.children or ()]
    assert [token for token in inlines if token.type == "image"] == []
    return [str(token.attrs["href"]) for token in inlines if token.type == "link_open"]


def test_the_list_names_each_page_with_what_it_is_about(folder: Path) -> None:
    first, *lines = folder.joinpath("llms.txt").read_text("utf-8").splitlines()
    assert first.startswith("# ")
    assert lines[1].startswith("> ")
    listed = [match for line in lines if (match := _LISTED.match(line))]
    names = [match["page"].removesuffix(".md") for match in listed]
    assert sorted([*names, "404", "index"]) == documents(folder)
    pages = ("guide/", "recipes/", "reference/")
    silent = [match["page"] for match in listed if not match["said"]]
    assert [page for page in silent if page.startswith(pages)] == []
    optional = names[next(i for i, name in enumerate(names) if name.startswith("contributing/")) :]
    assert all(name.startswith("contributing/") for name in optional)
    assert lines.index("## Optional") > 0
