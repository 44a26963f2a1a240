"""Switches that verl refuses without another setting beside them."""

from __future__ import annotations

from collections.abc import Iterator

from snippet_checker.schema.cross_field import Check, Conflict, Values

_ARR = "actor_rollout_ref."
_DYNAMIC_ACTOR = _ARR + "actor.use_dynamic_bsz"
_DYNAMIC_REFERENCE = _ARR + "ref.log_prob_use_dynamic_bsz"
_MICRO_BATCH = _ARR + "ref.log_prob_micro_batch_size"
_NODES, _BACKEND = _ARR + "rollout.nnodes", _ARR + "rollout.checkpoint_engine.backend"
_MODE = "trainer.v1.trainer_mode"
_REWARD_MODEL = "reward.reward_model."
_DISTILLATION = "distillation."
_FILTER = "algorithm.filter_groups."


def needs_reference(values: Values) -> bool:
    return values.is_on("algorithm.use_kl_in_reward") or values.is_on(_ARR + "actor.use_kl_loss")


def _reference_cut_by_count(values: Values) -> Iterator[Conflict]:
    """The actor's micro-batch size is asked for elsewhere: there its own batching is off."""
    differs = values.is_on(_DYNAMIC_ACTOR) and values.is_off(_DYNAMIC_REFERENCE)
    new = f"{_MICRO_BATCH}_per_gpu"
    if not (differs and needs_reference(values)):
        return
    if values.is_unset(_MICRO_BATCH) and values.is_unset(new):
        why = "the reference model batches by count and needs a micro-batch size"
        yield Conflict((new, _DYNAMIC_ACTOR, _DYNAMIC_REFERENCE), why, missing=True)


def _separate_rollout(values: Values) -> Iterator[Conflict]:
    if values.word(_MODE) != "separate_async":
        return
    if values.is_at_most_zero(_NODES):
        why = "the rollout of 'separate_async' has nodes of its own"
        yield Conflict((_NODES, _MODE), why, missing=True)
    if values.word(_BACKEND) == "naive":
        why = "'naive' hands no weights to the nodes of 'separate_async'"
        yield Conflict((_BACKEND, _MODE), why, missing=True)


def _reward_model_without_path(values: Values) -> Iterator[Conflict]:
    path, switch = _REWARD_MODEL + "model_path", _REWARD_MODEL + "enable"
    if values.is_on(switch) and values.is_unset(path):
        yield Conflict((path, switch), "an enabled reward model is loaded from there", missing=True)


def _filter_without_metric(values: Values) -> Iterator[Conflict]:
    metric, switch = _FILTER + "metric", _FILTER + "enable"
    if values.is_on(switch) and values.is_unset(metric):
        yield Conflict((metric, switch), "groups are filtered by it", missing=True)


def _filter_before_reward(values: Values) -> Iterator[Conflict]:
    pool, model = _REWARD_MODEL + "enable_resource_pool", _REWARD_MODEL + "enable"
    switch = _FILTER + "enable"
    if values.is_on(switch) and values.is_on(model) and values.is_off(pool):
        why = "groups are filtered by rewards that a model without GPUs of its own computes later"
        yield Conflict((pool, model, switch), why, missing=True)


def _pool_without_gpus(values: Values) -> Iterator[Conflict]:
    yield from _without_gpus(values, _REWARD_MODEL, "enable_resource_pool")


def _teacher_without_gpus(values: Values) -> Iterator[Conflict]:
    yield from _without_gpus(values, _DISTILLATION, "enabled")


def _without_gpus(values: Values, node: str, switch: str) -> Iterator[Conflict]:
    for name in ("nnodes", "n_gpus_per_node"):
        if values.is_on(node + switch) and values.is_at_most_zero(node + name):
            why = f"'{node}{switch}' sets up GPUs of its own, and 0 are no GPUs"
            yield Conflict((node + name, node + switch), why, missing=True)


CHECKS = (
    Check(_reference_cut_by_count, since="0.8.0"),
    Check(_separate_rollout, since="0.9.0"),
    Check(_reward_model_without_path, since="0.7.1"),
    Check(_filter_without_metric, since="0.9.0"),
    Check(_filter_before_reward, since="0.9.1"),
    Check(_pool_without_gpus, since="0.7.1"),
    Check(_teacher_without_gpus, since="0.8.0"),
)
