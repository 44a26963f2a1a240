"""The note beside a text that has no translation yet."""

from __future__ import annotations

from pathlib import Path

import pytest
from bs4 import BeautifulSoup
from sphinx.testing.util import SphinxTestApp

from .conftest import CONF

PAGE = """
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
ALL = ("A title", "A paragraph.", "`code_only`", "1.5B, 80 GB", "Some cell", "`a.b=1`")
ALL += ("another cell", "7")

# What has a translation, and what then is marked.
CASES = {
    "everything": (ALL, []),
    "not a paragraph": (tuple({*ALL} - {"A paragraph."}), ["A paragraph."]),
    "not a title": (tuple({*ALL} - {"A title"}), ["A title"]),
    "not a cell": (tuple({*ALL} - {"another cell"}), ["another cell"]),
    "not what needs none": (tuple({*ALL} - {"`code_only`", "1.5B, 80 GB", "`a.b=1`", "7"}), []),
    "no catalog": (None, ["A title", "A paragraph.", "Some cell", "another cell"]),
}


def built(folder: Path, translated: tuple[str, ...] | None, language: str) -> BeautifulSoup:
    conf = CONF + f"language = {language!r}\nlocale_dirs = ['locales']\n"
    (folder / "conf.py").write_text(conf, "utf-8")
    (folder / "index.md").write_text(PAGE, "utf-8")
    if translated is not None:
        catalog = folder / "locales/ja/LC_MESSAGES/index.po"
        catalog.parent.mkdir(parents=True)
        entries = (f'msgid "{m}"\nmsgstr "{japanese(m)}"\n' for m in translated)
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


def test_english_needs_no_note(tmp_path: Path) -> None:
    assert not built(tmp_path, None, "en").select(".untranslated")
