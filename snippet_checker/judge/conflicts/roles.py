"""What a PPO trainer's config trains or asks: the actor at all, and which models beside it."""

from __future__ import annotations

from collections.abc import Callable

from snippet_checker.judge.conflicts.checks import ConfigValues

ESTIMATOR = "algorithm.adv_estimator"
"""The key that decides whether a critic is trained, where no switch does."""


def needs_reference(values: ConfigValues) -> bool:
    """Whether a reference model is asked: some KL term compares the actor with it."""
    actor = "actor_rollout_ref.actor."
    return values.is_on("algorithm.use_kl_in_reward") or values.is_on(actor + "use_kl_loss")


def has_reference_of_its_own(values: ConfigValues) -> bool:
    """With LoRA the actor without its adapter is the reference."""
    rank = "actor_rollout_ref.model.lora_rank"
    is_adapted = values.is_unknown(rank) or values.number(rank)
    return needs_reference(values) and not is_adapted


def trains_adapter(values: ConfigValues) -> bool:
    """Whether the actor is surely trained with LoRA, and the rollout gets the adapter alone."""
    model = "actor_rollout_ref.model."
    ranks = (model + "lora_rank", model + "lora.rank")
    return any(values.is_above(rank, 0) for rank in ranks) and values.is_off(model + "lora.merge")


def has_old_trainer(values: ConfigValues) -> bool:
    """Whether the trainer is surely the one that up to 0.8.0 was the only one."""
    return values.is_off("trainer.use_v1")


def has_new_trainer(values: ConfigValues, *modes: str) -> bool:
    """Whether it is surely the one that came with 0.9.0, in one of the modes if any are named."""
    mode = values.word("trainer.v1.trainer_mode")
    return values.is_on("trainer.use_v1") and (not modes or mode in modes)


def needs_critic(values: ConfigValues) -> bool:
    """Whether a critic is surely trained: by its switch, or else for its advantages."""
    if values.is_on("critic.enable") or values.is_unknown("critic.enable"):
        return values.is_on("critic.enable")
    return values.is_unset("critic.enable") and values.word(ESTIMATOR) == "gae"


def has_no_critic(values: ConfigValues) -> bool:
    """Whether surely none is trained."""
    return not needs_critic(values) and not values.is_unknown("critic.enable")


def is_static(values: ConfigValues) -> bool:
    """Whether batches are surely cut by count: dynamic batching is known to be off."""
    return values.is_off("actor_rollout_ref.actor.use_dynamic_bsz")


def cuts_by_count(values: ConfigValues, role: str) -> bool:
    """Whether something needs a role, and its batches are surely cut by count."""
    if role == "critic":
        return needs_critic(values) and values.is_off("critic.use_dynamic_bsz")
    return is_static(values) and (role != "actor_rollout_ref.ref" or needs_reference(values))


def surely_trains(values: ConfigValues) -> bool:
    """Whether the trainer goes on after the validation that it begins with."""
    before = "trainer.val_before_train"
    starts_training = values.is_off(before) and not values.is_absent(before)
    return starts_training or values.is_off("trainer.val_only")


def is_generated_by_worker(values: ConfigValues) -> bool:
    """Whether the worker itself generates: the rollout is not asynchronous, with servers."""
    mode = "actor_rollout_ref.rollout.mode"
    return not values.is_unknown(mode) and values.word(mode) != "async"


def is_rewarded(values: ConfigValues) -> bool:
    """Whether there are rewards: a student may learn from its teacher alone."""
    rewarded = "distillation.distillation_loss.use_task_rewards"
    return not (values.is_on("distillation.enabled") and values.is_off(rewarded))


def has_default_teacher(values: ConfigValues) -> bool:
    """Whether the only teacher is that of the default config."""
    return values.names("distillation.teacher_models") == ("teacher_model",)


def runs_megatron(values: ConfigValues, role: str) -> bool:
    """Whether Megatron runs a role, and something needs that."""
    needed = {"actor_rollout_ref.ref": needs_reference, "critic": needs_critic}.get(role)
    is_needed = needed is None or needed(values)
    return is_needed and values.word(f"{role}.strategy") == "megatron"


FACTS: dict[str, Callable[..., bool]] = {
    "adapter": trains_adapter,
    "by_worker": is_generated_by_worker,
    "critic": needs_critic,
    "cut_by_count": cuts_by_count,
    "default_teacher": has_default_teacher,
    "mandatory": ConfigValues.is_mandatory,
    "megatron": runs_megatron,
    "new_trainer": has_new_trainer,
    "no_critic": has_no_critic,
    "not_on": lambda values, key: not values.is_on(key),
    "number": lambda values, key: values.number(key) is not None,
    "old_trainer": has_old_trainer,
    "own_reference": has_reference_of_its_own,
    "reference": needs_reference,
    "rewarded": is_rewarded,
    "set": ConfigValues.is_set,
    "static": is_static,
    "there": lambda values, key: not values.is_absent(key),
}
"""What an entry of `conflicts.toml` may ask by name; some are asked of a key, a role or a mode."""
