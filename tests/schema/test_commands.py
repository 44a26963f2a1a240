"""Whole commands against real Hydra: accepted here if and only if Hydra accepts them.

`make accuracy` compares far more of them, for every program of every release.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings

from snippet_checker.documents import read_text
from snippet_checker.languages import read
from snippet_checker.schema.judge import judge
from snippet_checker.schema.release import Primary, Release, load, releases
from snippet_checker.schema.tree import Status
from tests.schema import generated, hydra_tree

_CHECKS = list(HealthCheck)


def accepted_here(release: Release, module: str, name: str, overrides: Sequence[str]) -> bool:
    quoted = " ".join("'" + override.replace("'", "'\\''") + "'" for override in overrides)
    script = f"python3 -m {module} --config-name={name} {quoted}\n"
    (block,) = read_text("case.sh", script)
    (snippet,) = read(block)
    verdicts = judge(snippet, release).verdicts
    return not snippet.faults and all(verdict.status is Status.ACCEPTED for verdict in verdicts)


def disagreements(name: str, primary: Primary, folder: Path, number: int, count: int) -> list[str]:
    """The commands on which Hydra and we differ, of `count` that are generated from a seed."""
    release = load(name)
    modules = (e.module for e in release.facts.entries if e.config_dir == primary.config_dir)
    module = next(module for module in modules if module.startswith("verl."))
    source = generated.program(release, primary)
    wrong: list[str] = []

    @seed(number)
    @settings(
        max_examples=count,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=_CHECKS,
    )
    @given(generated.commands(source))
    def compare(overrides: list[str]) -> None:
        theirs = hydra.accepts(overrides)
        if accepted_here(release, module, primary.config_name, overrides) is not theirs:
            wrong.append(f"Hydra {'accepts' if theirs else 'refuses'} {overrides}")

    with hydra_tree.hydra_in(hydra_tree.write(release, primary, folder)):
        hydra = hydra_tree.Judge(primary.config_name)
        compare()
    return wrong


@pytest.mark.parametrize("release", ["0.1", "0.6.1", "0.9.1"])
def test_generated_commands_of_three_eras(release: str, tmp_path: Path) -> None:
    primary = load(release).primaries[0]
    assert disagreements(release, primary, tmp_path, number=1, count=20) == []


@pytest.mark.slow
@pytest.mark.parametrize("release", releases())
def test_generated_commands_of_every_program(release: str, tmp_path: Path) -> None:
    for number, primary in enumerate(load(release).primaries):
        folder = tmp_path / str(number)
        assert disagreements(release, primary, folder, number=number, count=60) == []


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
    def compare(overrides: list[str]) -> None:
        whole = hydra_tree.composed(primary.config_name, overrides) is not None
        assert hydra.accepts(overrides) is whole

    with hydra_tree.hydra_in(hydra_tree.write(load(release), primary, tmp_path)):
        hydra = hydra_tree.Judge(primary.config_name)
        compare()
