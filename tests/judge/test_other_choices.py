"""A key that another choice of config groups has, which may take away what stands beside it."""

from __future__ import annotations

import pytest

from snippet_checker.pipeline import Options, check_text

ACTOR = "actor_rollout_ref.actor"
MEGATRON = f"actor@{ACTOR}=megatron_actor"


@pytest.mark.parametrize(
    ("beside", "key", "suggestion"),
    [
        ("", "optim.clip_grad", MEGATRON),
        ("trainer.nnodes=1", "optim.clip_grad", MEGATRON),
        (f"{ACTOR}.fsdp_config.param_offload=True", "optim.clip_grad", f"{ACTOR}.grad_clip"),
        (f"{ACTOR}.fsdp_config.param_offload=True", "optim.min_lr", f"{ACTOR}.optim.min_lr_ratio"),
        (f"{ACTOR}.fsdp_config.param_offload=True", "optim.lr_decay_style", None),
    ],
)
def test_the_choice_keeps_what_the_command_sets(
    beside: str, key: str, suggestion: str | None
) -> None:
    script = f"python3 -m verl.trainer.main_ppo {beside} {ACTOR}.{key}=1\n"
    (finding,) = check_text("a.sh", script, Options("0.5.0")).findings
    assert (finding.rule, finding.suggestion) == ("unknown-key", suggestion)
