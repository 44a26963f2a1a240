"""The data of the key finder is made when pages are read, and at no other time."""

from __future__ import annotations

import shutil
from typing import Any

import pytest

from tests.docs_ext.conftest import Project
from verl_docs import finder
from verl_docs.domain import VerlDomain

TABLE = "```{verl:keys} verl.trainer.main_ppo\ntrainer.*\n```"


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many pages each data that is made names, one after the other."""
    numbers: list[int] = []
    data = finder.data

    def note(domain: VerlDomain) -> dict[str, Any]:
        found = data(domain)
        numbers.append(len(found["pages"]))
        return found

    monkeypatch.setattr(finder, "data", note)
    return numbers


def test_an_unchanged_build_does_not_make_the_data_again(project: Project, made: list[int]) -> None:
    project.write(index=TABLE)
    project.build()
    project.build()
    project.write(index=f"{TABLE}\n\nMore text.")
    project.build()
    assert made == [1]
    project.write(other=TABLE.replace("trainer.*", "data.*"))
    project.build()
    assert made == [1, 2]


def test_a_changed_script_makes_the_data_again(project: Project, made: list[int]) -> None:
    script = project.source / "train.sh"
    script.write_text("python3 -m verl.trainer.main_ppo\n", "utf-8")
    project.write(index=TABLE)
    project.build()
    script.write_text("python3 -m verl.trainer.main_ppo trainer.nnodes=2\n", "utf-8")
    project.build()
    assert made == [1, 1]


def test_a_new_output_folder_gets_its_data(project: Project, made: list[int]) -> None:
    project.write(index=TABLE)
    html = project.build().html
    shutil.rmtree(html)
    project.build()
    assert made == [1, 1]
    assert (html / "_static" / finder.DATA).exists()


def test_the_data_says_what_is_special_about_keys(project: Project) -> None:
    project.write(index=TABLE, data=TABLE.replace("trainer.*", "data.*"))
    project.write(sft=TABLE.replace("main_ppo", "sft_trainer").replace("trainer.*", "optim.*"))
    found = (project.build().html / "_static" / finder.DATA).read_text("utf-8")
    assert '"optim.lr":[1]' in found  # only the second program has it
    assert '"data.val_batch_size":null' in found  # deprecated, and nothing to set instead
