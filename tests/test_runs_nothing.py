"""Nothing is imported, opened or run because a document names it.

`test_unchecked_parts` asks the same of what would be too much to check.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests import hostile
from tests.audited import ROOT, watched

NAMED = {
    **{"evil_package": "other_package", "pkg://this": "pkg://that", "venv.": "other."},
    **{"/etc/": "/srv/", "PWNED": "OTHER", "os.system": "os.link"},
}
"""What the documents name that could be imported, opened or run, and what to name for it."""


def test_hostile_documents_make_nothing_happen(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    hostile.write(tmp_path)
    before = sorted(tmp_path.rglob("*"))
    # The same documents load what these do, but name other things.
    first = tmp_path_factory.mktemp("first")
    hostile.write(first)
    for file in first.rglob("*.*"):
        text = file.read_text("utf-8")
        for name, other in NAMED.items():
            text = text.replace(name, other)
        file.write_text(text, "utf-8")
    assert watched(tmp_path, tmp_path, first).happened == []
    assert sorted(tmp_path.rglob("*")) == before


@pytest.mark.slow
@pytest.mark.parametrize("folder", ["tests", "docs", "locales"])
def test_our_own_documents_make_nothing_happen(folder: str, tmp_path: Path) -> None:
    assert watched(tmp_path, ROOT / folder).happened == []


def test_the_watch_sees_what_it_has_to_see(tmp_path: Path) -> None:
    program = (
        "import sys, os\nfrom pathlib import Path\nfrom tests.audited import Watch\n"
        "watch = Watch(Path.cwd())\nsys.addaudithook(watch.hook)\nwatch.is_on = True\n"
        "import colorsys\nopen('/etc/passwd').close()\nexec('1')\nos.system('true')\n"
        "watch.is_on = False\nprint(*(line.split()[0] for line in watch.seen))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
        env={"PYTHONPATH": str(ROOT)},
    )
    assert set(done.stdout.split()) >= {"import", "open", "compile", "exec", "os.system"}
