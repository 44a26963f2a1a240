"""Nothing is imported, opened or run because a document names it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests import hostile
from tests.test_unchecked_parts import BOMBS, MANY, PROGRAM

ROOT = Path(__file__).parents[1]


def happened(folder: Path, checked: Path) -> list[str]:
    """What the checker does beyond its work while it checks a folder, a line each."""
    command = [sys.executable, "-m", "tests.audited", str(ROOT / "tests/cases"), str(checked)]
    search_path = f"{ROOT}:{folder}"  # as with PYTHONPATH=. in a project's folder
    done = subprocess.run(
        command,
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        env={"PYTHONPATH": search_path, "PATH": "/usr/bin:/bin", "PYTHONDONTWRITEBYTECODE": "1"},
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    first, *rest = done.stdout.splitlines()
    assert int(first.split()[1]) > 0
    return rest


def test_hostile_documents_make_nothing_happen(tmp_path: Path) -> None:
    hostile.write(tmp_path)
    before = sorted(tmp_path.rglob("*"))
    assert happened(tmp_path, tmp_path) == []
    assert sorted(tmp_path.rglob("*")) == before


def test_what_would_be_too_much_makes_nothing_happen(tmp_path: Path) -> None:
    scripts = [*BOMBS.values(), *(f"{PROGRAM} {text}\n" for text in MANY.values())]
    for number, script in enumerate(scripts):
        (tmp_path / f"{number}.sh").write_text(script, encoding="utf-8")
    assert happened(tmp_path, tmp_path) == []


@pytest.mark.slow
@pytest.mark.parametrize("folder", ["tests", "docs", "locales"])
def test_our_own_documents_make_nothing_happen(folder: str, tmp_path: Path) -> None:
    assert happened(tmp_path, ROOT / folder) == []


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
