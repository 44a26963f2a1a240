"""What the pages and the key finder say about keys is what verl's wheels say, read by eye.

Other tests compare these pages with what our own code makes of the snapshots. Here the truth stands
in tables that no code made.
"""

from __future__ import annotations

import json
import shutil
import tomllib
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest
from bs4 import BeautifulSoup, Tag

from tests.configured import VERL
from tests.docs_ext.conftest import ROOT, Built, Project

FIRST = "verl.trainer.main_ppo"
Page = Callable[[str], BeautifulSoup]
NAMES = ("dropped", "moved")


def truth(name: str) -> dict[str, Any]:
    return tomllib.loads((ROOT / f"tests/docs_ext/truth/{name}.toml").read_text("utf-8"))


ROWS = truth("reference")["row"]
TABLES = [(page, found) for page, tables in truth("history").items() for found in tables]
FINDER = truth("finder")


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    """One project with everything that the tables of truth speak about."""
    source = tmp_path_factory.mktemp("facts") / "source"
    source.mkdir()
    project = Project(source)
    named = [*ROWS, *({"key": key} for key in FINDER["default"])]
    of_first = {row["key"].rpartition(".")[0] for row in named if "program" not in row}
    of_finder = {key for table in ("deprecated", "ineffective") for key in FINDER[table]}
    mappings = "\n".join(f"{mapping}.*" for mapping in sorted(of_first))
    others = "\n".join(sorted(key for key in of_finder if key.rpartition(".")[0] not in of_first))
    project.write(index="Text.", first=directive("keys", FIRST, f"{mappings}\n{others}"))
    project.write(
        **{row["program"].rpartition(".")[2]: of_program(row) for row in ROWS if "program" in row}
    )
    releases = {page for page, _ in TABLES if page not in NAMES}
    project.write(**{release: directive("changes", release) for release in releases})
    project.write(nothing=directive("changes", "0.2.0.post1"))
    project.write(**{name: directive("names", name) for name in NAMES})
    for page in (ROOT / "docs/guide").glob("*.md"):  # where descriptions lead to
        project.write(**{page.stem: f"({page.stem})=\n## Label"})
    for script in (ROOT / "docs").rglob("*.sh"):
        shutil.copy(script, source)
    return project.build()


@pytest.fixture(scope="module")
def page(built: Built) -> Page:
    """A page of it, read once."""
    return cache(built.page)


def directive(name: str, argument: str, content: str = "") -> str:
    return f"```{{verl:{name}}} {argument}\n{content}\n```"


def of_program(row: dict[str, str]) -> str:
    return directive("keys", row["program"], f"{row['key'].rpartition('.')[0]}.*")


def text_of(element: Tag) -> str:
    return " ".join(element.get_text().split())


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["key"])
def test_a_row_of_the_reference_says_what_the_wheel_says(page: Page, row: dict[str, Any]) -> None:
    found = page(row.get("program", "first").rpartition(".")[2]).find(id=f"key-{row['key']}")
    assert isinstance(found, Tag)
    key, values, default, since, notes = (text_of(cell) for cell in found.select("th, td"))
    assert key == row["key"].rpartition(".")[2]
    assert values == row.get("values", values)
    assert default == row.get("default", "")
    assert since == row.get("since", since)
    for sentence in (row.get("described", ""), *row.get("says", ())):
        assert sentence in notes
    assert ("Deprecated" in notes) == any("Deprecated" in said for said in row.get("says", ()))
    assert ("not-default" in (found.get("class") or ())) == row.get("special", False)
    *description, source = found.select(".config-links a")
    tag = f"https://github.com/verl-project/verl/blob/v{VERL}"
    assert (source.text, source["href"]) == (row["file"].rpartition("/")[2], f"{tag}/{row['file']}")
    assert [link["href"].partition(".html")[0] for link in description] == (
        [row["page"]] if "page" in row else []
    )


@pytest.mark.parametrize(
    ("name", "expected"),
    TABLES,
    ids=[f"{page}-{t.get('table', n)}" for n, (page, t) in enumerate(TABLES)],
)
def test_a_table_of_the_history_has_what_the_wheels_have(
    page: Page, name: str, expected: dict[str, Any]
) -> None:
    table = table_below(page(name), expected.get("table"))
    found = [[text_of(cell) for cell in row.select("th, td")] for row in table.select("tbody tr")]
    assert [row for row in expected["rows"] if row not in found] == []
    assert not expected.get("whole") or len(found) == len(expected["rows"])


def table_below(page: BeautifulSoup, title: str | None) -> Tag:
    """The table of the section with that title; without one, the only table."""
    if title is None:
        [table] = page.select("table")
        return table
    [section] = [
        s for s in page.select("section section") if (s.h2 or s).get_text().startswith(title)
    ]
    [table] = section.select("table")
    return table


def test_a_release_that_changed_no_configuration_says_so(built: Built) -> None:
    page = built.page("nothing")
    assert page.select("table") == []
    assert "Nothing that concerns a configuration." in page.get_text()


# -- What the key finder knows --------------------------------------------------------------------


@pytest.fixture(scope="module")
def known(built: Built) -> dict[str, Any]:
    text = (built.html / "_static/verl-keys.js").read_text("utf-8")
    found: dict[str, Any] = json.JSONDecoder().raw_decode(text.removeprefix("window.verlKeys = "))[
        0
    ]
    return found


def test_the_finder_knows_defaults(known: dict[str, Any]) -> None:
    found = {key: known["keys"][key][1] or "" for key in FINDER["default"]}
    assert found == FINDER["default"]
    assert {known["pages"][known["keys"][key][0]] for key in found} == {"first"}


@pytest.mark.parametrize("kind", ["deprecated", "ineffective"])
def test_the_finder_knows_what_became_useless(known: dict[str, Any], kind: str) -> None:
    assert {key: known[kind][key] or "" for key in FINDER[kind]} == FINDER[kind]
    assert not known[kind].keys() & FINDER["default"].keys()


def test_the_finder_knows_what_is_gone(known: dict[str, Any]) -> None:
    found = {key: [said or "" for said in known["gone"][key]] for key in FINDER["gone"]}
    assert found == FINDER["gone"]
    assert not known["gone"].keys() & FINDER["default"].keys()


def test_the_finder_knows_which_program_has_a_key(known: dict[str, Any]) -> None:
    programs = known["programs"]
    assert programs[0] == FIRST
    for key, program in FINDER["elsewhere"].items():
        assert programs[known["elsewhere"][key][0]] == program
    assert not known["elsewhere"].keys() & FINDER["default"].keys()


def test_the_finder_counts_the_scripts_that_set_a_key(known: dict[str, Any]) -> None:
    """A plain search for the text of the key has to count the same."""
    scripts = [path.read_text("utf-8") for path in (ROOT / "docs").rglob("*.sh")]
    for key in ("data.train_files", "trainer.nnodes", "actor_rollout_ref.rollout.max_num_seqs"):
        assert known["used"][key] == sum(f"{key}=" in script for script in scripts) > 1
