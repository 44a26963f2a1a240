"""Wherever somebody points or types, in whatever text, there is an answer."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from snippet_checker.lsp.analysis import analyse
from snippet_checker.lsp.completion import complete
from snippet_checker.lsp.documents import Document
from snippet_checker.lsp.hover import hover
from snippet_checker.lsp.projects import Setup
from snippet_checker.pipeline import Options
from tests import hostile
from tests.configured import VERL
from tests.parts import every_nth_fast

CASES = sorted((Path(__file__).parents[1] / "cases").iterdir())
PLACES = 12  # of a text
ENDS = {"md": hostile.MARKDOWN, "rst": hostile.REST, "yaml": hostile.YAML, "py": hostile.PROGRAMS}
BOMBS = {
    "deep.yaml": "a: " + "[" * 5_000,
    "wide.sh": f"{hostile.PROGRAM} {'x' * 100_000}!",
    "blanks.sh": f"{hostile.PROGRAM} \\\n{' ' * 100_000}",
    "dashes.yaml": "trainer:\n" + "  - " * 20_000 + "\n  nn",
    "indented.yaml": "\n".join(" " * n + f"a{n}:" for n in range(1_500)),
    "ticks.md": "`" * 50_000 + "trainer.nn",
    "commands.sh": f"{hostile.PROGRAM} \\\n" * 300,
}


def ask_around(name: str, text: str) -> None:
    """Point and type at the end of a text and at some other places, the same in each run."""
    document = Document(f"file:///{name}", "", 1, text)
    analysis = analyse(f"/{name}", text, Setup(Options(VERL)))
    chosen = random.Random(name)
    for offset in [len(text), *(chosen.randint(0, len(text)) for _ in range(PLACES))]:
        place = document.position(offset)
        hover(document, analysis, place)
        for item in complete(document, analysis, place).items:
            assert item.text_edit is not None
            assert item.text_edit.range.end == place


@pytest.mark.parametrize("file", every_nth_fast(2, CASES), ids=lambda file: file.name)
def test_in_ordinary_texts(file: Path) -> None:
    ask_around(file.name, file.read_text("utf-8"))


@pytest.mark.parametrize("suffix", ENDS)
def test_in_hostile_texts(suffix: str) -> None:
    for number, text in enumerate(ENDS[suffix]):
        ask_around(f"{number}.{suffix}", text)


@pytest.mark.parametrize("name", every_nth_fast(2, BOMBS))
def test_in_texts_that_were_built_to_take_for_ever(name: str) -> None:
    ask_around(name, BOMBS[name])
