"""What is read out of verl's source."""

from __future__ import annotations

import ast

import pytest

from snippet_checker.snapshot_builder import code_names


@pytest.mark.parametrize(
    ("line", "handed_on"),
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
def test_what_code_hands_on_whole(line: str, handed_on: set[str]) -> None:
    module = ast.parse(f"def build(config):\n    {line}\n")
    assert code_names.spread([module]) == handed_on
