"""What the site builder does about pages that are gone."""

from __future__ import annotations

import os
import shutil
import sys
import time
from pathlib import Path

import pytest

from tests.docs_ext.conftest import ROOT, Project

sys.path.insert(0, str(ROOT / "tools"))

import build_site


@pytest.mark.parametrize("reads_anew", [False, True])
def test_a_removed_page_goes_and_all_else_stays(project: Project, *, reads_anew: bool) -> None:
    project.write(index="Start.", gone="Old.", kept="Still there.")
    built = project.build()
    (built.html / "_static/example.html").touch()
    (built.html / "gone.md").touch()  # the same page for programs
    (built.html / "index.md").touch()
    (built.html / "modindex.html").touch()  # of a build with other options
    for name in ("gone.md", "modindex.html"):
        os.utime(built.html / name, (0, 0))
    (project.source / "gone.md").unlink()
    if reads_anew:
        shutil.rmtree(built.html.parent / "doctrees")
    project.write(index="Other.")
    started = time.time()
    project.build()
    before = _pages(built.html)
    build_site.remove_old_pages(built.html, started)
    assert before - _pages(built.html) == {"gone.html", "gone.md", "modindex.html"}


def _pages(folder: Path) -> set[str]:
    return {file.name for kind in ("*.html", "*.md") for file in folder.rglob(kind)}
