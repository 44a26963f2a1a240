"""Build the site: one Sphinx run a language, side by side, and the root page above them.

Every warning is an error. Each language keeps its own doctrees, so that an unchanged page is not
built again; a language that failed loses them, because Sphinx warns only about what it reads, and
a second run would succeed in silence.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from sphinx.util.inventory import InventoryFile

ROOT = Path(__file__).resolve().parents[1]
LANGUAGES = ("en", "zh_CN", "ja")


def build_language(language: str, html: Path, doctrees: Path) -> bool:
    command = [sys.executable, "-m", "sphinx", "-b", "html", "-q", "-W", "--keep-going", "-n"]
    command += ["-D", f"language={language}"]
    command += ["-d", str(doctrees / language), "docs", str(html / language)]
    started = time.monotonic()
    sphinx = subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    assert sphinx.stdout is not None
    for line in sphinx.stdout:
        say(language, line.rstrip())
    failed = sphinx.wait() != 0
    if failed:
        shutil.rmtree(doctrees / language, ignore_errors=True)
    else:
        remove_old_pages(html / language)
    say(language, f"{'FAILED' if failed else 'built'} in {time.monotonic() - started:.1f} s")
    return not failed


def remove_old_pages(folder: Path) -> None:
    """Remove each page that the site's own list of its pages does not name.

    Sphinx keeps the file of a page that is gone, and when it reads all pages anew, it has forgotten
    that there was one.
    """
    listed = InventoryFile.loads(folder.joinpath("objects.inv").read_bytes(), uri="").data
    pages = {place.uri.partition("#")[0] for places in listed.values() for place in places.values()}
    for file in folder.rglob("*.html"):
        name = file.relative_to(folder).as_posix()
        if name not in pages and not name.startswith("_static/"):
            file.unlink()


def say(language: str, text: str) -> None:
    # One write a line: the languages run at the same time.
    sys.stdout.write(f"[{language:>5}] {text}\n")
    sys.stdout.flush()


def main() -> int:
    parser = argparse.ArgumentParser(description="Build the site in all its languages.")
    parser.add_argument("--html", type=Path, default=ROOT / "build/html", help="output folder")
    parser.add_argument("--doctrees", type=Path, default=ROOT / "build/doctrees")
    options = parser.parse_args()
    html, doctrees = options.html.resolve(), options.doctrees.resolve()

    with ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
        built = list(pool.map(lambda language: build_language(language, html, doctrees), LANGUAGES))
    if not all(built):
        return 1
    shutil.copyfile(ROOT / "docs/_root/index.html", html / "index.html")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
