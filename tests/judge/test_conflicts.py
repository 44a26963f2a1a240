"""Numbers that no machine counts up to are nothing to multiply and to write into a message."""

from __future__ import annotations

import pytest

from snippet_checker.pipeline import Options, check_text
from tests.configured import VERL

PROGRAM = "python3 -m verl.trainer.main_ppo"
_ZEROS = "0" * 4200
HUGE = {
    "a product": " ".join(
        [
            "trainer.v1.trainer_mode=separate_async",
            f"data.train_batch_size=1{_ZEROS}",
            f"trainer.v1.separate_async.parameter_sync_step=1{_ZEROS}",
            f"actor_rollout_ref.actor.ppo_mini_batch_size=1{_ZEROS}",
        ]
    ),
    "the number of GPUs": f"trainer.nnodes=3{_ZEROS} trainer.n_gpus_per_node=7{_ZEROS}"
    f" actor_rollout_ref.rollout.tensor_model_parallel_size=2{_ZEROS}",
}


@pytest.mark.parametrize("settings", HUGE.values(), ids=HUGE.keys())
def test_numbers_whose_product_is_too_long_to_be_written(settings: str) -> None:
    result = check_text("a.sh", f"{PROGRAM} {settings} trainer.nnode=1\n", Options(VERL))
    assert [finding.key for finding in result.findings] == ["trainer.nnode"]


WHOLE = (
    "data.train_files=x actor_rollout_ref.model.path=x actor_rollout_ref.actor.use_dynamic_bsz=True"
)


@pytest.mark.parametrize(
    ("settings", "found"),
    [
        ("trainer.nnode=1", ["actor_rollout_ref.rollout.name", "trainer.nnode"]),
        ("+trainer.nnodes=1", ["actor_rollout_ref.rollout.name", "trainer.nnodes"]),
        ("actor_rollout_ref.rollout.nam=vllm", ["actor_rollout_ref.rollout.nam"]),  # it is meant
        ("actor_rollout_ref.rollout.name=vllm trainer.nnode=1", ["trainer.nnode"]),
        # What depends on others is not looked at, since those may be what Hydra refuses.
        (
            "reward.reward_model.enable=True trainer.nnode=1",
            ["actor_rollout_ref.rollout.name", "trainer.nnode"],
        ),
        ("model_engine=banana", ["model_engine"]),
    ],
)
def test_what_is_missing_anyhow_is_told_beside_what_hydra_refuses(
    settings: str, found: list[str]
) -> None:
    text = f"{PROGRAM} {WHOLE} algorithm.adv_estimator=grpo {settings}\n"
    assert [one.key for one in check_text("a.sh", text, Options(VERL)).findings] == found


BATCHES = (
    "data.train_batch_size=8 actor_rollout_ref.rollout.n=5 trainer.n_gpus_per_node=8"
    " actor_rollout_ref.actor.ppo_mini_batch_size=2 actor_rollout_ref.rollout.name=vllm"
)


@pytest.mark.parametrize(
    ("beside", "is_told"),
    [
        ("", True),
        # What is gone is meant for something else than what is refused.
        ("reward_model.micro_batch_size_per_gpu=8", True),
        ("critic.model.fsdp_config.param_offload=True", True),
        ("trainer.nnode=2", False),  # it may be meant for a key that counts
        ("critic.model.fsdp_config.param_offload=True trainer.nnode=2", False),
    ],
)
def test_what_verl_refuses_together_is_told_beside_what_is_gone(beside: str, is_told: bool) -> None:
    text = f"{PROGRAM} {WHOLE} algorithm.adv_estimator=grpo {BATCHES} {beside}\n"
    found = check_text("a.sh", text, Options("0.9.1")).findings
    assert ("conflicting-settings" in {one.rule for one in found}) == is_told


def test_numbers_that_a_machine_counts_up_to() -> None:
    text = f"{PROGRAM} data.train_batch_size=8 actor_rollout_ref.actor.ppo_mini_batch_size={2**62}"
    (finding,) = check_text("a.sh", text, Options(VERL)).findings
    assert finding.rule == "conflicting-settings"
    assert str(2**62) in finding.message
