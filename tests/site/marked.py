"""What a page shows in English because nobody has translated it yet, and says so."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import polib
from bs4 import Tag

from tests.checkout import ROOT
from tests.site.wording import said

MARKED = ".untranslated, meta[lang=en]"
NOTE = ".untranslated-note"
PLACEHOLDER = re.compile(r"\$?\{\w*\}|%[sd]")


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


def in_english(language: str, folder: Path) -> re.Pattern[str]:
    """Matches the strings of the interface that have no translation, whatever stands in them.

    The folder takes a file with all strings.
    """
    command = [Path(sys.executable).with_name("pybabel"), "-q", "extract", "--keywords", "say"]
    command += ["--mapping", "pyproject.toml", "--output-file", folder / "strings.pot"]
    subprocess.run([*command, "docs/_ext", "docs/_templates"], cwd=ROOT, check=True)
    catalog = polib.pofile(str(ROOT / f"locales/{language}/LC_MESSAGES/verl_docs.po"))
    known = {entry.msgid for entry in catalog.translated_entries()}
    strings = [e.msgid for e in polib.pofile(str(folder / "strings.pot")) if e.msgid not in known]
    whole = [".+".join(map(re.escape, PLACEHOLDER.split(string))) for string in strings]
    parts = [re.escape(part.strip()) for string in strings for part in PLACEHOLDER.split(string)]
    return re.compile("|".join(filter(None, [*whole, *parts])) or "(?!)")
