"""The note beside a text that has no translation yet."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

import pytest
from bs4 import BeautifulSoup
from sphinx.testing.util import SphinxTestApp

from verl_docs import diagrams

from .conftest import CONF

PAGE = """
---
myst:
  html_meta:
    description: "What it is about"
---

# A title

A paragraph.

`code_only`

1.5B, 80 GB

| Some cell | `a.b=1` |
| --- | --- |
| another cell | 7 |

```python
not_text = "but a block of code"
```
"""
ALL = (
    "What it is about",
    "A title",
    "A paragraph.",
    "`code_only`",
    "1.5B, 80 GB",
    "Some cell",
    "`a.b=1`",
)
ALL += ("another cell", "7")

# What has a translation, and what then is marked.
CASES = {
    "everything": (ALL, []),
    "not a paragraph": (tuple({*ALL} - {"A paragraph."}), ["A paragraph."]),
    "not a description": (tuple({*ALL} - {"What it is about"}), []),
    "not a title": (tuple({*ALL} - {"A title"}), ["A title"]),
    "not a cell": (tuple({*ALL} - {"another cell"}), ["another cell"]),
    "not what needs none": (tuple({*ALL} - {"`code_only`", "1.5B, 80 GB", "`a.b=1`", "7"}), []),
    "no catalog": (None, ["A title", "A paragraph.", "Some cell", "another cell"]),
}


def built(
    folder: Path,
    translated: Iterable[str] | Mapping[str, str] | None,
    language: str,
    page: str = PAGE,
) -> BeautifulSoup:
    """The page, with a catalog that has these messages unless it is None."""
    conf = CONF + f"language = {language!r}\nlocale_dirs = ['locales']\n"
    (folder / "conf.py").write_text(conf, "utf-8")
    (folder / "index.md").write_text(page.lstrip(), "utf-8")
    if translated is not None:
        said = (
            translated if isinstance(translated, Mapping) else {m: japanese(m) for m in translated}
        )
        catalog = folder / "locales/ja/LC_MESSAGES/index.po"
        catalog.parent.mkdir(parents=True)
        entries = (f'msgid "{msgid}"\nmsgstr "{msgstr}"\n' for msgid, msgstr in said.items())
        head = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n'
        catalog.write_text("\n".join((head, *entries)), "utf-8")
    app = SphinxTestApp(srcdir=folder)
    app.build()
    app.cleanup()
    return BeautifulSoup((folder / "_build/html/index.html").read_text("utf-8"), "html.parser")


def japanese(message: str) -> str:
    return message if "`" in message or message[0].isdigit() else f"訳：{len(message)}"


@pytest.mark.parametrize("name", CASES)
def test_what_is_marked(tmp_path: Path, name: str) -> None:
    translated, marked = CASES[name]
    page = built(tmp_path, translated, "ja")
    notes = page.select(".untranslated > .untranslated-note")
    assert [note["lang"] for note in notes] == ["ja"] * len(marked)
    assert [note.extract().text for note in notes] == ["Not translated yet"] * len(marked)
    blocks = page.select("body .untranslated")
    assert [block["lang"] for block in blocks] == ["en"] * len(marked)
    assert [block.text.strip(" ¶") for block in blocks] == marked


@pytest.mark.parametrize(("translated", "language"), [(ALL, None), (ALL[1:], "en"), (None, "en")])
def test_a_description_in_english_says_so(
    tmp_path: Path, translated: tuple[str, ...] | None, language: str | None
) -> None:
    page = built(tmp_path, translated, "ja")
    [description] = page.select("meta[name=description]")
    assert description.get("lang") == language
    assert "translated" not in description.attrs


LABELS = [diagrams.load("packing").ALT, *diagrams.load("packing").LABELS.values()]


@pytest.mark.parametrize(
    ("translated", "notes"),
    [
        ({label: f"訳{n}" for n, label in enumerate(LABELS)}, 0),
        ({label: label for label in LABELS}, 0),  # some read the same in every language
        ({label: label for label in LABELS[1:]}, 1),
        ({}, 1),
        (None, 1),
    ],
)
def test_a_drawing_with_a_label_in_english_has_a_note(
    tmp_path: Path, translated: dict[str, str] | None, notes: int
) -> None:
    page = built(tmp_path, translated, "ja", "# A title\n\n```{verl:diagram} packing\n```\n")
    assert [note["lang"] for note in page.select(".diagram-frame + p > .untranslated-note")] == [
        "ja"
    ] * notes


def test_english_needs_no_note(tmp_path: Path) -> None:
    assert not built(tmp_path, None, "en").select(".untranslated")
