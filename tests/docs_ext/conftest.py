"""A small project with the site's own roles and directives, built in a moment."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from bs4 import BeautifulSoup
from sphinx.testing.util import SphinxTestApp

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "docs/_ext"))

CONF = f"""
import sys
sys.path.insert(0, {str(ROOT / "docs/_ext")!r})
extensions = ["myst_parser", "verl_docs"]
templates_path = [{str(ROOT / "docs/_templates")!r}]
html_theme = "basic"
nitpicky = True
"""


@pytest.fixture
def build(tmp_path: Path) -> Callable[[str], tuple[BeautifulSoup, str]]:
    """Builds a page from its Markdown: the parsed result, and the warnings."""

    def built(text: str) -> tuple[BeautifulSoup, str]:
        (tmp_path / "conf.py").write_text(CONF, "utf-8")
        (tmp_path / "index.md").write_text(f"# Page\n\n{text}\n", "utf-8")
        app = SphinxTestApp(srcdir=tmp_path)
        app.build()
        app.cleanup()
        page = (tmp_path / "_build/html/index.html").read_text("utf-8")
        return BeautifulSoup(page, "html.parser"), app.warning.getvalue()

    return built
