"""Each operator with each kind of value on each kind of key, judged by Hydra itself."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest

from snippet_checker.pipeline import Options, check_text
from snippet_checker.verl.release import load
from tests.configured import VERL
from tests.hydra import hydra_tree

PROGRAM = "verl.trainer.main_eval"  # of a small config, so that Hydra answers soon
# A key of each kind with the value that it has; the last ones are brought in by the command itself.
KEYS = {
    "data.prompt_key": "prompt",
    "ray_kwargs.ray_init.num_cpus": "null",
    "ray_kwargs.ray_init": "{}",
    "data.nowhere": "1",
    "data.path.inside": "1",
    "data.list": "[a,b]",
    "data.missing": "'???'",
    "data.empty": "{}",
}
BROUGHT_IN = {"data.list": "+data.list=[a,b]", "data.missing": "+data.missing='???'"}
BROUGHT_IN |= {"data.empty": "+data.empty={}"}
OPERATORS = ("", "+", "++", "~")
VALUES = ("null", "2", "[a]")


@pytest.fixture(scope="module")
def hydra(tmp_path_factory: pytest.TempPathFactory) -> Iterator[hydra_tree.Judge]:
    release = load(VERL)
    primary = release.entry(PROGRAM)
    assert primary is not None
    folder: Path = hydra_tree.write(release, primary, tmp_path_factory.mktemp("config"))
    with hydra_tree.hydra_in(folder):
        yield hydra_tree.Judge(primary.config_name)


def test_hydra_takes_what_we_take(hydra: hydra_tree.Judge) -> None:
    """One command for each, so that none of them stands in another's way."""
    commands = [
        (*filter(None, [BROUGHT_IN.get(key)]), f"{operator}{key}={value}")
        for (key, own), operator in product(KEYS.items(), OPERATORS)
        for value in (own, *VALUES)
    ]
    commands += [(*filter(None, [BROUGHT_IN.get(key)]), f"~{key}") for key in KEYS]
    lines = "".join(f"python3 -m {PROGRAM} {shlex.join(command)}\n" for command in commands)
    stopped = {
        finding.span.line
        for finding in check_text("commands.sh", lines, Options(VERL)).findings
        if finding.stage == "hydra"
    }
    ours = {command: number not in stopped for number, command in enumerate(commands, start=1)}
    assert ours == {command: hydra.accepts(command) for command in commands}
    assert {*ours.values()} == {True, False}


@pytest.mark.parametrize(
    ("settings", "dead"),
    [
        ("+data.mine.enable=True", True),
        ("+trainer.mine.name=x", True),
        ("+reward.reward_kwargs.overlong_buffer_cfg.len=4096", False),  # which verl's code reads
        ("+reward.reward_kwargs.max_resp_len=1", False),
        ("+ray_kwargs.ray_init.runtime_env.env_vars.MINE=INFO", False),  # an open mapping
        ("+actor_rollout_ref.rollout.engine_kwargs.vllm.mine.name=1", False),
        ("+data.mine.enable=True data.custom_cls.path=mine.py", False),
    ],
)
def test_a_name_in_a_mapping_that_nobody_reads(settings: str, dead: bool) -> None:
    text = f"python3 -m verl.trainer.main_ppo {settings}\n"
    found = [one.rule for one in check_text("a.sh", text, Options("0.9.1")).findings]
    assert found == (["dead-append"] if dead else [])
