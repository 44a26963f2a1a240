"""What other sites are told of a page: by `docs/conf.py`, as Sphinx runs it."""

from __future__ import annotations

import runpy
from types import SimpleNamespace
from typing import Any

import pytest
from docutils import nodes
from docutils.frontend import get_default_settings
from docutils.utils import new_document

from tests.docs_ext.conftest import ROOT


@pytest.fixture(scope="module")
def conf() -> dict[str, Any]:
    return runpy.run_path(str(ROOT / "docs/conf.py"))


def page(*paragraphs: str, **meta: str) -> nodes.document:
    document = new_document("page", get_default_settings())
    document += [nodes.meta(name=name, content=content) for name, content in meta.items()]
    document += [nodes.title("", "Title"), *(nodes.paragraph("", text) for text in paragraphs)]
    return document


@pytest.mark.parametrize(
    ("shown", "description"),
    [
        (page("First.", "Second.", "Last."), "First."),
        (page("First.", description="In front."), "In front."),
        (page("First.", keywords="words"), "First."),
        (page(), None),
    ],
)
def test_a_page_is_described_by_its_front_matter_or_its_first_paragraph(
    conf: dict[str, Any], shown: nodes.document, description: str | None
) -> None:
    assert conf["description"](shown) == description


@pytest.mark.parametrize(("language", "tag"), [("en", "en"), ("zh_CN", "zh-CN"), ("ja", "ja")])
def test_the_card_is_that_of_the_language(conf: dict[str, Any], language: str, tag: str) -> None:
    config = SimpleNamespace(language=language, html_baseurl="https://guide.invalid/x/")
    context: dict[str, Any] = {"content_root": "../"}
    conf["describe_for_other_sites"](
        SimpleNamespace(config=config), "page", "page.html", context, page("First.")
    )
    image = f"_static/card-{tag}.png"
    assert context["card"] == {
        "description": "First.",
        "image": f"https://guide.invalid/x/{image}",
    }
    assert (ROOT / "docs" / image).is_file()
