"""What is said of keys: of keys that are there, and of the release that the guide is about."""

from __future__ import annotations

import fnmatch
import json
import re
import tomllib
from pathlib import Path

import pytest

from snippet_checker import cli, statuses
from snippet_checker.verl import descriptions
from snippet_checker.verl.release import load, newest
from tests.configured import VERL

ROOT = Path(__file__).parents[2]
KEY = "actor_rollout_ref.rollout.max_num_seqs"
TWIN = "critic.optim.betas"
OF = "actor_rollout_ref.actor.optim.betas"
# What a description may not say if it is shown for several roles and programs.
ROLES = re.compile(r"\b(actor's|the actor|critic|reference model|SFT|teacher|reward model)\b")


WRITTEN = {
    key: text
    for file in ROOT.joinpath("docs/guide/keys").glob("*.toml")
    for key, text in tomllib.loads(file.read_text("utf-8")).items()
}


def test_the_guide_is_about_the_newest_release() -> None:
    assert newest() == VERL  # else these texts are about another release than they are shown for


def test_every_description_of_the_guide_is_known() -> None:
    assert len(WRITTEN) > 800
    assert {key: descriptions.of_key(key, VERL) for key in WRITTEN} == WRITTEN
    known = {key for space in load(VERL).spaces for key in space.all_keys}
    assert WRITTEN.keys() - known == set()


def test_nothing_is_said_of_other_releases_and_keys() -> None:
    assert descriptions.of_key(KEY, "0.8.0") is None
    assert descriptions.of_key("trainer.nope", VERL) is None


def test_people_and_programs_are_told(capsys: pytest.CaptureFixture[str]) -> None:
    said = descriptions.of_key(KEY, VERL)
    assert said is not None
    assert cli.main(["schema", "show", KEY]) == statuses.CLEAN
    assert capsys.readouterr().out.split("\n")[1] == f"  {said}"
    assert cli.main(["schema", "export"]) == statuses.CLEAN
    listed = {one["key"]: one for one in json.loads(capsys.readouterr().out)["keys"]}
    assert listed[KEY]["description"] == said
    assert cli.main(["schema", "export", "--format", "json-schema"]) == statuses.CLEAN
    schema = json.loads(capsys.readouterr().out)
    for part in KEY.split("."):
        schema = schema["properties"][part]
    assert schema["description"] == said
    assert cli.main(["schema", "export", "--verl", "0.8.0"]) == statuses.CLEAN
    assert "description" not in capsys.readouterr().out


def test_a_key_has_the_description_of_its_twin() -> None:
    assert descriptions.describing(TWIN, [OF]) == OF
    assert descriptions.describing(TWIN, [OF, TWIN]) == TWIN  # its own one wins
    assert descriptions.describing(TWIN, []) is None
    assert descriptions.describing("critic.betas", [OF]) is None
    assert descriptions.of_key(TWIN, VERL) == descriptions.of_key(OF, VERL) is not None


@pytest.mark.parametrize("entry", descriptions.twins(), ids=lambda entry: f"line-{entry.line}")
def test_twins_are_one_setting_in_several_places(entry: descriptions.Twins) -> None:
    release = load(VERL)
    assert entry.file in release.facts.files
    shared = {
        key: twin
        for space in release.spaces
        for key in space.all_keys
        if (twin := entry.twin(key)) is not None and _is_shown_for(key, twin)
    }
    names = {twin.removeprefix(f"{entry.of}.") for twin in shared.values()}
    assert all(any(key.startswith(f"{there}.") for key in shared) for there in entry.also)
    assert all(fnmatch.filter(names, pattern) for pattern in entry.keys)
    for key, twin in shared.items():
        said = descriptions.of_key(twin, VERL)
        assert said is not None
        assert not ROLES.search(said), f"{key} is shown what is said of {twin}: {said}"
        classes = _classes(twin)
        assert not classes or classes & _classes(key) or _follows(key, twin), key


def _is_shown_for(key: str, twin: str) -> bool:
    return descriptions.describing(key, WRITTEN) == twin


def _classes(key: str) -> set[str]:
    """The dataclasses that declare a key, in any program."""
    return {name for space in load(VERL).spaces for name in space.declaring(key)}


def _follows(key: str, twin: str) -> bool:
    """Whether the default of a key refers to its twin."""
    defaults = (default for space in load(VERL).spaces for default in space.defaults(key))
    return any(re.search(rf"\b{re.escape(twin)}\b", str(default)) for default in defaults)
