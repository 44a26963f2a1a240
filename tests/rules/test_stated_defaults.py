"""The right default is named: that of the program that most readers start, read in verl's wheel."""

from __future__ import annotations

import pytest

from snippet_checker.pipeline import Options, check_text


@pytest.mark.parametrize(
    ("text", "right"),
    [
        # 30 in ppo_trainer.yaml of 0.9.1, 4 in sft_trainer_engine.yaml.
        ("The default of `trainer.total_epochs` is 7.", "30"),
        # 8 and 1; null nowhere.
        ("`trainer.n_gpus_per_node` (default: 5)", "8"),
        ("`actor_rollout_ref.rollout.max_num_seqs` (default: 1024)", "256"),
        ("`actor_rollout_ref.rollout.max_model_len` (default: 4096)", "null"),
        # 1e-6 in actor.yaml; 1e-3 in the files of optim/, which other programs take as they are.
        ("`actor_rollout_ref.actor.optim.lr` (default: 0.5)", "1e-06"),
        ("`trainer.total_epochs` (default: 30)", None),
        ("`trainer.total_epochs` (default: 4)", None),  # in supervised fine-tuning
    ],
)
def test_the_default_of_the_usual_program_comes_first(text: str, right: str | None) -> None:
    findings = check_text("page.md", f"{text}\n", Options("0.9.1")).findings
    assert [f.suggestion for f in findings if f.rule == "stale-default"] == (
        [right] if right else []
    )
