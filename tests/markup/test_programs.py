"""Names of other programs, and their releases, in running text."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from snippet_checker import suggest
from snippet_checker.markup import programs

_NO_PROGRAMS = {"right", "common", "verl", "OpenAI", "wandb"}  # the last two are services


def test_every_trainer_whose_names_are_known_is_in_the_list() -> None:
    file = Path(suggest.__path__[0]) / "other_trainers.toml"
    table = tomllib.loads(file.read_text(encoding="utf-8"))
    owners = {owner for meaning in table["meaning"] for owner in meaning} - _NO_PROGRAMS
    assert owners
    assert {owner for owner in owners if not re.fullmatch(programs.OTHERS, owner)} == set()


@pytest.mark.parametrize(
    ("text", "is_named"),
    [
        ("as vLLM does", True),
        ("vLLM的默认值", True),
        ("在SGLang中", True),
        ("Ray Train's", True),
        ("LMDeploy, Colossal-AI", True),
        ("a ray of light in a slim array", False),
        ("verl", False),
        ("`engine_kwargs.vLLM.x`", False),
        ("see transformers/models", False),
        ("HFX, XHF", False),
    ],
)
def test_names_stand_alone(text: str, is_named: bool) -> None:
    assert programs.is_named(text) is is_named


@pytest.mark.parametrize(
    ("text", "is_anothers"),
    [
        ("vllm==0.8.5", True),
        ("(vLLM v0.8.5", True),
        ("flash-attn 0.8.5", True),
        ("vLLM 升级到 0.8.5", True),
        ("vLLM in verl 0.8.5", False),
        ("verl 0.8.5", False),
        ("in 0.8.5", False),
        ("vLLM is one engine of several that there are, since 0.8.5", False),
    ],
)
def test_a_release_is_the_nearest_programs(text: str, is_anothers: bool) -> None:
    assert programs.is_release_of_another(text, text.index("0.8.5")) is is_anothers
