"""What pages say beside their text, in a catalog of its own."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import polib
import pytest
from sphinx.testing.util import SphinxTestApp

from snippet_checker.verl.values import Kind
from tests.docs_ext.conftest import CONF, ROOT
from verl_docs import interface


def named_in_code() -> Iterator[str]:
    """The literals that the code of the pages hands to `_`."""
    for file in (ROOT / "docs/_ext").rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            is_call = isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
            if is_call and node.func.id == "_" and isinstance(node.args[0], ast.Constant):
                yield node.args[0].value


def test_babel_finds_every_string(tmp_path: Path) -> None:
    """It passes over calls in f-strings on Python 3.11, and over an argument that is no literal."""
    found = tmp_path / "found.pot"
    command = [Path(sys.executable).with_name("pybabel"), "-q", "extract", "--keywords", "say"]
    command += ["--mapping", "pyproject.toml", "--output-file", found]
    subprocess.run([*command, "docs/_ext", "docs/_templates"], cwd=ROOT, check=True)
    extracted = {entry.msgid for entry in polib.pofile(str(found))}
    assert {*named_in_code()} <= extracted
    assert "Edit this page" in extracted  # of a template


@pytest.mark.parametrize(
    "file", sorted((ROOT / "docs/_templates").glob("*.html")), ids=lambda file: file.name
)
def test_a_template_asks_our_catalog(file: Path) -> None:
    """Babel also finds these, but a page would ask Sphinx's catalog for them."""
    assert not re.search(r"{%-? *trans\b|\b(?:_|gettext|ngettext)\(", file.read_text("utf-8"))


def test_every_kind_of_value_has_a_name() -> None:
    assert [str(interface.name_of(kind)) for kind in Kind] == [*map(str, Kind)]


PAGE = """# A title

```{verl:settings}
trainer.nnodes
```

```{verl:keys} verl.trainer.main_eval
```

```{note}
Words
```
"""


@pytest.mark.parametrize(
    ("language", "heading"), [("en", "What it does"), ("ja", "効果"), ("zh_CN", "What it does")]
)
def test_a_project_has_our_strings_from_our_catalog(
    tmp_path: Path, language: str, heading: str
) -> None:
    conf = CONF + f"language = {language!r}\nlocale_dirs = ['texts', 'none']\n"
    (tmp_path / "conf.py").write_text(conf, "utf-8")
    (tmp_path / "index.md").write_text(PAGE, "utf-8")
    catalog = polib.POFile()
    catalog.metadata = {"Content-Type": "text/plain; charset=utf-8"}
    catalog.append(polib.POEntry(msgid="What it does", msgstr="効果"))
    catalog.append(polib.POEntry(msgid="Note", msgstr="Sphinx のもの"))
    (tmp_path / "texts/ja/LC_MESSAGES").mkdir(parents=True)
    catalog.save(str(tmp_path / "texts/ja/LC_MESSAGES/verl_docs.po"))
    app = SphinxTestApp(srcdir=tmp_path)
    app.build()
    app.cleanup()
    page = (tmp_path / "_build/html/index.html").read_text("utf-8")
    assert f"<p>{heading}</p>" in page
    assert "Sphinx のもの" not in page
