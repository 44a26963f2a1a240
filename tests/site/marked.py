"""What a page shows in English because nobody has translated it yet, and says so."""

from __future__ import annotations

from collections.abc import Iterator

from bs4 import Tag

from tests.site.wording import said

MARKED = ".untranslated, meta[lang=en]"
NOTE = ".untranslated-note"


def without_marks(page: Tag) -> set[str]:
    """Take the marks of all blocks away, so that each is as in English; give their texts.

    Those of a drawing or a form, which has one note below it, are any that it has.
    """
    texts: set[str] = set()
    for note in page.select(f"p:not(.untranslated):has(> {NOTE})"):
        drawing = note.find_previous_sibling()
        assert drawing is not None
        texts.update(said(drawing))
        note.decompose()
    for block in page.select(MARKED):
        for note in block.select(f":scope > {NOTE}"):
            note.decompose()
        texts.update(_texts(block))
        del block["lang"]
        classes = [c for c in block.get_attribute_list("class") if c != "untranslated"]
        if any(classes):
            block["class"] = [c for c in classes if c]
        elif block.has_attr("class"):
            del block["class"]
    return texts


def _texts(block: Tag) -> Iterator[str]:
    """The texts of a block, and all of it in one, as titles stand elsewhere."""
    yield from said(block)
    yield " ".join(block.get_text().removesuffix("¶").split())
