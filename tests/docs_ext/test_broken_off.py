"""A build that ends in the middle leaves nothing that a later one takes for finished."""

from __future__ import annotations

import pytest
from sphinx.builders.html import StandaloneHTMLBuilder

from tests.docs_ext.conftest import Project


def test_pages_of_a_build_that_was_broken_off_are_written_again(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The page before it links to it by its title, and was written before the build ended."""
    later = project.source / "later.md"
    project.write(index="```{toctree}\nbefore\nlater\n```", before="Text.", later="Text.")
    first = project.build()
    before = (first.html / "before.html").read_text("utf-8")
    text = later.read_text("utf-8")
    later.write_text(text.replace("# Page", "# Renamed"), "utf-8")
    write_doc = StandaloneHTMLBuilder.write_doc

    def break_off(self: StandaloneHTMLBuilder, docname: str, doctree: object) -> None:
        if docname == "later":
            raise KeyboardInterrupt
        write_doc(self, docname, doctree)  # type: ignore[arg-type]

    with monkeypatch.context() as broken:
        broken.setattr(StandaloneHTMLBuilder, "write_doc", break_off)
        with pytest.raises(KeyboardInterrupt):
            project.build()
    assert "Renamed" in (first.html / "before.html").read_text("utf-8")
    later.write_text(text, "utf-8")
    assert (project.build().html / "before.html").read_text("utf-8") == before
