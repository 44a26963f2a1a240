"""Numbers that no machine counts up to are nothing to multiply and to write into a message."""

from __future__ import annotations

from pathlib import Path

import pytest

from snippet_checker.judge import conflicts
from snippet_checker.judge.conflicts import declared
from snippet_checker.pipeline import Options, check_text
from snippet_checker.verl.release import load, releases
from snippet_checker.verl.tables import TableError
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
        (  # without the plus it is what it says, so that what depends on others holds, too
            "+trainer.nnodes=1",
            ["actor_rollout_ref.rollout.name", "algorithm.adv_estimator", "trainer.nnodes"],
        ),
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
        # So is the name of another place or program, and what only has a plus too much.
        ("trainer.seed=1", True),
        ("actor_rollout_ref.actor.lr=1e-6", True),
        ("+trainer.val_only=False", True),
        ("data.ppo_mini_batch_size=8", False),  # set in its place, there is nothing to say
        ("model_engine=banana", False),
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


ASYNCHRONOUS = (
    "python3 -m verl.experimental.fully_async_policy.fully_async_main data.train_files=x"
    " actor_rollout_ref.model.path=x actor_rollout_ref.rollout.name=vllm"
    " algorithm.adv_estimator=grpo"
)


@pytest.mark.parametrize(
    ("settings", "found"),
    [
        ("", ["actor_rollout_ref.hybrid_engine", "data.train_batch_size"]),
        ("data.train_batch_size=64", ["actor_rollout_ref.hybrid_engine", "data.train_batch_size"]),
        (
            "data.train_batch_size=0 actor_rollout_ref.hybrid_engine=False data.gen_batch_size=8",
            ["data.gen_batch_size"],
        ),
        (
            "data.train_batch_size=0 actor_rollout_ref.hybrid_engine=False"
            " actor_rollout_ref.rollout.calculate_log_probs=False",
            ["actor_rollout_ref.rollout.calculate_log_probs"],
        ),
        (
            "data.train_batch_size=0 actor_rollout_ref.hybrid_engine=False"
            " async_training.staleness_threshold=-1 async_training.trigger_parameter_sync_step=0",
            ["async_training.staleness_threshold", "async_training.trigger_parameter_sync_step"],
        ),
        (
            "data.train_batch_size=0 actor_rollout_ref.hybrid_engine=False"
            " async_training.staleness_threshold=0 async_training.trigger_parameter_sync_step=1",
            [],
        ),
    ],
)
def test_the_fully_asynchronous_trainer(settings: str, found: list[str]) -> None:
    result = check_text("a.sh", f"{ASYNCHRONOUS} {settings}\n", Options("0.8.0"))
    assert sorted(str(one.key) for one in result.findings) == found


@pytest.mark.parametrize(
    ("settings", "found"),
    [
        (
            "data.train_batch_size=16 actor_rollout_ref.hybrid_engine=False",
            ["actor_rollout_ref.actor.ppo_mini_batch_size"],
        ),
        ("data.train_batch_size=32", ["actor_rollout_ref.hybrid_engine"]),
        ("data.train_batch_size=32 actor_rollout_ref.hybrid_engine=False", []),
    ],
)
def test_the_trainer_that_is_one_step_off_validates_as_well(
    settings: str, found: list[str]
) -> None:
    text = (
        "python3 -m verl.experimental.one_step_off_policy.main_ppo data.train_files=x"
        " actor_rollout_ref.model.path=x actor_rollout_ref.rollout.name=vllm"
        " algorithm.adv_estimator=grpo actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu=1"
        " actor_rollout_ref.rollout.log_prob_micro_batch_size_per_gpu=1 trainer.n_gpus_per_node=8"
        f" {settings} actor_rollout_ref.actor.ppo_mini_batch_size=32"
    )
    findings = check_text("a.sh", text + "\n", Options("0.8.0")).findings
    assert [one.key for one in findings] == found


@pytest.mark.parametrize(
    ("settings", "release", "found"),
    [
        ("data.train_batch_size=6 data.micro_batch_size_per_gpu=4", "0.4.1", 1),
        ("data.train_batch_size=6", "0.4.1", 1),  # which is 4 by default
        ("data.train_batch_size=8 data.micro_batch_size_per_gpu=4", "0.4.1", 0),
        ("ulysses_sequence_parallel_size=2", "0.5.0", 1),
        ("ulysses_sequence_parallel_size=2 use_remove_padding=True", "0.5.0", 0),
    ],
)
def test_the_fsdp_trainer_for_sft(settings: str, release: str, found: int) -> None:
    text = (
        "torchrun --nproc_per_node=2 -m verl.trainer.fsdp_sft_trainer data.train_files=x"
        f" model.partial_pretrain=x {settings}\n"
    )
    findings = check_text("a.sh", text, Options(release)).findings
    assert [one.rule for one in findings] == ["conflicting-settings"] * found


IN_NO_CONFIG = {
    "actor_rollout_ref.actor.fsdp_config.router_replay.mode",
    "actor_rollout_ref.actor.optim.override_optimizer_config.use_precision_aware_optimizer",
    "optim.override_optimizer_config.use_precision_aware_optimizer",
    "reward.reward_kwargs.overlong_buffer_cfg.enable",
}
"""Keys that a command adds to a mapping."""


def test_each_key_that_is_told_is_one_of_a_release() -> None:
    for check in conflicts.every_check():
        keys = set(check.keys) - IN_NO_CONFIG
        having = [load(name).all_keys for name in releases() if check.applies(name)]
        assert keys <= set().union(*having), check.where


@pytest.mark.parametrize(
    ("field", "said"),
    [
        ('when = ["banana"]', "nothing is called 'banana'"),
        ('each = [["x"]]\nany = ["a.b"]\ninstead = "{1}"', "there is no {1}"),
        ('when = ["one % two"]\nnumbers.one = "a.b"', "no number is called 'two'"),
        ('computed = "batches.banana"', "nothing is called 'batches.banana'"),
        ('computed = "banana"', "nothing is called 'banana'"),
        ('whi = "a"', "[[conflict]] has no 'whi'; it has"),
    ],
)
def test_a_fault_of_an_entry_is_told(
    field: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "conflicts.toml"
    code = 'code = [{ since = "0.9.0", files = ["verl/a.py"] }]'
    entry = f'[[conflict]]\nsettings = ["a.b=1"]\nwhy = "x"\n{code}\n{field}\n'
    file.write_text(f'reviewed = "{VERL}"\n{entry}', encoding="utf-8")
    monkeypatch.setattr(declared, "CONFLICTS", file)
    with pytest.raises(TableError, match=r"^conflicts\.toml:2: ") as caught:
        list(declared.checks())
    assert said in str(caught.value)
