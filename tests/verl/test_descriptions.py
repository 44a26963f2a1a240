"""What is said of keys: of keys that are there, and of the release that the guide is about."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest

from snippet_checker import cli, statuses
from snippet_checker.verl import descriptions
from snippet_checker.verl.release import load, newest
from tests.configured import VERL

ROOT = Path(__file__).parents[2]
KEY = "actor_rollout_ref.rollout.max_num_seqs"


def test_the_guide_is_about_the_newest_release() -> None:
    assert newest() == VERL  # else these texts are about another release than they are shown for


def test_every_description_of_the_guide_is_known() -> None:
    written = {
        key: text
        for file in ROOT.joinpath("docs/guide/keys").glob("*.toml")
        for key, text in tomllib.loads(file.read_text("utf-8")).items()
    }
    assert len(written) > 400
    assert {key: descriptions.of_key(key, VERL) for key in written} == written
    known = {key for space in load(VERL).spaces for key in space.all_keys}
    assert written.keys() - known == set()


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
