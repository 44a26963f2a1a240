"""What is read out of verl's source."""

from __future__ import annotations

import ast

import pytest

from snippet_checker.snapshot_builder import code_names


@pytest.mark.parametrize(
    ("line", "forwarded"),
    [
        ("Actor(**config.model.override)", {"model.override"}),
        ("Actor(**self.config.model.get('override', {}))", {"model.override"}),
        ("kwargs = OmegaConf.to_container(config.model.override)", {"model.override"}),
        ("kwargs = dict(config.model.get('override', {}))", {"model.override"}),
        ("fn = config.reward.get('fn') or {}\n    kwargs = dict(fn.get('args', {}))", {"fn.args"}),
        ("kwargs = asdict(config.model.override)", set()),
        ("kwargs = config.model.override", set()),
    ],
)
def test_what_code_passes_on_whole(line: str, forwarded: set[str]) -> None:
    module = ast.parse(f"def build(config):\n    {line}\n")
    assert code_names.spread([module]) == forwarded


@pytest.mark.parametrize(
    ("line", "given"),
    [
        ("from fast import build\nbuild(self.config.fast)", {"fast"}),
        ("from fast.core import build as make\nmake(1, options=config.get('fast'))", {"fast"}),
        ("import fast.core\nfast.core.build(config.fast)", {"fast"}),
        ("import fast as f\nf.build(config.fast, config.size)", {"fast", "size"}),
        ("from fast import build\nbuild(config)", set()),
        ("from .fast import build\nbuild(config.fast)", set()),
        ("from verl.fast import build\nbuild(config.fast)", set()),
        ("from copy import deepcopy\ndeepcopy(config.fast)", set()),
        ("from omegaconf import OmegaConf\nOmegaConf.create(config.fast)", set()),
        ("from fast import build\nlen(config.fast)\nbuild()", set()),
    ],
)
def test_what_code_gives_to_other_packages(line: str, given: set[str]) -> None:
    assert code_names.given_away([ast.parse(line)]) == given
