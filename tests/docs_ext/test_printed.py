"""What e-books, PDFs and plain text show where a page for a browser has a form or a drawing."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from sphinx.testing.util import SphinxTestApp

from tests.docs_ext.conftest import CONF, ROOT
from verl_docs import diagrams
from verl_docs.calculators import CALCULATORS

BUILDERS = {"epub": "page.xhtml", "latex": "guide.tex", "text": "page.txt", "man": "guide.1"}
PARTS = [
    *(f"```{{verl:diagram}} {name.replace('_', '-')}\n```" for name in diagrams.names()),
    *(f"```{{verl:calculator}} {name}\n```" for name in CALCULATORS),
    "```{verl:finder}\n```",
    "```{verl:keys} verl.trainer.main_ppo\nactor_rollout_ref.rollout\n```",
    "```bash\npython3 -m verl.trainer.main_ppo trainer.nnodes=2\n```",
]
SETTINGS = """
html_baseurl = "https://guide.invalid/en/"
epub_copyright = version = "1"
latex_documents = [("index", "guide.tex", "Guide", "Nobody", "manual")]
man_pages = [("index", "guide", "Guide", "Nobody", 1)]
"""


def build(folder: Path, builder: str) -> str:
    """The page with everything on it, as a builder writes it."""
    (folder / "conf.py").write_text(CONF + SETTINGS, "utf-8")
    (folder / "index.md").write_text(
        "# Start\n\n```{toctree}\npage\n```\n\n(checker)=\n## A\n", "utf-8"
    )
    # The folders `guide` and `docs` are where the real pages are.
    (folder / "page.md").write_text("# Page\n\n" + "\n\n".join(PARTS) + "\n", "utf-8")
    app = SphinxTestApp(builder, srcdir=folder)
    app.build()
    app.cleanup()
    ignored = ("undefined label", "reference target not found", "toctree")
    warnings = app.warning.getvalue().splitlines()
    assert [line for line in warnings if not any(word in line for word in ignored)] == []
    return Path(app.outdir, BUILDERS[builder]).read_text("utf-8")


@dataclass(frozen=True, slots=True)
class Printed:
    """What a builder left, and what it wrote of the page."""

    folder: Path
    page: str


Printer = Callable[[str], Printed]


@pytest.fixture(scope="module")
def printed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Printer]:
    """What each builder makes of the page, made once."""
    tools = tmp_path_factory.mktemp("bin")
    # A stand-in for rsvg-convert, which not every machine has.
    program = tools / "rsvg-convert"
    program.write_text('#!/bin/sh\necho "$@" > "$3"\n')
    program.chmod(0o755)

    @cache
    def made(builder: str) -> Printed:
        folder = tmp_path_factory.mktemp(builder)
        return Printed(folder, build(folder, builder))

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PATH", str(tools), prepend=":")
        yield made


@pytest.mark.parametrize("builder", BUILDERS)
def test_nothing_is_left_for_a_browser(printed: Printer, builder: str) -> None:
    written = printed(builder).page
    for mark in ("<form", "<noscript", "<script", "<svg", "<input", "placeholder="):
        assert mark not in written
    plain = " ".join(re.sub(r"\\sphinxhyphen\{}|\\-", "-", written.replace(r"\:", "")).split())
    for said in ("Key-value heads", "https://guide.invalid/en/page.html", "Checked against verl"):
        assert said in plain


@pytest.mark.parametrize(("builder", "folder"), [("epub", "_images"), ("latex", "")])
def test_drawings_are_images(printed: Printer, builder: str, folder: str) -> None:
    built = printed(builder).folder
    kind = "svg" if builder == "epub" else "pdf"
    for name in diagrams.names():
        assert (built / "_build" / builder / folder / f"{name}.{kind}").is_file()


def test_links_to_keys_lead_somewhere_in_latex(printed: Printer) -> None:
    written = printed("latex").page
    target = r"page:key-actor_rollout_ref.rollout.n}"
    assert rf"\label{{\detokenize{{{target}}}" in written
    linked = set(re.findall(r"\\hyperref\[(\\detokenize{page:key-[^}]*})\]", written))
    labelled = set(re.findall(r"\\label{(\\detokenize{page:key-[^}]*})}", written))
    assert linked
    assert linked <= labelled


def test_plain_text_has_the_alternative_of_a_drawing(printed: Printer) -> None:
    written = " ".join(printed("text").page.split())
    for name in diagrams.names():
        assert diagrams.load(name).ALT in written


@pytest.mark.parametrize("name", diagrams.names())
def test_a_drawing_has_its_colours_and_its_language(name: str) -> None:
    drawing = diagrams.load(name)
    root = ET.fromstring(diagrams.with_colours(drawing.draw(drawing.ALT, drawing.LABELS), "ja"))
    assert root.get("{http://www.w3.org/XML/1998/namespace}lang") == "ja"
    style = str(root.findtext("{http://www.w3.org/2000/svg}style"))
    used = {word for element in root.iter() for word in element.get("class", "").split()}
    on_pages = (ROOT / "docs/_static/site.css").read_text("utf-8")
    styled = {word for word in used - {"diagram"} if re.search(rf"\.{word}\b(?!-)", on_pages)}
    assert len(styled) > 2
    assert not {word for word in styled if not re.search(rf"\.{word}\b(?!-)", style)}
