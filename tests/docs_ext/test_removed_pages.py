"""What the site builder does about pages that are gone."""

from __future__ import annotations

import shutil
import sys

import pytest

from tests.docs_ext.conftest import ROOT, Project

sys.path.insert(0, str(ROOT / "tools"))

import build_site


@pytest.mark.parametrize("reads_anew", [False, True])
def test_a_removed_page_goes_and_all_else_stays(project: Project, *, reads_anew: bool) -> None:
    project.write(index="Start.", gone="Old.", kept="Still there.")
    built = project.build()
    (built.html / "_static/example.html").touch()
    (project.source / "gone.md").unlink()
    if reads_anew:
        shutil.rmtree(built.html.parent / "doctrees")
    project.write(index="Other.")
    project.build()
    before = {file.name for file in built.html.rglob("*.html")}
    build_site.remove_old_pages(built.html)
    assert before - {file.name for file in built.html.rglob("*.html")} == {"gone.html"}
