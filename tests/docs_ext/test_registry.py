"""Which page a key links to, however the pages were read: at once, side by side, one by one."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from tests.configured import VERL
from tests.docs_ext.conftest import Built, Project

# Actor, reference model and rollout are read in this order; all three name `actor_rollout_ref`.
MAPPING = "actor_rollout_ref"
MAPPINGS = {
    name: [f"{MAPPING}.{name}.*", f"{MAPPING}.{name}.profiler.*"]
    for name in ("actor", "ref", "rollout")
}


def keys(*mappings: str, program: str = "verl.trainer.main_ppo") -> str:
    return f"```{{verl:keys}} {program}\n" + "\n".join(mappings) + "\n```"


SHARED = {name: keys(*tables) for name, tables in MAPPINGS.items()}
ASYNCHRONOUS = "verl.experimental.fully_async_policy.fully_async_main"
PROGRAMS = {
    "sft": keys("trainer.*", program="verl.trainer.sft_trainer"),
    "two": keys("trainer.*") + "\n\n" + keys(program=ASYNCHRONOUS),
}
LINKS = f"{{verl:key}}`{MAPPING}` {{verl:key}}`data.train_files` {{verl:key}}`trainer.nnodes`"


@pytest.fixture(scope="module")
def all_pages(tmp_path_factory: pytest.TempPathFactory) -> Project:
    source = tmp_path_factory.mktemp("all") / "source"
    source.mkdir()
    project = Project(source)
    project.write(index=LINKS, data=keys("data.*"), **PROGRAMS, **SHARED)
    return project


@pytest.fixture(scope="module")
def built(all_pages: Project) -> Built:
    """All of them, read one by one."""
    return all_pages.build("one")


def test_ids_are_unique_on_a_page(built: Built) -> None:
    for page in built.html.glob("*.html"):
        ids = Counter(element["id"] for element in built.page(page.stem).select("[id]"))
        assert {name: count for name, count in ids.items() if count > 1} == {}, page.name


def test_a_mapping_that_is_listed_twice_on_a_page_is_reported(project: Project) -> None:
    project.write(index=keys("trainer.*") + "\n\n" + keys("trainer.*", "ray_kwargs"))
    warnings = project.build().warnings
    assert 'index.md:7: ERROR: Duplicate ID: "keys-verl.trainer.main_ppo-trainer"' in warnings


def test_a_generated_section_leaves_the_ids_of_the_page_alone(project: Project) -> None:
    project.write(index=f"## Added\n\n```{{verl:changes}} {VERL}\n```\n\n## Removed")
    built = project.build()
    ids = [section["id"] for section in built.page("index").select("section > section")]
    assert len(set(ids)) == len(ids) > 2
    assert "added" in ids
    assert "removed" in ids


def contents(folder: Path) -> dict[str, bytes]:
    files = (file for file in folder.rglob("*") if file.is_file())
    return {file.relative_to(folder).as_posix(): file.read_bytes() for file in files}


def test_pages_read_side_by_side_come_out_the_same(all_pages: Project, built: Built) -> None:
    one = contents(built.html)
    two = contents(all_pages.build("two", processes=2).html)
    assert "_static/verl-keys.js" in one
    assert [name for name in one if one[name] != two.get(name)] == []
    assert one.keys() == two.keys()


def link_of(project: Project, key: str) -> str:
    """Where a page that is written now links to for a key."""
    project.write(index=f"{{verl:key}}`{key}`")
    built = project.build()
    link = built.page("index").select_one("p > a.reference")
    assert link is not None
    page, _, anchor = str(link["href"]).partition("#")
    assert built.page(page.removesuffix(".html")).find(id=anchor) is not None
    return page


def test_a_mapping_of_several_pages_outlives_the_page_that_it_was_linked_to(
    project: Project,
) -> None:
    project.write(**SHARED)
    assert link_of(project, MAPPING) == "actor.html"
    project.write(actor="Nothing any more.")
    assert link_of(project, MAPPING) == "ref.html"
    (project.source / "ref.md").unlink()
    assert link_of(project, MAPPING) == "rollout.html"
    project.write(actor=keys(*MAPPINGS["actor"]))
    assert link_of(project, MAPPING) == "actor.html"


def test_the_page_of_the_most_familiar_program_counts(project: Project) -> None:
    project.write(**PROGRAMS)
    assert link_of(project, "trainer.total_epochs") == "two.html"
    (project.source / "two.md").unlink()
    assert link_of(project, "trainer.total_epochs") == "sft.html"
