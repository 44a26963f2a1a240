"""Whole commands against real Hydra: accepted here if and only if Hydra accepts them.

`make accuracy` compares far more of them.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, seed, settings

from snippet_checker.verl.release import load, releases
from tests.hydra import hydra_tree
from tests.judge import generated
from tests.judge.differential import compare, programs


@pytest.mark.parametrize("release", ["0.1", "0.6.1", "0.9.1"])
def test_generated_commands_of_three_eras(release: str, tmp_path: Path) -> None:
    primary = load(release).primaries[0]
    assert compare(release, primary, tmp_path, number=1, count=8).disagreements == ()


@pytest.mark.slow
@pytest.mark.parametrize("release", releases())
def test_generated_commands_of_every_program(release: str, tmp_path: Path) -> None:
    for number, primary in enumerate(programs(load(release))):
        folder = tmp_path / str(number)
        assert compare(release, primary, folder, number=number, count=60).disagreements == ()


@pytest.mark.slow
@pytest.mark.parametrize("release", ["0.4.1", "0.9.1"])
def test_the_fast_way_to_ask_hydra_is_hydras(release: str, tmp_path: Path) -> None:
    primary = load(release).primaries[0]
    source = generated.program(load(release), primary)

    @seed(5)
    @settings(
        max_examples=40, database=None, deadline=None, suppress_health_check=list(HealthCheck)
    )
    @given(generated.commands(source))
    def agree(overrides: list[str]) -> None:
        whole = hydra_tree.composed(primary.config_name, overrides) is not None
        assert hydra.accepts(overrides) is whole

    with hydra_tree.hydra_in(hydra_tree.write(load(release), primary, tmp_path)):
        hydra = hydra_tree.Judge(primary.config_name)
        agree()
