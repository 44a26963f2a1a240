"""A whole config of a project's own says which verl the project is for."""

from __future__ import annotations

from functools import cache

import pytest
import yaml

from snippet_checker.projects.files import GivenFiles
from snippet_checker.projects.project import Project
from snippet_checker.verl.release import load

MAIN = """\
import hydra
from verl.trainer.ppo.ray_trainer import RayPPOTrainer

@hydra.main(config_path="config", config_name="ppo_trainer", version_base=None)
def main(config): ...
"""
PLACE, PROGRAM = "/p/agent/config/ppo_trainer.yaml", "/p/agent/main.py"


@cache
def _text(release: str) -> str:
    """The whole config of a release, with keys of the project's own."""
    known = load(release)
    primary = known.entry("verl.trainer.main_ppo")
    assert primary is not None
    composed = known.composed(primary)
    values = ((key, composed.value(key)) for key in composed.dotted_keys())
    body: dict[str, object] = {}
    for key, value in (*values, ("data.max_obs_length", 8), ("env.name", "a")):
        if not isinstance(value, dict):
            _put(body, key.split("."), value)
    return yaml.safe_dump(body)


def _put(body: dict[str, object], parts: list[str], value: object) -> None:
    for part in parts[:-1]:
        inner = body.setdefault(part, {})
        assert isinstance(inner, dict)
        body = inner
    body[parts[-1]] = value


def _release(files: dict[str, str]) -> str | None:
    given = GivenFiles({"/p/.git/HEAD": "", **files})
    return Project("/p/scripts/train.sh", given).release


@pytest.mark.parametrize("release", ["0.2.0.post2", "0.3.0.post1", "0.4.1", "0.7.1"])
def test_the_release_that_it_is_written_out_for(release: str) -> None:
    assert _release({PLACE: _text(release), PROGRAM: MAIN}) == release


@pytest.mark.parametrize(
    ("files", "release"),
    [
        ({PLACE: _text("0.4.1")}, None),  # nothing starts from it
        ({PLACE: _text("0.4.1"), PROGRAM: MAIN.replace("verl", "mine")}, None),
        ({PLACE: _text("0.4.1").replace("algorithm:", "algo:"), PROGRAM: MAIN}, None),
        # What verl's config is composed into is not whole.
        ({PLACE: f"defaults: [verl_trainer]\n{_text('0.4.1')}", PROGRAM: MAIN}, None),
        ({PLACE: "broken: [\n", PROGRAM: MAIN}, None),
        # The newest release needs no word.
        ({PLACE: _text("0.9.1"), PROGRAM: MAIN}, None),
        # Another trainer has sections of the same names.
        (
            {
                PLACE: "actor_rollout_ref: {a: 1, b: 2, c: 3}\nalgorithm: {gamma: 1}\n"
                "data: {d: 1}\ntrainer: {nnodes: 1}\n",
                PROGRAM: MAIN,
            },
            None,
        ),
        # What the project asks for, and its copy of verl, say it themselves.
        (
            {PLACE: _text("0.4.1"), PROGRAM: MAIN, "/p/requirements.txt": "verl==0.5.0\n"},
            "0.5.0",
        ),
        (
            {
                PLACE: _text("0.4.1"),
                PROGRAM: MAIN,
                "/p/verl/__init__.py": "",
                "/p/verl/protocol.py": "",
                "/p/verl/version/version": "0.6.1",
            },
            "0.6.1",
        ),
    ],
)
def test_what_says_nothing_of_a_release(files: dict[str, str], release: str | None) -> None:
    assert _release(files) == release


def test_verl_from_git_is_known_by_it() -> None:
    modules = {"/p/.gitmodules": "[submodule 'verl']\n\turl = https://github.com/volcengine/verl\n"}
    given = GivenFiles({"/p/.git/HEAD": "", **modules, PLACE: _text("0.4.1"), PROGRAM: MAIN})
    project = Project("/p/README.md", given)
    assert (project.release, project.from_git) == ("0.4.1", None)
    assert Project("/p/README.md", GivenFiles({"/p/.git/HEAD": "", **modules})).from_git is not None
