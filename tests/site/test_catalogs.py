"""The one form in which translation catalogs are written."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import polib
import pytest

ROOT = Path(__file__).resolve().parents[2]

# As an editor might leave it: wrapped, dated, in another order, with a message that is gone.
MESSY = r"""# Somebody <somebody@example.org>, 2026.
msgid ""
msgstr ""
"POT-Creation-Date: 2026-01-02 03:04+0000\n"
"PO-Revision-Date: 2026-01-02 03:04+0000\n"
"Content-Type: text/plain; charset=UTF-8\n"
"X-Generator: An editor\n"

#: ../docs/guide/page.md:7
#, fuzzy, python-format
msgid "Second, 50 % of it"
msgstr "2番目、"
"その50 %"

msgid "First"
msgstr "最初"

#~ msgid "Gone"
#~ msgstr "もうない"
"""

TIDY = r"""msgid ""
msgstr ""
"Project-Id-Version: verl-tuning-guide\n"
"Language: ja\n"
"MIME-Version: 1.0\n"
"Content-Type: text/plain; charset=UTF-8\n"
"Content-Transfer-Encoding: 8bit\n"

msgid "First"
msgstr "最初"

#, fuzzy
msgid "Second, 50 % of it"
msgstr "2番目、その50 %"
"""

TEMPLATE = (
    'msgid ""\nmsgstr ""\n\nmsgid "First"\nmsgstr ""\n\nmsgid "Second, 50 % of it"\nmsgstr ""\n'
)


@pytest.fixture
def catalog(tmp_path: Path) -> Path:
    po = tmp_path / "locales/ja/LC_MESSAGES/guide/page.po"
    po.parent.mkdir(parents=True)
    po.write_text(MESSY, "utf-8")
    pot = tmp_path / "pot/guide/page.pot"
    pot.parent.mkdir(parents=True)
    pot.write_text(TEMPLATE, "utf-8")
    return po


def tidy(folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, ROOT / "tools/tidy_catalogs.py", *options]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def test_one_form(catalog: Path, tmp_path: Path) -> None:
    assert "rewritten" in tidy(tmp_path, "--pot", "pot").stdout
    assert catalog.read_text("utf-8") == TIDY


def test_a_second_run_changes_nothing(catalog: Path, tmp_path: Path) -> None:
    catalog.write_text(TIDY, "utf-8")
    assert tidy(tmp_path, "--pot", "pot").stdout == ""
    assert catalog.read_text("utf-8") == TIDY


def test_check_names_the_file_and_changes_nothing(catalog: Path, tmp_path: Path) -> None:
    checked = tidy(tmp_path, "--check")
    assert checked.returncode == 1
    assert "locales/ja/LC_MESSAGES/guide/page.po" in checked.stdout
    assert catalog.read_text("utf-8") == MESSY
    catalog.write_text(TIDY, "utf-8")
    assert tidy(tmp_path, "--check").returncode == 0


def test_a_catalog_without_a_page_goes(catalog: Path, tmp_path: Path) -> None:
    (tmp_path / "pot/guide/page.pot").unlink()
    tidy(tmp_path, "--pot", "pot")
    assert not catalog.exists()


def test_a_text_of_several_pages_is_translated_once(catalog: Path, tmp_path: Path) -> None:
    other = catalog.with_name("other.po")
    long, short = "A text of four words", "Two words"
    template = "".join(f'msgid "{text}"\nmsgstr ""\n\n' for text in (long, short))
    for name in ("page", "other"):
        pot = tmp_path / f"pot/guide/{name}.pot"
        pot.write_text(TEMPLATE.partition('msgid "First')[0] + template, "utf-8")
    catalog.write_text(template.replace('msgstr ""', 'msgstr "訳"'), "utf-8")
    other.write_text(template, "utf-8")
    tidy(tmp_path, "--pot", "pot")
    filled = {entry.msgid: entry.msgstr for entry in polib.pofile(str(other))}
    # Few words may mean something else on another page.
    assert filled == {long: "訳", short: ""}


def test_catalogs_of_this_repository_are_tidy() -> None:
    checked = tidy(ROOT, "--check")
    assert checked.returncode == 0, checked.stdout
