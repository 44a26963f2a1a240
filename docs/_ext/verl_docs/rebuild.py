"""What a second build has to make anew, so that it leaves what a first one would.

Sphinx reads a page again when the page's file or one that it noted as a dependency is newer, and
writes that page only. A page is made of more than that: `ground` tells when all have to be read
again, and `Made` which have to be written again.
"""

from __future__ import annotations

import hashlib
import shutil
import sys
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import msgspec
from sphinx.application import Sphinx
from sphinx.builders import Builder
from sphinx.builders.html import StandaloneHTMLBuilder
from sphinx.environment import BuildEnvironment

import snippet_checker
from verl_docs import interface
from verl_docs.languages import site_of

RECORD = ".made-of"  # in the output folder, like Sphinx's own .buildinfo
ALL_PAGES = "sees_all_pages"  # in the metadata of a page


def ground(app: Sphinx) -> int:
    """A number that changes with the code and the interface strings of every page."""
    files = [Path(app.confdir, "conf.py")]
    for folder in app.config.locale_dirs:
        own = interface.catalog_in(Path(app.srcdir, folder), app.config.language)
        files += [own, own.with_stem("sphinx")]
    return _number_of(files, zlib.crc32(repr((*libraries(),)).encode(), _code()))


@cache
def _code() -> int:
    """A number of the code that pages are made with: what this process has loaded stays so."""
    folders = (Path(__file__).parent, Path(str(snippet_checker.__file__)).parent)
    return _number_of(file for folder in folders for file in _files_below(folder))


def _number_of(files: Iterable[Path], start: int = 0) -> int:
    """A number that changes with the names and the contents of files."""
    found = start
    for file in files:
        if file.is_file():
            found = zlib.crc32(file.read_bytes(), zlib.crc32(file.name.encode(), found))
    return found


def libraries() -> Iterator[str]:
    """Python, and what is installed beside Sphinx, each with its release."""
    yield sys.version
    installed = Path(sys.modules["sphinx"].__path__[0]).parent
    yield from sorted(folder.name for folder in installed.glob("*.dist-info"))


def _files_below(folder: Path) -> list[Path]:
    files = (file for file in folder.rglob("*") if file.suffix != ".pyc" and file.is_file())
    return sorted(files)


@dataclass(frozen=True, slots=True)
class Made:
    """What pages are made of beside themselves, as digests.

    `frame` stands around every page, and in its links: the site's layout and files, and all that
    pages show of each other. `pages` is the text of all pages, and of the scripts beside them.
    """

    frame: str
    pages: str

    @classmethod
    def of(cls, app: Sphinx) -> Made:
        files = [*app.config.html_static_path, *app.config.templates_path]
        around = [file for folder in files for file in _files_below(Path(app.confdir, folder))]
        shown = "\n".join((repr(site_of(app.config)), *_shown_elsewhere(app.env)))
        source = Path(app.srcdir)
        below = (file for file in _files_below(source) if not _is_private(file, source))
        return cls(digest(around, shown), digest(below))

    @classmethod
    def recorded(cls, folder: Path) -> Made | None:
        """What the pages in an output folder were made of, unless a build was broken off."""
        try:
            return msgspec.json.decode((folder / RECORD).read_bytes(), type=cls)
        except (OSError, ValueError):
            return None

    def record(self, folder: Path) -> None:
        (folder / RECORD).write_bytes(msgspec.json.encode(self) + b"\n")


def _is_private(file: Path, source: Path) -> bool:
    """Whether a file below the pages' folder is none that a page includes."""
    return file.relative_to(source).parts[0].startswith("_")


def digest(files: Iterable[Path], text: str = "") -> str:
    """What tells one state of some files, and of a text, from another."""
    found = hashlib.sha256(text.encode())
    for file in files:
        found.update(f"\n{file.name}\n".encode())
        found.update(file.read_bytes())
    return found.hexdigest()


def _shown_elsewhere(env: BuildEnvironment) -> Iterator[str]:
    """What pages show of each other: titles, their order, and whatever a link can lead to."""
    yield repr(sorted(env.version.items()))  # has the ground in it
    for name in sorted(env.all_docs):
        yield name
        yield from (part[name].pformat() for part in (env.titles, env.longtitles, env.tocs))
        yield repr(env.toctree_includes.get(name))
    for domain in env.domains.sorted():
        yield domain.name
        yield from map(repr, sorted(domain.get_objects()))
    yield from map(repr, (sorted(env.images), sorted(env.dlfiles)))


def sees_all_pages(env: BuildEnvironment) -> None:
    """Have the page that is being read written again whenever another one has changed."""
    env.metadata[env.current_document.docname][ALL_PAGES] = True


class Rebuild:
    """One build: what its pages are made of, and what those in the folder were made of."""

    def __init__(self) -> None:
        self.now: Made | None = None

    def outdated(self, app: Sphinx, env: BuildEnvironment) -> set[str]:
        """The pages to write, beside those that Sphinx has read."""
        if not isinstance(app.builder, StandaloneHTMLBuilder):
            return set()
        self.now = Made.of(app)
        before = Made.recorded(Path(app.outdir))
        if before is None or before.frame != self.now.frame:
            return set(env.found_docs)
        written = Path(app.outdir, RECORD).stat().st_mtime_ns // 1_000
        found = {name for name, read in env.all_docs.items() if read > written}
        if before.pages != self.now.pages:
            found |= {name for name, page in env.metadata.items() if ALL_PAGES in page}
        return found

    def begin(self, app: Sphinx, builder: Builder) -> None:
        """Take away what the build would only add to, and the record until the build is done."""
        folder = Path(app.outdir)
        before = Made.recorded(folder)
        if self.now is None or before == self.now:
            return
        if before is None or before.frame != self.now.frame:
            for name in ("_static", "_images", "_downloads"):
                shutil.rmtree(folder / name, ignore_errors=True)
        (folder / RECORD).unlink(missing_ok=True)

    def end(self, app: Sphinx, exception: Exception | None) -> None:
        if self.now is not None and exception is None:
            self.now.record(Path(app.outdir))
            Path(app.outdir, ".buildinfo.bak").unlink(missing_ok=True)


def setup(app: Sphinx) -> None:
    build = Rebuild()
    app.connect("env-updated", build.outdated)
    app.connect("write-started", build.begin, priority=100)  # before others write files
    app.connect("build-finished", build.end)
