"""What the Megatron engine, or Megatron itself, refuses of the settings of a role."""

from __future__ import annotations

from collections.abc import Iterator

from snippet_checker.judge.conflicts import roles
from snippet_checker.judge.conflicts.checks import Check, Conflict, Values

_ARR = "actor_rollout_ref."
_ACTOR, _REF, _CRITIC = _ARR + "actor.", _ARR + "ref.", "critic."
_ENGINE = "megatron"
_AT_FIRST_UPDATE = "stops at the first update"


def _roles(values: Values) -> Iterator[str]:
    """The roles that Megatron runs, as the beginning of their settings."""
    if values.word(_ACTOR + "strategy") == _ENGINE:
        yield f"{_ACTOR}{_ENGINE}."
    if roles.needs_reference(values) and values.word(_REF + "strategy") == _ENGINE:
        yield f"{_REF}{_ENGINE}."
    if roles.needs_critic(values) and values.word(_CRITIC + "strategy") == _ENGINE:
        yield f"{_CRITIC}{_ENGINE}."


def _interleaved_without_stages(values: Values) -> Iterator[Conflict]:
    """Megatron is set up by the actor, or by the critic before it."""
    for node in _roles(values):
        virtual = node + "virtual_pipeline_model_parallel_size"
        stages = node + "pipeline_model_parallel_size"
        if values.number(virtual) is not None and values.number(stages) == 1:
            why = "stages are interleaved only where there is more than one"
            yield Conflict((stages, virtual), why, missing=True)


def _experts_without_sequences(values: Values) -> Iterator[Conflict]:
    """That there are experts is known from their parallel size alone."""
    node = f"{_ACTOR}{_ENGINE}."
    switch = node + "sequence_parallel"
    is_split = values.is_above(node + "tensor_model_parallel_size", 1)
    has_experts = values.is_above(node + "expert_model_parallel_size", 1)
    is_off = values.is_off(switch) and not values.is_absent(switch)
    if values.word(_ACTOR + "strategy") == _ENGINE and is_split and has_experts and is_off:
        keys = (node + "tensor_model_parallel_size", node + "expert_model_parallel_size", switch)
        why = "Megatron trains experts beside tensor parallelism with sequence parallelism only"
        yield Conflict(keys, why, instead="True", outcome=_AT_FIRST_UPDATE)


def _dynamic_contexts(values: Values) -> Iterator[Conflict]:
    packing = _ARR + "model.use_remove_padding"
    for node in _roles(values):
        switch = node + "dynamic_context_parallel"
        if not values.is_on(switch):
            continue
        length = node + "max_seqlen_per_dp_cp_rank"
        if values.is_null(length) or values.is_at_most_zero(length):
            why = "sequences are dealt out in pieces of that length"
            yield Conflict((length, switch), why, missing=True)
        if values.is_on(node + "pad_to_length"):
            why = "sequences of one length are not dealt out dynamically"
            yield Conflict((switch, node + "pad_to_length"), why)
        if values.is_above(node + "virtual_pipeline_model_parallel_size", 1):
            keys = (switch, node + "virtual_pipeline_model_parallel_size")
            yield Conflict(keys, "dynamic contexts are not interleaved")
        if node.startswith(_CRITIC):
            yield Conflict((switch,), "a critic has no dynamic contexts", anyhow=True)
        elif values.is_off(packing) and not values.is_absent(packing):
            yield Conflict((switch, packing), "sequences are dealt out without padding only")


def _quantized_by_old_bridge(values: Values) -> Iterator[Conflict]:
    for node in _roles(values):
        switch, old = node + "qat.enable", node + "vanilla_mbridge"
        if values.is_on(switch) and values.is_on(old):
            why = "quantization is trained with Megatron-Bridge only"
            yield Conflict((old, switch), why, missing=True, instead=f"{old}=False")


def _aware_of_precision(values: Values) -> Iterator[Conflict]:
    if values.word(_ACTOR + "strategy") == _ENGINE:
        distributed = f"{_ACTOR}{_ENGINE}.use_distributed_optimizer"
        yield from _precision(values, _ACTOR + "optim", distributed)


def _tuner_aware_of_precision(values: Values) -> Iterator[Conflict]:
    if values.word("engine.strategy") == _ENGINE:
        yield from _precision(values, "optim", "engine.use_distributed_optimizer")


def _precision(values: Values, optimizer: str, distributed: str) -> Iterator[Conflict]:
    """Megatron asserts it where it makes its optimizer's config."""
    switch = optimizer + ".override_optimizer_config.use_precision_aware_optimizer"
    is_whole = values.is_off(distributed) and not values.is_absent(distributed)
    if values.is_on(switch) and is_whole:
        why = "Megatron's optimizer minds precisions only where it is distributed"
        yield Conflict((distributed, switch), why)


def _recomputing_elsewhere(values: Values) -> Iterator[Conflict]:
    """The default of the other key is on, so it says nothing unless somebody sets it."""
    node = f"{_ACTOR}{_ENGINE}.override_transformer_config."
    granularity, other = (
        node + "recompute_granularity",
        _ARR + "model.enable_gradient_checkpointing",
    )
    is_met = values.word(_ACTOR + "strategy") == _ENGINE and values.is_on(other)
    if is_met and values.is_unset(granularity):
        why = f"Megatron recomputes by it, and does not read '{other}'"
        yield Conflict(
            (granularity, other),
            why,
            missing=True,
            outcome="recomputes nothing",
            goes_on=True,
            only_unsaid=True,
            doubtful=True,
        )


def _weights_from_nowhere(values: Values) -> Iterator[Conflict]:
    for node in _roles(values):
        switch, path = node + "use_dist_checkpointing", node + "dist_checkpointing_path"
        if values.is_on(switch) and values.is_unset(path):
            yield Conflict((path, switch), "the weights are loaded from there", missing=True)


_IMPLEMENTATION = ("verl/workers/engine/megatron/transformer_impl.py",)
_WORKERS = ("verl/workers/megatron_workers.py",)
_OPTIMIZER = ("verl/utils/megatron/optimizer.py",)
_TUNERS = ("verl.trainer.sft_trainer", "verl.trainer.sft_trainer_ray")

CHECKS = (
    Check(_interleaved_without_stages, _WORKERS, since="0.3.0.post1", last="0.7.1"),
    Check(_interleaved_without_stages, _IMPLEMENTATION, since="0.8.0"),
    Check(_experts_without_sequences, _IMPLEMENTATION, since="0.8.0", training_only=True),
    Check(_dynamic_contexts, (*_IMPLEMENTATION, "verl/workers/config/engine.py"), since="0.9.1"),
    Check(_quantized_by_old_bridge, _IMPLEMENTATION, since="0.8.0"),
    Check(_aware_of_precision, _OPTIMIZER, since="0.8.0"),
    Check(_tuner_aware_of_precision, _OPTIMIZER, since="0.8.0", programs=_TUNERS),
    Check(_recomputing_elsewhere, _WORKERS, since="0.5.0", last="0.7.1", training_only=True),
    Check(_recomputing_elsewhere, _IMPLEMENTATION, since="0.8.0", training_only=True),
    Check(_weights_from_nowhere, _IMPLEMENTATION, since="0.8.0"),
)
