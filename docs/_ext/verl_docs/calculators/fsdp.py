"""What training with FSDP takes: FSDP2, and with LoRA FSDP1.

The formulas are those of the pages Memory (states, gathered units, offload) and Batch sizes
(tokens).
"""

from __future__ import annotations

from verl_docs.calculators.form import Values
from verl_docs.calculators.model import (
    FULL,
    LORA,
    ON_CPU,
    SAMPLES,
    WITH_OFFLOAD,
    frozen,
    in_layer,
    layer,
    longest,
    matrix,
    trained,
    usable,
    whole,
)


def token(v: Values) -> float:
    """Bytes of a token in an update, without entropy and at a temperature of 1."""
    at_logits = 2 * v["vocabulary"] + 10 * v["hidden"]
    return 2 * v["hidden"] * v["layers"] + max(in_layer(v), at_logits)


def gathered(v: Values) -> float:
    """Bytes of gathered weights and gradients: with LoRA those of FSDP1, without gradients."""
    if v["training"] == LORA:
        return 2 * (1 if v["tied"] else 2) * matrix(v) + 4 * layer(v)
    return 4 * matrix(v) + 12 * layer(v)


def floor_of_update(v: Values, samples: float) -> float:
    """Bytes beside the states: with so many samples of full length, and at the other stages."""
    reduced = 0 if v["training"] == LORA else 8 * matrix(v)
    at_work = gathered(v) + samples * longest(v) / v["sp"] * token(v)
    return max(at_work, reduced)


def shards(v: Values) -> float:
    """Bytes of weights, gradients and moments on a GPU during the actor's update."""
    return (16 * trained(v) + 4 * frozen(v)) / v["gpus"]


def kept_by_fsdp_critic(v: Values) -> float:
    return 12 * whole(v) / v["gpus"] if v["critic"] else 0


def kept_by_fsdp(v: Values) -> float:
    """Bytes of them at other times, with those of a critic."""
    return (12 * trained(v) + 4 * frozen(v)) / v["gpus"] + kept_by_fsdp_critic(v)


def fsdp_updates_beside(v: Values, beside: float) -> bool:
    """Whether the update of the actor fits, and that of a critic; both have the same size."""
    stepping = 4 * trained(v) / v["gpus"]
    own = shards(v) + max(floor_of_update(v, 1), stepping)
    of_critic = 16 * whole(v) / v["gpus"] + 4 * matrix(v) + 12 * layer(v) if v["critic"] else 0
    return max(own, of_critic) + beside <= usable(v)


def fsdp_updates_on_cpu(v: Values) -> bool:
    """Whether an update fits whose states are in CPU memory."""
    return v["training"] == FULL and floor_of_update(v, 1) <= usable(v)


def fsdp_samples(v: Values, state: float) -> float:
    """Samples of full length that a micro-batch may have, beside so many bytes."""
    free = usable(v) - state - gathered(v)
    return min(SAMPLES, max(1, free // token(v) * v["sp"] // longest(v)))


def moved_by_fsdp(v: Values, way: float) -> float:
    """Bytes in the CPU memory of all nodes: states that go there, and the reference model."""
    each = 16 if way == ON_CPU else 12 if way == WITH_OFFLOAD else 0
    moved = each * (trained(v) + (whole(v) if v["critic"] else 0))
    still = 4 * frozen(v) if way == WITH_OFFLOAD else 0
    reference = 4 * whole(v) if v["reference"] and v["training"] == FULL else 0
    return moved + still + reference
