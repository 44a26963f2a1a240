"""What plain Sphinx says about the translations that the checker's tests have seeded with defects.

Each defect becomes a page with one paragraph and a catalog of one entry. Sphinx builds the original
and the translation with all its warnings on; the defect is seen if the translation brings a warning
that the original does not.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

import polib

_CONFIGURATION = """
extensions = ["myst_parser"]
myst_enable_extensions = ["dollarmath", "substitution"]
locale_dirs = ["locales"]
gettext_compact = False
nitpicky = True
"""
_LANGUAGE = "ja"  # of the build alone: Sphinx does not look at what language a text is in
_WARNING = re.compile(r"(?m)^\S*?(?P<page>defect\d+)\.(?:md|rst):.*?(?P<text>WARNING: .*)$")


def seeded(catalogs: Sequence[Path]) -> list[polib.POEntry]:
    """The entries that are wrong on purpose."""
    entries = [entry for path in catalogs for entry in polib.pofile(str(path))]
    return [entry for entry in entries if "expect[" in entry.tcomment]


def seen_by_sphinx(entries: Sequence[polib.POEntry]) -> list[polib.POEntry]:
    """The defects that a build with `sphinx-build -n` warns about."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        _write_project(root, entries)
        before, after = _warnings(root, "en"), _warnings(root, _LANGUAGE)
    return [
        entry
        for number, entry in enumerate(entries)
        if after[f"defect{number}"] - before[f"defect{number}"]
    ]


def _write_project(root: Path, entries: Sequence[polib.POEntry]) -> None:
    catalogs = root / "locales" / _LANGUAGE / "LC_MESSAGES"
    catalogs.mkdir(parents=True)
    (root / "conf.py").write_text(_CONFIGURATION, "utf-8")
    (root / "index.rst").write_text(
        "Defects\n=======\n\n.. toctree::\n   :glob:\n\n   *\n", "utf-8"
    )
    for number, entry in enumerate(entries):
        is_rest = entry.occurrences[0][0].endswith(".rst")
        heading = "Page\n====\n\n" if is_rest else "# Page\n\n"
        page = root / f"defect{number}.{'rst' if is_rest else 'md'}"
        page.write_text(f"{heading}{entry.msgid}\n", "utf-8")
        catalog = polib.POFile()
        catalog.metadata = {"Content-Type": "text/plain; charset=UTF-8"}
        catalog.append(polib.POEntry(msgid=entry.msgid, msgstr=entry.msgstr))
        catalog.save(str(catalogs / f"defect{number}.po"))


def _warnings(root: Path, language: str) -> dict[str, set[str]]:
    """The warnings of a build, by page."""
    command = [sys.executable, "-m", "sphinx", "-b", "html", "-q", "-n", "--no-color"]
    command += ["-D", f"language={language}", str(root), str(root / "build" / language)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    warnings: dict[str, set[str]] = defaultdict(set)
    for match in _WARNING.finditer(done.stderr):
        warnings[match["page"]].add(match["text"])
    return warnings
