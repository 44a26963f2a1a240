"""Whether a run fits: one plan for actor, engine, critic and reference, and its settings.

What training takes is in `fsdp` and `megatron`; the engine's formulas are those of the page Rollout
generation. Engines share the GPUs of training, or have their own (`separate_async`).
"""

from __future__ import annotations

import math

from verl_docs.calculators.form import (
    GIB,
    Calculator,
    Field,
    Override,
    Refusal,
    Result,
    Values,
    fixed,
)
from verl_docs.calculators.fsdp import (
    floor_of_update,
    fsdp_samples,
    fsdp_updates_beside,
    fsdp_updates_on_cpu,
    gathered,
    kept_by_fsdp,
    kept_by_fsdp_critic,
    moved_by_fsdp,
    shards,
    token,
)
from verl_docs.calculators.megatron import (
    IN_CPU,
    IN_GPU,
    adapts_experts,
    beside_actor,
    copies_of_weights,
    kept_by_megatron,
    leaves_no_whole_expert_ranks,
    leaves_no_whole_ranks,
    megatron_peak,
    megatron_samples,
    megatron_updates,
    megatron_updates_beside_all,
    moved_by_megatron,
    optimizer_of,
    ranks_of_data,
    splits_evenly,
    splits_no_experts,
    splits_no_heads,
    splits_no_layers,
    trains_with_megatron,
)
from verl_docs.calculators.model import (
    FITS,
    FSDP,
    FULL,
    LORA,
    MEGATRON,
    NO_ENGINE,
    NO_HOST,
    NODE,
    ON_CPU,
    SEPARATE,
    SHARED,
    TOO_SMALL,
    WITH_OFFLOAD,
    longest,
    usable,
    whole,
)
from verl_docs.calculators.presets import CARDS, MODELS

LEFT = 0.05
"""Of a card while the engine is awake, for what neither engine nor training counts."""
FREE_ON_HOST = 0.2
"""Of a node's CPU memory, for data, Ray and the system; our choice."""
MOST = 0.85
"""The highest fraction that is given to the engine."""
STEP = 0.05
AT_WORK = 5 * GIB
"""What the engine needs beside weights and cache, for activations and graphs; our choice."""
AT_ONCE = 8
"""Sequences of full length that the engine has to hold, at least; our choice."""


# -- The engine --------------------------------------------------------------------------------


def engine_gpus(v: Values) -> float:
    return v["rollout_gpus"] if v["place"] == SEPARATE else v["gpus"]


def fraction(v: Values, beside: float) -> float:
    """The highest gpu_memory_utilization beside what training keeps."""
    free = 1 - LEFT - beside / (v["memory"] * GIB)
    return max(0, min(MOST, math.floor(free / STEP + 0.001) * STEP))


def per_token(v: Values, tp: float) -> float:
    return 4 * v["layers"] * max(v["kv_heads"] / tp, 1) * v["head_size"]


def cache(v: Values, beside: float, tp: float) -> float:
    """Tokens that the engine's cache holds."""
    room = fraction(v, beside) * v["memory"] * GIB - 2 * whole(v) / tp - AT_WORK
    return max(0, room // per_token(v, tp))


def serves(v: Values, beside: float, tp: float) -> bool:
    gpus = engine_gpus(v)
    if tp > gpus or v["heads"] % tp != 0 or gpus % tp != 0:
        return False
    return cache(v, beside, tp) >= AT_ONCE * longest(v)


def smallest_tp(v: Values, beside: float) -> float:
    """The fewest GPUs that hold a replica; 0 if those of a node do not."""
    if serves(v, beside, 1):
        return 1
    if serves(v, beside, 2):
        return 2
    if serves(v, beside, 4):
        return 4
    return 8 if serves(v, beside, 8) else 0


# -- Training, by whichever trains -------------------------------------------------------------


def kept(v: Values) -> float:
    """Bytes that training keeps on a GPU between updates, if nothing is offloaded."""
    return kept_by_megatron(v) if trains_with_megatron(v) else kept_by_fsdp(v)


def beside_engine(v: Values, way: float) -> float:
    """Bytes of training on the GPUs of an engine that works."""
    return kept(v) if way == FITS and v["place"] == SHARED else 0


def updates_beside_all(v: Values) -> bool:
    if trains_with_megatron(v):
        return megatron_updates_beside_all(v)
    return fsdp_updates_beside(v, kept_by_fsdp_critic(v))


def updates_alone(v: Values) -> bool:
    if trains_with_megatron(v):
        return megatron_updates(v, IN_GPU)
    return fsdp_updates_beside(v, 0)


def updates_on_cpu(v: Values) -> bool:
    """Whether an update fits whose states are in CPU memory."""
    if trains_with_megatron(v):
        return v["training"] == FULL and megatron_updates(v, IN_CPU)
    return fsdp_updates_on_cpu(v)


def keeps_old_weights(v: Values) -> bool:
    """Whether weights in CPU memory may be used: FSDP2 loses them with engines of their own."""
    return v["place"] == SHARED or trains_with_megatron(v) or v["training"] == LORA


def least_of_update(v: Values) -> float:
    if trains_with_megatron(v):
        return megatron_peak(v, 1, IN_GPU)
    return shards(v) + floor_of_update(v, 1)


def state_beside(v: Values, way: float) -> float:
    """Bytes on a GPU during the actor's update with FSDP, beside gathered weights and tokens."""
    return 0 if way == ON_CPU else shards(v) + (kept_by_fsdp_critic(v) if way == FITS else 0)


def samples_of(v: Values, way: float) -> float:
    if trains_with_megatron(v):
        return megatron_samples(v, way)
    return fsdp_samples(v, state_beside(v, way))


def peak_of_update(v: Values, way: float, samples: float) -> float:
    if trains_with_megatron(v):
        return megatron_peak(v, samples, optimizer_of(way)) + beside_actor(v, way)
    return state_beside(v, way) + floor_of_update(v, samples)


def ranks_of_sequence(v: Values) -> float:
    """GPUs that share a sequence."""
    return v["context"] if trains_with_megatron(v) else v["sp"]


# -- The verdict -------------------------------------------------------------------------------


def on_gpus(v: Values) -> float:
    """The verdict on the GPUs' memory."""
    if updates_beside_all(v) and smallest_tp(v, beside_engine(v, FITS)):
        return FITS
    if smallest_tp(v, 0) == 0:
        return NO_ENGINE
    if not keeps_old_weights(v):
        return TOO_SMALL
    if updates_alone(v):
        return WITH_OFFLOAD
    return ON_CPU if updates_on_cpu(v) else TOO_SMALL


def nodes_of(gpus: float) -> float:
    return math.ceil(gpus / NODE)


def replicas_size(v: Values, way: float) -> float:
    return max(1, smallest_tp(v, beside_engine(v, way)))


def syncs_after(v: Values) -> float:
    """Updates for each sync of the weights, with engines of their own."""
    return v["batch"] / v["mini_batch"]


def old_weights(v: Values) -> float:
    """Bytes of the copies that `separate_async` makes in each step, over all nodes."""
    each = copies_of_weights(v) if trains_with_megatron(v) else 4 * whole(v)
    return each * min(2, syncs_after(v)) if v["place"] == SEPARATE else 0


def on_host(v: Values, way: float) -> float:
    """Bytes in the CPU memory of a node: what is moved there, the reference model, copies of old
    weights, and with LoRA the weights of engines that sleep."""
    moved = moved_by_megatron(v, way) if trains_with_megatron(v) else moved_by_fsdp(v, way)
    replicas = v["gpus"] / replicas_size(v, way)
    sleeps = v["training"] == LORA and v["place"] == SHARED
    asleep = 2 * whole(v) * replicas if sleeps else 0
    return (moved + old_weights(v) + asleep) / nodes_of(v["gpus"])


def verdict_of(v: Values) -> float:
    way = on_gpus(v)
    limit = v["host_memory"] * GIB * (1 - FREE_ON_HOST)
    return NO_HOST if way <= ON_CPU and on_host(v, way) > limit else way


def compute(v: Values) -> Values:
    verdict, way = verdict_of(v), on_gpus(v)
    has_way = way <= ON_CPU
    beside = beside_engine(v, way)
    tp, gpus = smallest_tp(v, beside), engine_gpus(v)
    samples = samples_of(v, way)
    free = usable(v) - state_beside(v, way) - gathered(v)
    with_megatron = trains_with_megatron(v)
    return {
        "verdict": verdict,
        "parameters": whole(v) / 1e9,
        "least": least_of_update(v) / GIB,
        "update": peak_of_update(v, way, samples) / GIB if has_way else math.nan,
        "kept": beside / GIB if has_way else math.nan,
        "budget": math.ceil(samples * longest(v) / ranks_of_sequence(v)) if has_way else math.nan,
        "tp": tp if tp else math.nan,
        "utilization": fraction(v, beside) if has_way else math.nan,
        "sequences": cache(v, beside, tp) // longest(v) if has_way and tp else math.nan,
        "host": on_host(v, way) / GIB if has_way else math.nan,
        "nodes": nodes_of(v["gpus"]),
        "node": v["gpus"] / nodes_of(v["gpus"]),
        "engine_gpus": gpus,
        "engine_nodes": nodes_of(gpus),
        "engine_node": gpus / nodes_of(gpus),
        "length": longest(v),
        "tokens": max(0, free // token(v)),
        "feed_forward": v["feed_forward"] * v["active"],
        "fsdp": 1 if v["training"] == LORA else 2,
        "of_fsdp": not with_megatron,
        "megatron": with_megatron,
        "full": v["training"] == FULL,
        "lora": v["training"] == LORA,
        "shared": v["place"] == SHARED,
        "separate": v["place"] == SEPARATE,
        "moves": has_way and way != FITS,
        "offload": way == WITH_OFFLOAD,
        "on_cpu": way == ON_CPU,
        "split": v["sp"] > 1,
        "splits_context": v["context"] > 1,
        "has_experts": v["experts"] > 1,
        "uneven": not splits_evenly(v),
        "sync_steps": syncs_after(v),
        "alpha": 2 * v["rank"],
        "runs": verdict <= ON_CPU,
    }


# -- What cannot be ----------------------------------------------------------------------------


def splits_no_sequences(v: Values) -> bool:
    uneven = v["gpus"] % v["sp"] != 0 or v["heads"] % v["sp"] != 0
    return v["backend"] == FSDP and uneven


def is_no_set_of_nodes(v: Values) -> bool:
    return v["gpus"] > NODE and v["gpus"] % NODE != 0


def has_no_set_of_rollout_nodes(v: Values) -> bool:
    return engine_gpus(v) > NODE and engine_gpus(v) % NODE != 0


def exceeds_batch(v: Values) -> bool:
    return v["mini_batch"] > v["batch"] or v["batch"] % v["mini_batch"] != 0


def divides_badly(v: Values) -> bool:
    ranks = ranks_of_data(v) if trains_with_megatron(v) else v["gpus"] / v["sp"]
    return v["mini_batch"] * v["n"] % ranks != 0


def uses_more_experts(v: Values) -> bool:
    return v["active"] > v["experts"]


def has_more_kv_heads(v: Values) -> bool:
    return v["heads"] % v["kv_heads"] != 0


_ACTOR, _ROLLOUT = "actor_rollout_ref.actor", "actor_rollout_ref.rollout"
_FSDP = f"{_ACTOR}.fsdp_config"


def _of_megatron(group: str, optim: str, *role: str) -> tuple[Override, ...]:
    """The settings of a role that Megatron trains, where there is that role."""
    only = ("megatron", *role)
    recomputed = (("granularity", "full"), ("method", "uniform"), ("num_layers", "1"))
    accounted = ("account_for_embedding", "account_for_loss")
    on_cpu = ("optimizer_cpu_offload", "overlap_cpu_optimizer_d2h_h2d")
    transformer = f"{group}.override_transformer_config"
    optimizer = f"+{optim}.override_optimizer_config"
    experts = (*only, "has_experts")
    return (
        Override(f"{group}.tensor_model_parallel_size", "tensor", only),
        Override(f"{group}.pipeline_model_parallel_size", "pipeline", only),
        Override(f"{group}.context_parallel_size", "context", (*only, "splits_context")),
        Override(f"{group}.expert_model_parallel_size", "expert", experts),
        Override(f"{group}.expert_tensor_parallel_size", "expert_tensor", experts),
        *(
            fixed(f"+{transformer}.{name}_in_pipeline_split", "True", *only, "uneven")
            for name in accounted
        ),
        *(fixed(f"{transformer}.recompute_{name}", word, *only) for name, word in recomputed),
        fixed(f"{group}.param_offload", "True", *only, "moves"),
        fixed(f"{group}.optimizer_offload", "True", *only, "offload"),
        fixed(f"{optim}.use_precision_aware_optimizer", "True", *only, "on_cpu"),
        *(fixed(f"{optimizer}.{name}", "True", *only, "on_cpu") for name in on_cpu),
        fixed(f"{optimizer}.optimizer_offload_fraction", "1.0", *only, "on_cpu"),
    )


def _of_fsdp(group: str, *role: str) -> tuple[Override, ...]:
    """Where FSDP keeps the state of a role, where there is that role."""
    only = ("of_fsdp", *role)
    return (
        fixed(f"{group}.param_offload", "True", *only, "offload"),
        fixed(f"{group}.optimizer_offload", "True", *only, "offload"),
        fixed(f"{group}.offload_policy", "True", *only, "on_cpu"),
    )


PLAN = Calculator(
    name="plan",
    title="A plan for a run",
    fields=(
        Field("layers", "Layers", 28, folded=True),
        Field("hidden", "Hidden size", 3584, folded=True),
        Field(
            "feed_forward", "Size of the feed-forward layer, or of one expert", 18944, folded=True
        ),
        Field("heads", "Attention heads", 28, folded=True),
        Field("kv_heads", "Key-value heads", 4, folded=True),
        Field("head_size", "Size of a head", 128, folded=True),
        Field("vocabulary", "Vocabulary", 152064, folded=True),
        Field("experts", "Experts, 1 for a dense model", 1, folded=True),
        Field("active", "Experts for each token", 1, folded=True),
        Field(
            "tied",
            "Output layer",
            0,
            choices=((0, "its own weights"), (1, "tied to the embedding")),
            folded=True,
        ),
        Field("memory", "Memory of a GPU, in GiB", 79),
        Field(
            "place",
            "Engines",
            SHARED,
            choices=((SHARED, "on the GPUs of training"), (SEPARATE, "on GPUs of their own")),
        ),
        Field("gpus", "GPUs for training", 8),
        Field("rollout_gpus", "GPUs for rollout", 8, where=("place", SEPARATE)),
        Field("host_memory", "CPU memory of a node, in GiB", 1900),
        Field("backend", "Trained by", FSDP, choices=((FSDP, "FSDP"), (MEGATRON, "Megatron"))),
        Field("training", "Trained", FULL, choices=((FULL, "all weights"), (LORA, "LoRA"))),
        Field("rank", "LoRA rank", 32, where=("training", LORA)),
        Field("critic", "Critic", 0, choices=((0, "none"), (1, "of the actor's size"))),
        Field("reference", "Reference model", 1, choices=((0, "none"), (1, "the first weights"))),
        Field("prompt", "data.max_prompt_length", 1024),
        Field("response", "data.max_response_length", 3072),
        Field("batch", "data.train_batch_size", 256),
        Field("mini_batch", "ppo_mini_batch_size", 64),
        Field("n", "rollout.n", 8),
        Field("sp", "Ulysses size", 1, where=("backend", FSDP)),
        Field("tensor", "TP", 1, where=("backend", MEGATRON)),
        Field("pipeline", "PP", 1, where=("backend", MEGATRON)),
        Field("context", "CP", 1, where=("backend", MEGATRON)),
        Field("expert", "EP", 1, where=("backend", MEGATRON)),
        Field("expert_tensor", "ETP", 1, where=("backend", MEGATRON)),
    ),
    results=(
        Result(
            "verdict",
            "Verdict",
            0,
            words=(
                (FITS, "It fits."),
                (WITH_OFFLOAD, "It fits if weights and optimizer go to CPU memory between phases."),
                (ON_CPU, "It fits only with the optimizer on the CPU, which is slow."),
                (
                    TOO_SMALL,
                    "It does not fit: one sample is too much for an update. Take more or larger "
                    "GPUs, split sequences or layers over more of them, or take shorter answers "
                    "or LoRA.",
                ),
                (
                    NO_HOST,
                    "It does not fit: what goes to CPU memory is too much for a node. Take nodes "
                    "with more of it, more nodes, or GPUs that need no offload.",
                ),
                (
                    NO_ENGINE,
                    "It does not fit: the engine cannot hold the weights and eight sequences on "
                    "the GPUs of a node. Take larger GPUs, or FP8 weights in the engine.",
                ),
            ),
        ),
        Result("parameters", "Parameters, in billions", 2),
        Result("least", "Least that an update needs on a GPU, in GiB", 1),
        Result("update", "Update at this budget, in GiB", 1),
        Result("kept", "Kept by training during generation, in GiB", 1),
        Result("sequences", "Sequences of full length at once, per replica", 0),
        Result("host", "CPU memory of a node for models, in GiB", 0),
    ),
    compute=compute,
    refusals=(
        Refusal(
            "kv_heads",
            "Not possible: attention heads share key-value heads evenly.",
            has_more_kv_heads,
        ),
        Refusal(
            "active",
            "Not possible: a token cannot go through more experts than there are.",
            uses_more_experts,
        ),
        Refusal(
            "gpus",
            "Not possible here: more than 8 GPUs are taken as nodes of 8.",
            is_no_set_of_nodes,
        ),
        Refusal(
            "sp",
            "Not possible: the Ulysses size has to divide the GPUs and the attention heads.",
            splits_no_sequences,
        ),
        Refusal(
            "rollout_gpus",
            "Not possible here: more than 8 GPUs for rollout are taken as nodes of 8.",
            has_no_set_of_rollout_nodes,
        ),
        Refusal(
            "expert",
            "Not possible: EP has to divide the experts, and a dense model has none to divide.",
            splits_no_experts,
        ),
        Refusal(
            "training",
            "Not counted here: LoRA of a mixture of experts with Megatron.",
            adapts_experts,
        ),
        Refusal(
            "tensor",
            "Not possible: TP has to divide the attention heads, and has to be a multiple or a "
            "divisor of the key-value heads.",
            splits_no_heads,
        ),
        Refusal(
            "pipeline",
            "Not possible here: PP has to divide the layers, or the layers plus 2, where embedding "
            "and loss count as a layer each.",
            splits_no_layers,
        ),
        Refusal(
            "context",
            "Megatron refuses this: the GPUs for training have to be a multiple of TP × PP × CP.",
            leaves_no_whole_ranks,
        ),
        Refusal(
            "expert_tensor",
            "Megatron refuses this: the GPUs for training have to be a multiple of EP × ETP × PP.",
            leaves_no_whole_expert_ranks,
        ),
        Refusal(
            "batch",
            "Not possible: data.train_batch_size has to be a multiple of ppo_mini_batch_size.",
            exceeds_batch,
        ),
        Refusal(
            "mini_batch",
            "verl refuses this: ppo_mini_batch_size times rollout.n has to be a multiple of the "
            "data-parallel ranks. These are the GPUs for training divided by the Ulysses size, or "
            "by TP × PP × CP.",
            divides_badly,
        ),
    ),
    overrides=(
        fixed("model_engine", "megatron", "megatron"),
        Override("trainer.nnodes", "nodes"),
        Override("trainer.n_gpus_per_node", "node"),
        fixed("trainer.v1.trainer_mode", "separate_async", "separate"),
        Override("trainer.v1.separate_async.parameter_sync_step", "sync_steps", only=("separate",)),
        Override(f"{_ROLLOUT}.nnodes", "engine_nodes", only=("separate",)),
        Override(f"{_ROLLOUT}.n_gpus_per_node", "engine_node", only=("separate",)),
        fixed(f"{_ROLLOUT}.checkpoint_engine.backend", "nccl", "separate"),
        fixed("actor_rollout_ref.hybrid_engine", "False", "separate"),
        fixed("+ray_kwargs.ray_init.runtime_env.env_vars.VERL_LOGGING_LEVEL", "WARN", "separate"),
        Override("algorithm.adv_estimator", "critic", words=((0, "grpo"), (1, "gae"))),
        fixed("algorithm.rollout_correction.rollout_is", "token", "separate"),
        fixed("algorithm.rollout_correction.rollout_is_threshold", "2.0", "separate"),
        Override("data.train_batch_size", "batch"),
        Override("data.max_prompt_length", "prompt"),
        Override("data.max_response_length", "response"),
        Override("actor_rollout_ref.model.lora_rank", "rank", only=("lora", "of_fsdp")),
        Override("actor_rollout_ref.model.lora_alpha", "alpha", only=("lora", "of_fsdp")),
        Override("actor_rollout_ref.model.lora.rank", "rank", only=("lora", "megatron")),
        Override("actor_rollout_ref.model.lora.alpha", "alpha", only=("lora", "megatron")),
        fixed("actor_rollout_ref.model.lora.merge", "True", "lora", "separate"),
        fixed(f"{_ACTOR}.strategy", "fsdp2", "full", "of_fsdp"),
        fixed("critic.strategy", "fsdp2", "critic", "of_fsdp"),
        Override(f"{_ACTOR}.ppo_mini_batch_size", "mini_batch"),
        fixed(f"{_ACTOR}.use_dynamic_bsz", "True", "runs"),
        Override(f"{_ACTOR}.ppo_max_token_len_per_gpu", "budget"),
        Override(f"{_ACTOR}.use_kl_loss", "reference", words=((0, "False"), (1, "True"))),
        Override(f"{_FSDP}.ulysses_sequence_parallel_size", "sp", only=("split", "of_fsdp")),
        *_of_megatron(f"{_ACTOR}.megatron", f"{_ACTOR}.optim"),
        *_of_megatron("critic.megatron", "critic.optim", "critic"),
        *_of_fsdp(_FSDP),
        *_of_fsdp("critic.fsdp", "critic"),
        fixed(f"{_ROLLOUT}.name", "vllm", "runs"),
        Override(f"{_ROLLOUT}.n", "n"),
        Override(f"{_ROLLOUT}.tensor_model_parallel_size", "tp"),
        Override(f"{_ROLLOUT}.gpu_memory_utilization", "utilization"),
        fixed(f"{_ROLLOUT}.load_format", "safetensors", "lora", "of_fsdp", "shared"),
        fixed(f"{_ROLLOUT}.layered_summon", "True", "lora", "of_fsdp", "shared"),
    ),
    shows_overrides="runs",
    presets=(("Model", MODELS), ("GPU", CARDS)),
    reads_config=True,
)
