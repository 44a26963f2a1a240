"""The exported schema takes what a program composes, and refuses what it does not have."""

from __future__ import annotations

import copy
import json
from functools import cache
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from msgspec import UNSET

from snippet_checker import cli, statuses
from snippet_checker.reports.schema_export import json_schema, keys
from snippet_checker.verl.release import Primary, Release, load, releases

PROGRAMS = [
    pytest.param(
        load(name),
        primary,
        id=f"{name} {primary.config_name}",
        marks=[pytest.mark.slow] if name == "0.7.1" else [],
    )
    for name in ("0.4.1", "0.7.1", releases()[-1])
    for primary in dict.fromkeys(load(name).entry(e.module) for e in load(name).facts.entries)
    if primary is not None
]


def composed(release: Release, primary: Primary) -> dict[str, Any]:
    """What the program starts from, as plain data."""
    config = release.composed(primary)
    return {key: copy.deepcopy(config.value(key)) for key in config.dotted_keys() if "." not in key}


def check_schema(schema: dict[str, Any]) -> None:
    """Ask whether it is a schema: one mapping after the other, since most are alike."""
    inside = schema.get("properties", {})
    _check_mapping(json.dumps({**schema, "properties": {}}, sort_keys=True))
    for part in inside.values():
        check_schema(part)


@cache
def _check_mapping(schema: str) -> None:
    Draft202012Validator.check_schema(json.loads(schema))


@pytest.mark.parametrize(("release", "primary"), PROGRAMS)
def test_what_a_program_composes_is_valid(release: Release, primary: Primary) -> None:
    schema = json_schema(release, primary)
    check_schema(schema)
    errors = [
        f"{'.'.join(map(str, error.absolute_path))}: {error.message[:200]}"
        for error in Draft202012Validator(schema).iter_errors(composed(release, primary))
    ]
    assert errors == []


@pytest.mark.parametrize(
    ("config", "is_valid"),
    [
        ({"trainer": {"nnodes": 2}}, True),
        ({"trainer": {"nnodes": "${oc.env:N}"}}, True),
        ({"trainer": {"nnode": 2}}, False),
        ({"trainer": {"nnodes": "two"}}, False),
        ({"actor_rollout_ref": {"actor": {"use_dynamic_bsz": True}}}, True),
        ({"actor_rollout_ref": {"actor": {"use_dynamic_batchsize": True}}}, False),
        ({"actor_rollout_ref": {"rollout": {"engine_kwargs": {"vllm": {"any": 1}}}}}, True),
        ({"defaults": ["ppo_trainer", "_self_"]}, True),
    ],
)
def test_a_config_is_judged(config: dict[str, Any], is_valid: bool) -> None:
    release = load("0.9.1")
    primary = release.entry("verl.trainer.main_ppo")
    assert primary is not None
    assert Draft202012Validator(json_schema(release, primary)).is_valid(config) == is_valid


def test_every_key_is_listed_with_what_it_takes() -> None:
    release = load("0.9.1")
    primary = release.entry("verl.trainer.main_ppo")
    assert primary is not None
    listed = {one.key: one for one in keys(release, primary).keys}
    assert listed.keys() == release.space(primary).all_keys
    bsz = listed["actor_rollout_ref.actor.use_dynamic_bsz"]
    assert (bsz.default, bsz.takes, bsz.needs_plus) == (False, ["true or false"], False)
    assert bsz.words is UNSET


def test_the_command_prints_either(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["schema", "export", "--verl", "0.9.1"]) == statuses.CLEAN
    assert json.loads(capsys.readouterr().out)["verl"] == "0.9.1"
    arguments = ["--entry", "sft_trainer_engine", "--format", "json-schema"]
    assert cli.main(["schema", "export", *arguments]) == statuses.CLEAN
    assert "optim" in json.loads(capsys.readouterr().out)["properties"]
    assert cli.main(["schema", "export", "--entry", "nope"]) == statuses.USAGE
    assert "it has " in capsys.readouterr().err
