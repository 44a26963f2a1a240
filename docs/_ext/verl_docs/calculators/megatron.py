"""What training with Megatron takes, for the stage of the pipeline that needs most.

The states are those of the page Megatron tuning: 6 bytes for each parameter that a GPU holds, and
12 that the distributed optimizer divides. The activations are those of full recomputation: the
inputs of the layers for each micro-batch in flight, as Megatron's own estimate counts them
(megatron/training/theoretical_memory_usage.py), and one layer, or the logits, at work.
"""

from __future__ import annotations

import math

from verl_docs.calculators.form import Values
from verl_docs.calculators.model import (
    FITS,
    FULL,
    LORA,
    MEGATRON,
    ON_CPU,
    SAMPLES,
    adapter,
    attention_and_norms,
    feed_forward,
    in_layer,
    longest,
    matrix,
    router,
    usable,
    whole,
)

IN_GPU, IN_CPU = 0, 1
"""Where the optimizer's states are during an update."""
BUSY = 4
"""Micro-batches for each stage of a pipeline, so that it idles a quarter at most; our choice."""


# -- What a GPU holds --------------------------------------------------------------------------


def splits_evenly(v: Values) -> bool:
    return v["layers"] % v["pipeline"] == 0


def layers_between(v: Values) -> float:
    """Layers of a stage that is neither first nor last.

    Where they do not divide, embedding and head count as a layer each.
    """
    return (v["layers"] + (0 if splits_evenly(v) else 2)) / v["pipeline"]


def layers_at_end(v: Values) -> float:
    """Layers of the first stage, and of the last one."""
    return layers_between(v) - (0 if splits_evenly(v) else 1)


def experts_of_layer(v: Values) -> float:
    return feed_forward(v) if v["experts"] > 1 else 0


def rest_of_layer(v: Values) -> float:
    dense = feed_forward(v) if v["experts"] == 1 else 0
    return attention_and_norms(v) + dense + router(v)


def held_experts(v: Values, layers: float) -> float:
    """Parameters in experts that a GPU of a stage holds."""
    return layers * experts_of_layer(v) / (v["expert"] * v["expert_tensor"])


def held_rest(v: Values, layers: float, ends: float) -> float:
    """All others; `ends` are those of embedding and head on this stage."""
    return (layers * rest_of_layer(v) + ends) / v["tensor"]


def held(v: Values, layers: float, ends: float) -> float:
    return held_experts(v, layers) + held_rest(v, layers, ends)


def of_largest_stage(v: Values, alone: float, at_end: float, between: float) -> float:
    """What the stage needs that needs most: the only one, the first and last, or one between."""
    if v["pipeline"] == 1:
        return alone
    return max(at_end, between if v["pipeline"] > 2 else 0)


def whole_states(v: Values, layers: float, ends: float, optimizer: float) -> float:
    """Bytes of a model that is trained as a whole."""
    experts, rest = held_experts(v, layers), held_rest(v, layers, ends)
    if optimizer == IN_CPU:
        return 6 * (experts + rest)
    expert_ranks = v["gpus"] / (v["expert"] * v["expert_tensor"] * v["pipeline"])
    ranks = v["gpus"] / (v["tensor"] * v["pipeline"])
    return experts * (6 + 12 / expert_ranks) + rest * (6 + 12 / ranks)


def lora_states(v: Values, layers: float, ends: float) -> float:
    """Bytes of frozen weights in 16 bits, and of adapters, which are counted as not split."""
    ranks = v["gpus"] / (v["tensor"] * v["pipeline"])
    adapters = adapter(v) * layers / v["layers"] * (6 + 12 / ranks)
    return 2 * held(v, layers, ends) + adapters


def stage_states(v: Values, layers: float, ends: float, optimizer: float) -> float:
    if v["training"] == LORA:
        return lora_states(v, layers, ends)
    return whole_states(v, layers, ends, optimizer)


def both_ends(v: Values) -> float:
    return (1 if v["tied"] else 2) * matrix(v)


def weights_of_stage(v: Values) -> float:
    """Bytes of the 16-bit weights on a GPU of the largest stage."""
    alone, at_end = held(v, v["layers"], both_ends(v)), held(v, layers_at_end(v), matrix(v))
    return 2 * of_largest_stage(v, alone, at_end, held(v, layers_between(v), 0))


def states_of_critic(v: Values, optimizer: float) -> float:
    """Bytes of a critic of the actor's size on a GPU, with its gradients."""
    if not v["critic"]:
        return 0
    alone = whole_states(v, v["layers"], matrix(v), optimizer)
    at_end = whole_states(v, layers_at_end(v), matrix(v), optimizer)
    return of_largest_stage(v, alone, at_end, whole_states(v, layers_between(v), 0, optimizer))


def states_of_actor(v: Values, optimizer: float) -> float:
    """Bytes on a GPU of the stage that has most of them."""
    alone = stage_states(v, v["layers"], both_ends(v), optimizer)
    at_end = stage_states(v, layers_at_end(v), matrix(v), optimizer)
    return of_largest_stage(v, alone, at_end, stage_states(v, layers_between(v), 0, optimizer))


def reference_on_gpu(v: Values) -> float:
    return weights_of_stage(v) if v["reference"] and v["training"] == FULL else 0


def kept_by_megatron(v: Values) -> float:
    """Bytes on a GPU between updates, if nothing is offloaded: gradients stay as well."""
    return states_of_actor(v, IN_GPU) + states_of_critic(v, IN_GPU) + reference_on_gpu(v)


# -- An update ---------------------------------------------------------------------------------


def ranks_of_data(v: Values) -> float:
    return v["gpus"] / (v["tensor"] * v["pipeline"] * v["context"])


def tokens_on_gpu(v: Values, samples: float) -> float:
    """Tokens of a micro-batch of so many full samples, split over context parallel ranks."""
    return samples * longest(v) / v["context"]


def micro_batches(v: Values, samples: float) -> float:
    """Those of one mini-batch on one rank."""
    return max(1, math.ceil(v["mini_batch"] * v["n"] / ranks_of_data(v) / samples))


def inputs_of_layers(v: Values, samples: float, layers: float, in_flight: float) -> float:
    """Bytes of what recomputation keeps: the inputs, split by sequence parallelism."""
    kept = min(in_flight, micro_batches(v, samples)) * layers * 2 * v["hidden"]
    return kept * tokens_on_gpu(v, samples) / v["tensor"]


def layer_at_work(v: Values, samples: float) -> float:
    """Bytes of one layer; experts get a copy of each of their tokens, and its gradient."""
    copies = 4 * v["active"] * v["hidden"] if v["experts"] > 1 else 0
    unsplit = 4 * v["hidden"] if v["tensor"] > 1 else 0
    return tokens_on_gpu(v, samples) * ((in_layer(v) + copies) / v["tensor"] + unsplit)


def logits_at_work(v: Values, samples: float) -> float:
    """Bytes of the logits in 16 and in 32 bits, split by vocabulary."""
    each = 6 * v["vocabulary"] / v["tensor"] + 10 * v["hidden"]
    return tokens_on_gpu(v, samples) * each


def peak_of_only_stage(v: Values, samples: float, optimizer: float) -> float:
    at_work = max(layer_at_work(v, samples), logits_at_work(v, samples))
    inputs = inputs_of_layers(v, samples, v["layers"], 1)
    return states_of_actor(v, optimizer) + inputs + at_work


def peak_of_stages(v: Values, samples: float, optimizer: float) -> float:
    """Bytes of the largest of the first stage, the second one, and the last one."""
    ends, between, stages = layers_at_end(v), layers_between(v), v["pipeline"]
    state = stage_states(v, ends, matrix(v), optimizer)
    first = state + inputs_of_layers(v, samples, ends, stages) + layer_at_work(v, samples)
    at_head = max(layer_at_work(v, samples), logits_at_work(v, samples))
    last = state + inputs_of_layers(v, samples, ends, 1) + at_head
    kept = inputs_of_layers(v, samples, between, stages - 1)
    second = stage_states(v, between, 0, optimizer) + kept + layer_at_work(v, samples)
    return max(first, last, second if stages > 2 else 0)


def megatron_peak(v: Values, samples: float, optimizer: float) -> float:
    """Bytes on a GPU at the peak of the actor's update."""
    if v["pipeline"] == 1:
        return peak_of_only_stage(v, samples, optimizer)
    return peak_of_stages(v, samples, optimizer)


def peak_of_critic(v: Values, optimizer: float) -> float:
    """Bytes of a critic's update with one sample; it has no logits."""
    if not v["critic"]:
        return 0
    inputs = inputs_of_layers(v, 1, layers_between(v), v["pipeline"])
    return states_of_critic(v, optimizer) + inputs + layer_at_work(v, 1)


def megatron_updates(v: Values, optimizer: float) -> bool:
    """Whether each update fits while everything else is in CPU memory."""
    return max(megatron_peak(v, 1, optimizer), peak_of_critic(v, optimizer)) <= usable(v)


def megatron_updates_beside_all(v: Values) -> bool:
    """Whether each update fits, and nothing is offloaded."""
    of_actor = megatron_peak(v, 1, IN_GPU) + states_of_critic(v, IN_GPU)
    of_critic = peak_of_critic(v, IN_GPU) + states_of_actor(v, IN_GPU)
    return max(of_actor, of_critic) + reference_on_gpu(v) <= usable(v)


def beside_actor(v: Values, way: float) -> float:
    """Bytes of the others on a GPU during the actor's update."""
    return states_of_critic(v, IN_GPU) + reference_on_gpu(v) if way == FITS else 0


def optimizer_of(way: float) -> float:
    return IN_CPU if way == ON_CPU else IN_GPU


def most_samples(v: Values) -> float:
    """As many as leave enough micro-batches for the pipeline."""
    if v["pipeline"] == 1:
        return SAMPLES
    own = v["mini_batch"] * v["n"] / ranks_of_data(v)
    return max(1, min(SAMPLES, own // (BUSY * v["pipeline"])))


def samples_from(v: Values, way: float, samples: float) -> float:
    """The most samples that fit, from so many downwards."""
    peak = megatron_peak(v, samples, optimizer_of(way)) + beside_actor(v, way)
    return samples if samples <= 1 or peak <= usable(v) else samples_from(v, way, samples - 1)


def megatron_samples(v: Values, way: float) -> float:
    return samples_from(v, way, most_samples(v))


# -- CPU memory --------------------------------------------------------------------------------


def copies_of_weights(v: Values) -> float:
    """Bytes of the 16-bit weights on all GPUs together: data-parallel ranks hold the same ones."""
    return 2 * held(v, v["layers"], both_ends(v)) * v["gpus"] / v["pipeline"]


def moved_by_megatron(v: Values, way: float) -> float:
    """Bytes in the CPU memory of all nodes: states that go there, and the reference model."""
    if way == FITS:
        return 0
    each = 16 if way == ON_CPU else 12
    critic = each * whole(v) + copies_of_weights(v) if v["critic"] else 0
    own = 12 * adapter(v) if v["training"] == LORA else each * whole(v)
    reference = copies_of_weights(v) if v["reference"] and v["training"] == FULL else 0
    return own + copies_of_weights(v) + critic + reference


# -- What cannot be ----------------------------------------------------------------------------


def trains_with_megatron(v: Values) -> bool:
    return v["backend"] == MEGATRON


def leaves_no_whole_ranks(v: Values) -> bool:
    uneven = v["gpus"] % (v["tensor"] * v["pipeline"] * v["context"]) != 0
    return trains_with_megatron(v) and uneven


def leaves_no_whole_expert_ranks(v: Values) -> bool:
    uneven = v["gpus"] % (v["expert"] * v["expert_tensor"] * v["pipeline"]) != 0
    return trains_with_megatron(v) and uneven


def splits_no_heads(v: Values) -> bool:
    bad_groups = v["kv_heads"] % v["tensor"] != 0 and v["tensor"] % v["kv_heads"] != 0
    return trains_with_megatron(v) and (v["heads"] % v["tensor"] != 0 or bad_groups)


def splits_no_layers(v: Values) -> bool:
    uneven = not splits_evenly(v) and (v["layers"] + 2) % v["pipeline"] != 0
    return trains_with_megatron(v) and uneven


def splits_no_experts(v: Values) -> bool:
    dense = v["experts"] == 1 and (v["expert"] > 1 or v["expert_tensor"] > 1)
    return trains_with_megatron(v) and (dense or v["experts"] % v["expert"] != 0)


def adapts_experts(v: Values) -> bool:
    return trains_with_megatron(v) and v["training"] == LORA and v["experts"] > 1
