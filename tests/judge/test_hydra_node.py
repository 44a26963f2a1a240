"""Hydra's own settings against real Hydra, and that judging them asks and imports nothing."""

from __future__ import annotations

import pytest
from hypothesis import given

from snippet_checker.hydra import facts as hydra_facts
from snippet_checker.pipeline import Options, check_text
from snippet_checker.snapshot_builder import hydra_config
from tests.configured import VERL
from tests.generating import examples
from tests.judge import hydra_node_commands as generated


def compare(number: int, count: int) -> tuple[int, int, list[str]]:
    """Of `count` commands: how many were compared, how many left open, and the disagreements."""
    judge, wrong, compared, left_open = generated.loader(), [], 0, 0

    @examples(count, number)
    @given(generated.commands())
    def agree(overrides: list[str]) -> None:
        nonlocal compared, left_open
        ours = generated.accepted_here(overrides)
        if ours is None:
            left_open += 1
            return
        compared += 1
        theirs = generated.accepted_by_hydra(judge, overrides)
        if ours is not theirs:
            wrong.append(f"Hydra {'accepts' if theirs else 'refuses'} {overrides}")

    agree()
    return compared, left_open, wrong


def test_generated_overrides_are_judged_as_hydra_judges_them() -> None:
    compared, left_open, wrong = compare(number=1, count=15)
    assert wrong == []
    assert compared > 3 * left_open


@pytest.mark.long
@pytest.mark.slow
def test_many_generated_overrides_are_judged_as_hydra_judges_them() -> None:
    compared, left_open, wrong = compare(number=2, count=1500)
    assert wrong == []
    assert compared > 3 * left_open


def test_the_facts_are_made_anew_byte_for_byte() -> None:
    made = hydra_facts.dump(hydra_config.build())
    assert made == hydra_facts.FILE.read_text(encoding="utf-8")
    assert hydra_facts.parse(made) == hydra_config.build()


@pytest.mark.parametrize(
    ("overrides", "found"),
    [
        ("hydra.run.dir=x", []),
        ("hydra.run.directory=x", ["unknown-key"]),
        ("hydra.run.directory=$OUT", ["unknown-key"]),
        ("hydra.run.dir=$OUT", []),
        ("hydra/launcher=joblib hydra.launcher.n_jobs=2", []),
        ("hydra/launcher=joblib hydra.run.directory=x", ["unknown-key"]),
        ("hydra.launcher.n_jobs=2", ["unknown-key"]),
        ("hydra.job.num=one", ["refused-override"]),
        ("+hydra.run.dir=x", ["needless-plus"]),
        ("hydra.searchpath=x", ["refused-override"]),
        ("'hydra.searchpath=[s3://bucket/conf]'", []),
        ("hydra.job.env_copy=[NOBODY_HAS_THIS]", []),
        ("hydra.job.env_copy=PATH", ["refused-override"]),
        ("hydra/job_logging=none hydra.job_logging.handlers.console.stream=x", ["unknown-key"]),
        ("hydra/job_logging=default hydra.job_logging.handlers.console.stream=x", []),
    ],
)
def test_overrides_are_judged_together(overrides: str, found: list[str]) -> None:
    script = f"python3 -m verl.trainer.main_ppo {overrides}\n"
    findings = check_text("case.sh", script, Options(VERL)).findings
    assert [finding.rule for finding in findings] == found
