"""A small project with the site's own roles and directives, built in a moment."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from bs4 import BeautifulSoup
from docutils.parsers.rst import directives, roles
from sphinx.testing.util import SphinxTestApp
from sphinx.util import logging
from sphinx.util.docutils import additional_nodes, register_node

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "docs/_ext"))

CONF = f"""
import sys
sys.path[:0] = [{str(ROOT / "docs/_ext")!r}, {str(ROOT / "tools")!r}]
extensions = ["myst_parser", "verl_docs"]
templates_path = [{str(ROOT / "docs/_templates")!r}]
html_theme = "basic"
html_use_index = False
html_copy_source = False
template_bridge = "tests.docs_ext.templates.Templates"
nitpicky = True
verl_descriptions = {str(ROOT / "docs/guide/keys")!r}
"""


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """One process builds all small projects: each has to load Sphinx and all releases for it."""
    for item in items:
        if item.path.is_relative_to(Path(__file__).parent):
            item.add_marker(pytest.mark.xdist_group("docs_ext"))


@contextmanager
def _registered_before() -> Iterator[None]:
    """One Sphinx that cleans up takes away what another one has registered that is still used."""
    known = dict(directives._directives), dict(roles._roles), set(additional_nodes)
    yield
    directives._directives |= known[0]
    roles._roles |= known[1]
    for node in known[2]:
        register_node(node)


@dataclass(frozen=True, slots=True)
class Project:
    """A folder with Markdown pages."""

    source: Path

    def write(self, **pages: str) -> None:
        """Write pages by their names; each gets a title."""
        for name, text in pages.items():
            (self.source / f"{name}.md").write_text(f"# Page\n\n{text}\n", "utf-8")

    def load(self, output: str = "html", *, processes: int = 0, **options: object) -> SphinxTestApp:
        """Sphinx, with the extensions and what earlier builds have kept."""
        conf = CONF + "".join(f"{name} = {value!r}\n" for name, value in options.items())
        (self.source / "conf.py").write_text(conf, "utf-8")
        folder = self.source.parent / output
        return SphinxTestApp(srcdir=self.source, builddir=folder, parallel=processes)

    def build(self, output: str = "html", *, processes: int = 0, **options: object) -> Built:
        """Build what has changed since the last build into the same folder."""
        with _registered_before():
            app = self.load(output, processes=processes, **options)
            app.build()
            app.cleanup()
        return Built(Path(app.outdir), app.warning.getvalue())


@dataclass(frozen=True, slots=True)
class Built:
    """What a build left, and its warnings."""

    html: Path
    warnings: str

    def page(self, name: str) -> BeautifulSoup:
        return BeautifulSoup((self.html / f"{name}.html").read_text("utf-8"), "html.parser")


@pytest.fixture
def project(tmp_path: Path) -> Project:
    source = tmp_path / "source"
    source.mkdir()
    return Project(source)


class OnePage:
    """A project of one page, loaded once: each text is read and written as an edited page is.

    What a build does beside that, such as the search's index, takes longer than most texts do.
    """

    def __init__(self, project: Project) -> None:
        self._project = project
        project.write(index="")
        self._app = project.load()
        self._app.build()
        self._built = Built(Path(self._app.outdir), "")

    def __call__(self, text: str) -> tuple[BeautifulSoup, str]:
        """The parsed page, and the warnings of reading and writing it."""
        app, builder = self._app, self._app.builder
        logging.setup(app, app.status, app.warning)  # or another Sphinx gets them
        said = len(app.warning.getvalue())
        (self._built.html / "index.html").unlink()  # an old page is no answer
        self._project.write(index=text)
        app.env.all_docs.pop("index", None)  # changed, however coarse the clock of the files is
        with logging.pending_warnings():
            builder.read()
        app.env.check_consistency()
        builder.prepare_writing({"index"})
        builder.write_documents({"index"})
        return self._built.page("index"), app.warning.getvalue()[said:]

    def close(self) -> None:
        self._app.cleanup()


@pytest.fixture(scope="module")
def build(tmp_path_factory: pytest.TempPathFactory) -> Iterator[OnePage]:
    """Builds a page from its Markdown: the parsed result, and the warnings."""
    source = tmp_path_factory.mktemp("page") / "source"
    source.mkdir()
    page = OnePage(Project(source))
    yield page
    page.close()
