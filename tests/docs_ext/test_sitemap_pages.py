"""The sitemap has every page of the guide in every language, and no other."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from xml.etree import ElementTree as ET

from tests.docs_ext.conftest import ROOT
from verl_docs import sitemap

ADDRESS = "https://guide.invalid/x/"


def test_every_page_is_there_in_every_language(tmp_path: Path) -> None:
    docs = ROOT / "docs"
    pages = {page.relative_to(docs).with_suffix("").as_posix() for page in docs.rglob("*.md")}
    config = SimpleNamespace(language="en", html_baseurl=f"{ADDRESS}en/")
    builder, env = SimpleNamespace(name="html"), SimpleNamespace(found_docs=pages)
    app = SimpleNamespace(config=config, builder=builder, env=env, outdir=str(tmp_path))
    sitemap.write(app, None)  # type: ignore[arg-type]
    entries = [entry.text for entry in ET.parse(tmp_path / sitemap.FILE).iterfind(".//{*}loc")]
    expected = {
        f"{ADDRESS}{language}/{page}.html"
        for language in ("en", "zh_CN", "ja")
        for page in pages - {"404"}
    }
    assert {*entries} == expected | {ADDRESS}
    assert len(entries) == len({*entries})
