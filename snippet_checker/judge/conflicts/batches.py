"""Batches, and what verl cuts them into for each GPU.

Up to 0.7.1 the FSDP workers cut at their start: the mini-batch, with all responses, is divided
among the data-parallel ranks, rounded down, and cut into micro-batches. From 0.8.0 on the engine
cuts each batch when it meets it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from snippet_checker.judge.conflicts import roles
from snippet_checker.judge.conflicts.checks import ConfigValues, Conflict

_ARR, _CRITIC = "actor_rollout_ref.", "critic."
_ACTOR, _ROLLOUT, _REF = _ARR + "actor.", _ARR + "rollout.", _ARR + "ref."
_BATCH, _RESPONSES = "data.train_batch_size", _ROLLOUT + "n"
_MINI, _MICRO = "ppo_mini_batch_size", "ppo_micro_batch_size"
_MICRO_OF_GPU = f"{_MICRO}_per_gpu"
_SEQUENCES = "ulysses_sequence_parallel_size"
_FSDP = ("fsdp", "fsdp2")
_GPUS = ("trainer.n_gpus_per_node", "trainer.nnodes")
_MEGATRON = tuple(
    f"{_ACTOR}megatron.{name}_parallel_size"
    for name in ("tensor_model", "pipeline_model", "context")
)


def below_mini_batch(values: ConfigValues, role: str) -> Iterator[Conflict]:
    batch, key = values.number(_BATCH), role + _MINI
    mini_batch = values.number(key)
    if batch is not None and mini_batch is not None and batch < mini_batch:
        why = f"the train batch ({batch}) is smaller than the mini-batch ({mini_batch})"
        yield Conflict((_BATCH, key), why)


def samples_not_spread(values: ConfigValues) -> Iterator[Conflict]:
    """Over the GPUs; with Megatron over the replicas, in whole micro-batches."""
    samples = values.product(_BATCH, _RESPONSES)
    gpus, strategy = values.product(*_GPUS), values.word(_ACTOR + "strategy")
    keys: tuple[str, ...] = (_BATCH, _RESPONSES, *_GPUS)
    divisor, what = gpus, "the number of GPUs"
    if strategy == "megatron":
        sizes, micro = values.product(*_MEGATRON), values.number(_ACTOR + _MICRO_OF_GPU)
        if not (gpus and sizes and micro) or gpus % sizes:
            return
        divisor, what = gpus // sizes * micro, "the replicas times the micro-batch"
        keys += (*_MEGATRON, _ACTOR + _MICRO_OF_GPU)
    if strategy is not None and samples and divisor and samples % divisor:
        yield Conflict(keys, f"{samples} samples a step are no multiple of {what} ({divisor})")


def share(values: ConfigValues, role: str, *factors: str) -> Iterator[Conflict]:
    """What each of the workers for FSDP gets of a mini-batch: samples, in whole micro-batches."""
    yield from empty_share(values, role, *factors)
    samples, ranks = values.product(*factors), _ranks(values, role)
    if not (samples and ranks and samples // ranks and _has_old_workers(values, role)):
        return
    old, new = values.number(role + _MICRO), values.number(role + _MICRO_OF_GPU)
    micro, name = (old // ranks, _MICRO) if old else (new, _MICRO_OF_GPU)
    if micro and samples // ranks % micro:
        why = f"each rank gets {samples // ranks} samples of a mini-batch, which is no multiple of"
        why += f" its micro-batch ({micro})"
        yield Conflict((*_share_keys(role), role + name), why)


def empty_share(values: ConfigValues, role: str, *factors: str) -> Iterator[Conflict]:
    samples, ranks = values.product(*factors), _ranks(values, role)
    if samples and ranks and samples // ranks == 0 and _has_old_workers(values, role):
        why = f"a mini-batch of {samples} samples leaves none for each of {ranks} ranks"
        yield Conflict(_share_keys(role), why)


def _share_keys(role: str) -> tuple[str, ...]:
    return (*_GPUS, role + _SEQUENCES, _RESPONSES, role + _MINI)


def _has_old_workers(values: ConfigValues, role: str) -> bool:
    """Whether the workers are those for FSDP alone; 0.6.0 to 0.7.1 have others by a switch."""
    switch = "trainer.use_legacy_worker_impl"
    known = not values.is_unknown(switch)
    return known and values.word(switch) != "disable" and values.word(role + "strategy") in _FSDP


def _ranks(values: ConfigValues, role: str) -> int | None:
    """How many ranks share a batch: each may be several GPUs, which share its sequences."""
    gpus, size = values.product(*_GPUS), role + _SEQUENCES
    if values.is_unknown(size) or gpus is None:
        return None
    return gpus // max(values.number(size) or 1, 1)


def micro_batch_below_ranks(values: ConfigValues, role: str) -> Iterator[Conflict]:
    """The old spelling counts over all GPUs, and each has to get one."""
    gpus, size = values.product(*_GPUS), role + _SEQUENCES
    micro, sharing = values.number(role + _MICRO), values.number(size) or 1
    if micro and gpus and micro * sharing < gpus and not values.is_unknown(size):
        why = f"a micro-batch of {micro} over all GPUs leaves none for each of {gpus}"
        yield Conflict((*_GPUS, size, role + _MICRO), why)


def shares_of_first_release(values: ConfigValues, role: str) -> Iterator[Conflict]:
    """0.1 has sizes over all GPUs alone, and divides both."""
    gpus, keys = values.product(*_GPUS), (*_GPUS, role + _MINI, role + _MICRO)
    mini, micro = values.number(role + _MINI), values.number(role + _MICRO)
    if not (mini and micro and gpus):
        return
    samples, piece = mini // gpus, micro // gpus
    if not piece:
        why = f"a micro-batch of {micro} over all GPUs leaves none for each of {gpus}"
        yield Conflict(keys, why)
    elif not samples:
        yield Conflict(keys, f"a mini-batch of {mini} leaves none for each of {gpus} GPUs")
    elif samples % piece:
        why = f"each GPU gets {samples} samples of a mini-batch, which is no multiple of its"
        why += f" micro-batch ({piece})"
        yield Conflict(keys, why)


def _engine_sizes(values: ConfigValues) -> tuple[str, ...]:
    """The sizes by which the actor's engine splits a model or its sequences; none if unknown."""
    strategy = values.word(_ACTOR + "strategy")
    if strategy == "megatron" and values.is_off(_ACTOR + "megatron.dynamic_context_parallel"):
        return _MEGATRON
    return (f"{_ACTOR}fsdp_config.{_SEQUENCES}",) if strategy in _FSDP else ()


def _engine_ranks(values: ConfigValues) -> int | None:
    """How many ranks of the actor's engine share a batch."""
    gpus, sizes = values.product(*_GPUS), _engine_sizes(values)
    model = values.product(*sizes) if sizes else None
    return gpus // model if gpus and model and gpus % model == 0 else None


def mini_batch_not_spread(values: ConfigValues) -> Iterator[Conflict]:
    """The samples of a mini-batch are dealt out to the data-parallel ranks of the actor."""
    samples, ranks = values.product(_ACTOR + _MINI, _RESPONSES), _engine_ranks(values)
    if samples and ranks and samples % ranks:
        why = f"{samples} samples of a mini-batch cannot be spread over {ranks} ranks"
        yield Conflict((*_GPUS, *_engine_sizes(values), _RESPONSES, _ACTOR + _MINI), why)


def engine_share_of_mini_batch(values: ConfigValues) -> Iterator[Conflict]:
    samples, ranks = values.product(_ACTOR + _MINI, _RESPONSES), _engine_ranks(values)
    micro = values.number(_ACTOR + _MICRO_OF_GPU)
    if samples and ranks and micro and samples % ranks == 0 and samples // ranks % micro:
        why = f"each rank gets {samples // ranks} samples of a mini-batch, which is no multiple of"
        why += f" its micro-batch ({micro})"
        keys = (*_GPUS, *_engine_sizes(values), _RESPONSES, _ACTOR + _MINI)
        yield Conflict((*keys, _ACTOR + _MICRO_OF_GPU), why)


def mini_batch_of_critic_not_shared(values: ConfigValues) -> Iterator[Conflict]:
    """What is cut by count or not, each rank gets as many samples of a mini-batch."""
    gpus, size = values.product(*_GPUS), f"critic.fsdp.{_SEQUENCES}"
    sharing, samples = values.number(size), values.product(_CRITIC + _MINI, _RESPONSES)
    if gpus and sharing and samples and gpus % sharing == 0 and samples % (gpus // sharing):
        ranks = gpus // sharing
        why = f"{ranks} ranks cannot share the {samples} samples of a mini-batch evenly"
        yield Conflict((*_GPUS, size, _RESPONSES, _CRITIC + _MINI), why)


def engine_share_of_step(values: ConfigValues) -> Iterator[Conflict]:
    ranks = _engine_ranks(values)
    yield from _step_in_micro_batches(values, ranks, ranks)


def engine_share_of_filled_step(values: ConfigValues) -> Iterator[Conflict]:
    """From 0.9.0 on a step is filled up to whole mini-batches, with as many for each rank."""
    ranks, mini = _engine_ranks(values), values.product(_ACTOR + _MINI, _RESPONSES)
    is_other = values.word("trainer.v1.trainer_mode") == "separate_async"
    is_other |= bool(values.number("trainer.critic_warmup"))
    if ranks and mini and not is_other:
        whole = [ranks, mini]
        if roles.needs_critic(values):
            whole.append(values.product(_CRITIC + _MINI, _RESPONSES) or 1)
        yield from _step_in_micro_batches(values, ranks, math.lcm(*whole))


def _step_in_micro_batches(
    values: ConfigValues, ranks: int | None, multiple: int | None
) -> Iterator[Conflict]:
    samples = values.product(_BATCH, _RESPONSES)
    if not (samples and ranks and multiple) or (multiple == ranks and samples % ranks):
        return
    rank_share = -(-samples // multiple) * multiple // ranks
    name, used = "log_prob_micro_batch_size_per_gpu", []
    if values.is_off("algorithm.rollout_correction.bypass_mode"):
        used.append(_ROLLOUT + name)
    if roles.has_reference_of_its_own(values) and values.is_off(_REF + "log_prob_use_dynamic_bsz"):
        used.append(_REF + name)
    for key in used:
        micro = values.number(key)
        if micro and rank_share % micro:
            why = f"each rank gets {rank_share} samples of a step, which is no multiple of the"
            why += f" micro-batch ({micro})"
            yield Conflict((*_GPUS, *_engine_sizes(values), _RESPONSES, _BATCH, key), why)
