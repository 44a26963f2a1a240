"""What the rest of a command says of a suggestion."""

from __future__ import annotations

import pytest

from snippet_checker.pipeline import Options, check_text

ACTOR = "actor_rollout_ref.actor."
AGENT = "actor_rollout_ref.agent."
MULTI_TURN = "actor_rollout_ref.rollout.multi_turn."
POLICY = ACTOR + "policy_loss."


def suggested(*settings: str) -> str | None:
    """What is suggested for the first setting of a command."""
    script = f"python3 -m verl.trainer.main_ppo {' '.join(settings)}\n"
    findings = check_text("case.sh", script, Options("0.9.1")).findings
    return findings[0].suggestion


@pytest.mark.parametrize(
    ("settings", "meant"),
    [
        (("env.dataset_name=x",), "data.train_files"),
        (("env.dataset_name=x", "data.train_files=y"), None),
        ((f"{ACTOR}ppo_kl_coeff=1",), f"{ACTOR}kl_loss_coef"),
        ((f"{ACTOR}ppo_kl_coeff=1", f"{ACTOR}kl_loss_coef=1"), None),
        # A word that two unknown keys have is somebody's own feature.
        ((f"{POLICY}kl_cov_ratio_replay=1",), f"{POLICY}kl_cov_ratio"),
        ((f"{POLICY}kl_cov_ratio_replay=1", f"{POLICY}clip_cov_ratio_replay=1"), None),
        # A slip is one all the same, and so is what was reviewed: neither is needed twice.
        ((f"{ACTOR}kl_los_coef=1",), f"{ACTOR}kl_loss_coef"),
        ((f"{ACTOR}kl_los_coef=1", f"{ACTOR}kl_loss_coef=1"), None),
        (("data.max_start_length=8",), "data.max_prompt_length"),
        (("data.max_start_length=8", "data.max_prompt_length=9"), None),
        # A section of which verl knows neither the name nor another setting is somebody's own.
        (("env.rollout.n=8",), "actor_rollout_ref.rollout.n"),
        (("env.rollout.n=8", "env.env_name=x"), None),
        (("env.rollout.n=8", "env.rollout.temperature=1"), "actor_rollout_ref.rollout.n"),
        (("rollout.n=8", "rollout.env_name=x"), "actor_rollout_ref.rollout.n"),
        (
            ("actor_rolout_ref.rollout.n=8", "actor_rolout_ref.env_name=x"),
            "actor_rollout_ref.rollout.n",
        ),
        # So is such a section inside one of verl's, and one of several.
        ((f"{ACTOR}training.lr=1",), f"{ACTOR}optim.lr"),
        ((f"{ACTOR}training.lr=1", f"{ACTOR}training.replay_share=1"), None),
        ((f"{ACTOR}optimizer.lr=1", f"{ACTOR}optimizer.replay_share=1"), f"{ACTOR}optim.lr"),
        (("actor_rollout_ref_a.rollout.n=8",), "actor_rollout_ref.rollout.n"),
        (("actor_rollout_ref_a.rollout.n=8", "actor_rollout_ref_b.rollout.n=8"), None),
        (
            ("actor_rollout_ref_a.rollout.n=8", "actor_rollout_ref_test.rollout.n=8"),
            "actor_rollout_ref.rollout.n",
        ),
        (("env.rollout.n=8", "tool.rollout.n=8"), "actor_rollout_ref.rollout.n"),
        # And so is one of a known name in another place, if verl knows hardly any name in it.
        ((f"{AGENT}max_turns=3", f"{AGENT}tool_url=x"), f"{MULTI_TURN}max_assistant_turns"),
        ((f"{AGENT}max_turns=3", f"{AGENT}tool_url=x", f"{AGENT}mask_observations=True"), None),
        # Other trainers' names are no feature, however many of them there are.
        (("trainer.save_steps=1", "trainer.eval_steps=1"), "trainer.save_freq"),
    ],
)
def test_what_is_set_beside_it_may_deny_a_suggestion(
    settings: tuple[str, ...], meant: str | None
) -> None:
    assert suggested(*settings) == meant


def test_what_is_set_already_is_left_out() -> None:
    script = f"python3 -m verl.trainer.main_ppo {ACTOR}kl_los_coef=1 {ACTOR}kl_loss_coef=1\n"
    (finding,) = check_text("case.sh", script, Options("0.9.1")).findings
    assert finding.message.endswith(f"; leave it out: '{ACTOR}kl_loss_coef' is set already")


@pytest.mark.parametrize("release", ["0.4.1", "0.5.0"])
def test_no_section_that_the_program_has_not_is_suggested(release: str) -> None:
    script = "python3 -m verl.trainer.main_ppo {}.fsdp_config.model_dtype=bf16\n"
    for section in ("actor_rollout_ref.model", "model"):
        findings = check_text("case.sh", script.format(section), Options(release)).findings
        assert all(not str(found.suggestion).startswith("model.") for found in findings)
        assert findings
