"""What is suggested for a value or a program that people name after what they mean by it."""

from __future__ import annotations

import pytest

from snippet_checker.pipeline import Options, check_text
from snippet_checker.projects.files import MemoryFiles
from tests.configured import VERL

ARR = "actor_rollout_ref"
WRAPPED = f"+{ARR}.actor.fsdp_config.wrap_policy.transformer_layer_cls_to_wrap"
VALUES = {
    "algorithm.adv_estimator=ppo": ("invalid-choice", "gae"),
    "algorithm.adv_estimator=GAE": ("invalid-choice", "gae"),
    "algorithm.adv_estimator=dapo": ("invalid-choice", "grpo"),
    "algorithm.adv_estimator=grppo": ("invalid-choice", "grpo"),
    "reward.reward_manager=dapo": ("wrong-type", "reward.reward_manager.name"),
    f"{ARR}.rollout.multi_turn=True": ("wrong-type", f"{ARR}.rollout.multi_turn.enable"),
    f"{ARR}.rollout.n_repeat=8": ("unknown-key", f"{ARR}.rollout.n"),
    f"{ARR}.actor.qat.enable=True": (
        "ineffective-key",
        f"{ARR}.actor.fsdp_config.qat.enable",
    ),
    f"{WRAPPED}=Qwen3DecoderLayer": ("wrong-type", "[Qwen3DecoderLayer]"),
}
TAKEN = [
    f"{WRAPPED}=[Qwen3DecoderLayer]",
    f"{WRAPPED}=Qwen3DecoderLayer {ARR}.actor.strategy=fsdp2",
]
PROGRAMS = {
    "verl.trainer.grpo_trainer": "verl.trainer.main_ppo",
    "verl.trainer.main_dapo": "verl.trainer.main_ppo",
    "verl.trainer.fsdp_sft_trainer": "verl.trainer.sft_trainer",
}
CONFIGS = {
    "ppo_trainr": "ppo_trainer",
    "ppo_trainer_ensemble.yaml": "ppo_trainer",  # a file's name is no program's
    "ppo_megatron_trainr.yaml": "ppo_megatron_trainer",
    "mine.yaml": None,
}


@pytest.mark.parametrize(("config", "meant"), CONFIGS.items(), ids=CONFIGS)
def test_the_config_that_was_meant(config: str, meant: str | None) -> None:
    text = f"python3 -m verl.trainer.main_ppo --config-name={config} trainer.nnodes=1\n"
    (finding,) = check_text("a.sh", text, Options(VERL)).findings
    assert (finding.rule, finding.suggestion) == ("unknown-entry", meant)


@pytest.mark.parametrize(("setting", "expected"), VALUES.items(), ids=VALUES)
def test_the_value_that_was_meant(setting: str, expected: tuple[str, str]) -> None:
    text = f"python3 -m verl.trainer.main_ppo {setting}\n"
    (finding,) = check_text("a.sh", text, Options(VERL)).findings
    assert (finding.rule, finding.suggestion) == expected


@pytest.mark.parametrize("settings", TAKEN)
def test_a_class_to_wrap_that_is_taken(settings: str) -> None:
    text = f"python3 -m verl.trainer.main_ppo {settings}\n"
    assert not check_text("a.sh", text, Options(VERL)).findings


def test_the_engine_that_the_own_config_chooses_counts() -> None:
    config = "hydra: {searchpath: [pkg://verl.trainer.config]}\ndefaults: [ppo_trainer, _self_]\n"
    start = "python3 -m verl.trainer.main_ppo --config-path=$PWD/config --config-name=mine"
    for chosen, rules in (("fsdp2", []), ("fsdp", ["wrong-type"])):
        own = f"{config}{ARR}: {{actor: {{strategy: {chosen}}}}}\n"
        options = Options(VERL, files=MemoryFiles({"/p/config/mine.yaml": own, "/p/.git/HEAD": ""}))
        found = check_text("/p/a.sh", f"{start} {WRAPPED}=Qwen3DecoderLayer\n", options).findings
        assert [f.rule for f in found] == rules


@pytest.mark.parametrize(("program", "suggestion"), PROGRAMS.items())
def test_the_program_that_was_meant(program: str, suggestion: str) -> None:
    text = f"python3 -m {program} data.train_files=a.parquet\n"
    (finding,) = check_text("a.sh", text, Options(VERL)).findings
    assert (finding.rule, finding.suggestion) == ("unknown-entry", suggestion)
