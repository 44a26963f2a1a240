"""A second build leaves what a first one of the same sources would, byte for byte.

With a few pages of the site: its own configuration, templates, catalogs and checker.
"""

from __future__ import annotations

import compileall
import os
import py_compile
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))

import build_site  # noqa: E402

LANGUAGE = "ja"
CATALOGS = f"locales/{LANGUAGE}/LC_MESSAGES"
PAGES = {
    *("404", "index", "guide/dynamic-batch-size", "guide/host-memory", "recipes/index"),
    *("recipes/lora", "reference/index", "reference/data", "reference/names-that-drift"),
    *("reference/history/0.9.1", "contributing/glossary", "checker/rules/needless-plus"),
}

pytestmark = [pytest.mark.slow, pytest.mark.long, pytest.mark.xdist_group("rebuild")]


@dataclass(frozen=True, slots=True)
class Copy:
    """A copy of the repository with a few pages, free to be changed."""

    folder: Path

    def build(self, name: str) -> dict[str, bytes]:
        """Build what has changed since the last build of that name: the files that it leaves."""
        html, doctrees = (self.folder / "build" / kind / name for kind in ("html", "doctrees"))
        command = [sys.executable, "-m", "sphinx", "-b", "html", "-q", "-D", f"language={LANGUAGE}"]
        environment = {
            **os.environ,
            "PYTHONPATH": str(self.folder),
            "PYTHONDONTWRITEBYTECODE": "1",  # two edits may come within one second
        }
        started = time.time()
        done = subprocess.run(
            [*command, "-d", doctrees, self.folder / "docs", html],
            cwd=self.folder,  # or the checker of the current folder is imported
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        assert "Traceback" not in done.stderr
        build_site.remove_old_pages(html, started)
        files = (file for file in html.rglob("*") if file.is_file())
        return {file.relative_to(html).as_posix(): file.read_bytes() for file in files}

    def build_anew(self) -> dict[str, bytes]:
        for kind in ("html", "doctrees"):
            shutil.rmtree(self.folder / "build" / kind / "anew", ignore_errors=True)
        return self.build("anew")


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Copy:
    folder = tmp_path_factory.mktemp("rebuild")
    for part in ("docs", "locales", "snippet_checker", "tools"):
        shutil.copytree(ROOT / part, folder / part, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", folder)
    catalogs = folder / CATALOGS
    for below, pages, kept in (
        (folder / "docs", "*.md", PAGES),
        (catalogs, "*.po", {*PAGES, "sphinx", "verl_docs"}),
    ):
        for page in below.rglob(pages):
            if page.relative_to(below).with_suffix("").as_posix() not in kept:
                page.unlink()
    # Compiled once; a module that was edited is told by its text, not by its time.
    for code in (folder / "docs", folder / "snippet_checker"):
        mode = py_compile.PycInvalidationMode.CHECKED_HASH
        assert compileall.compile_dir(code, quiet=2, invalidation_mode=mode)
    return Copy(folder)


@pytest.fixture(scope="module")
def first(copy: Copy) -> dict[str, bytes]:
    return copy.build("kept")


def append(text: str) -> Callable[[str], str]:
    return lambda old: old + text


def replace(old: str, new: str) -> Callable[[str], str]:
    """Another text in the place of one that is there."""

    def edit(content: str) -> str:
        changed = re.sub(old, new, content, count=1)
        assert changed != content, old
        return changed

    return edit


Edits = dict[str, Callable[[str], str] | None]
GUIDE = "docs/guide/"
EDITS: dict[str, Edits] = {
    "texts": {
        f"{GUIDE}dynamic-batch-size.md": append("\nThe zzq word.\n"),
        "docs/recipes/lora.sh": append("# One more line.\n"),
        f"{CATALOGS}/guide/host-memory.po": replace('msgstr "(.)', r'msgstr "\1\1'),
        "locales/glossary.toml": replace('note = "', 'note = "More. '),
    },
    "a wrong setting": {
        f"{GUIDE}dynamic-batch-size.md": replace("use_dynamic_bsz=True", "use_dynamic_bzs=True")
    },
    "scripts and records": {
        "docs/recipes/new.sh": append("python -m verl.trainer.main_ppo data.seed=1\n"),
        "docs/recipes/verified.json": replace("0.9.1", "0.9.9"),
    },
    "a title": {f"{GUIDE}host-memory.md": replace("\n# .*\n", "\n# Another title\n")},
    "the title of a section": {"docs/recipes/index.md": replace("\n## .*\n", "\n## Another\n")},
    "a new page": {
        f"{GUIDE}new.md": append("# A new page\n\n```yaml\ndata:\n  seed: 1\n```\n"),
        "docs/index.md": append("\n```{toctree}\nguide/new\n```\n"),
    },
    "a page less": {"docs/contributing/glossary.md": None},
    "a page of keys less": {"docs/reference/data.md": None},
    "an interface string": {
        f"{CATALOGS}/verl_docs.po": replace(r'(msgid "Until then"\nmsgstr )".*"', r'\1"QQ"')
    },
    "descriptions": {
        f"{GUIDE}keys/host-memory.toml": replace('= "', '= "More: '),
        f"{GUIDE}keys/new.toml": append('"data.seed" = "A seed."\n'),
        f"{GUIDE}keys/data-pipeline.toml": None,
    },
    "a rule of the checker": {
        "snippet_checker/rules/refusals.py": replace(r"\{AlreadyThere: \w+\}", "{}")
    },
    "a snapshot": {
        "snippet_checker/verl/snapshots/0.9.1.json": replace(
            r'("train_batch_size":\s*)1024', r"\g<1>1025"
        )
    },
    "the extension": {"docs/_ext/verl_docs/finder.py": replace('"Written"', '"Wrote"')},
    "a template": {"docs/_templates/site-footer.html": append("<p>One more.</p>")},
    "a template less": {"docs/_templates/layout.html": None},
    "static files": {
        "docs/_static/site.css": append("p { color: red; }"),
        "docs/_static/book.css": None,
    },
    "a function of conf.py": {"docs/conf.py": replace(r"nodes\.meta\b", "nodes.raw")},
    "an option of conf.py": {
        "docs/conf.py": replace("html_use_index = False", "html_use_index = True")
    },
    "the release": {"pyproject.toml": replace('\nverl = "0.9.1"', '\nverl = "0.9.0"')},
    "an option of the checker": {"pyproject.toml": replace("\nstrict = true", "\nstrict = false")},
}


@pytest.fixture
def edited(copy: Copy, request: pytest.FixtureRequest) -> Iterator[None]:
    """The copy with the edits of the parameter; afterwards without."""
    before: dict[Path, str | None] = {}
    for name, edit in EDITS[request.param].items():
        file = copy.folder / name
        before[file] = file.read_text("utf-8") if file.exists() else None
        if edit is None:
            file.unlink()
        else:
            file.write_text(edit(before[file] or ""), "utf-8")
    yield
    for file, content in before.items():
        if content is None:
            file.unlink()
        else:
            file.write_text(content, "utf-8")


def assert_same(found: dict[str, bytes], expected: dict[str, bytes]) -> None:
    assert found.keys() == expected.keys()
    assert [name for name in found if found[name] != expected[name]] == []


def test_after_no_edit(copy: Copy, first: dict[str, bytes]) -> None:
    assert_same(copy.build("kept"), first)


@pytest.mark.parametrize("edited", EDITS, indirect=True)
def test_after_an_edit(copy: Copy, first: dict[str, bytes], edited: None) -> None:
    assert_same(copy.build("kept"), copy.build_anew())


def test_after_all_edits_were_taken_back(copy: Copy, first: dict[str, bytes]) -> None:
    assert_same(copy.build("kept"), first)
