"""Whether a run fits: one plan for actor, engine, critic and reference, and its settings.

The formulas are those of the pages Memory (states, gathered units, offload), Batch sizes (tokens)
and Rollout generation (engine), for FSDP2, and with LoRA for FSDP1.
"""

from __future__ import annotations

import math

from verl_docs.calculators.form import GIB, Calculator, Field, Override, Refusal, Result, Values
from verl_docs.calculators.presets import CARDS, MODELS

FULL, LORA = 0, 1
FITS, WITH_OFFLOAD, ON_CPU, TOO_SMALL, NO_ENGINE, NO_HOST = 1, 2, 3, 4, 5, 6
NODE = 8
"""GPUs of a node, at most."""
RESERVE = 0.15
"""Of a card in an update, for what the formulas leave out; our choice, as in the recipes."""
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
SAMPLES = 8
"""The most samples of full length in a micro-batch: more of them gain little."""


def matrix(v: Values) -> float:
    """Parameters of the embedding, or of the output head."""
    return v["vocabulary"] * v["hidden"]


def layer(v: Values) -> float:
    """Parameters of a layer: attention, feed-forward of all experts, their router, norms."""
    queries, keys = v["heads"] * v["head_size"], v["kv_heads"] * v["head_size"]
    attention = 2 * v["hidden"] * queries + 2 * v["hidden"] * keys
    router = v["experts"] * v["hidden"] if v["experts"] > 1 else 0
    return attention + 3 * v["experts"] * v["hidden"] * v["feed_forward"] + router + 2 * v["hidden"]


def whole(v: Values) -> float:
    """Parameters of the model."""
    return v["layers"] * layer(v) + (1 if v["tied"] else 2) * matrix(v) + v["hidden"]


def adapter(v: Values) -> float:
    """Parameters of adapters on all linear layers."""
    queries, keys = v["heads"] * v["head_size"], v["kv_heads"] * v["head_size"]
    attention = 2 * (v["hidden"] + queries) + 2 * (v["hidden"] + keys)
    return (
        v["rank"] * v["layers"] * (attention + 3 * v["experts"] * (v["hidden"] + v["feed_forward"]))
    )


def trained(v: Values) -> float:
    return adapter(v) if v["training"] == LORA else whole(v)


def frozen(v: Values) -> float:
    return whole(v) if v["training"] == LORA else 0


def longest(v: Values) -> float:
    return v["prompt"] + v["response"]


def token(v: Values) -> float:
    """Bytes of a token in an update, without entropy and at a temperature of 1."""
    inner = v["feed_forward"] * v["active"]
    in_layer = 26 * v["hidden"] + 4 * v["kv_heads"] * v["head_size"] + 12 * inner
    at_logits = 2 * v["vocabulary"] + 10 * v["hidden"]
    return 2 * v["hidden"] * v["layers"] + max(in_layer, at_logits)


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


def states(v: Values) -> float:
    """Bytes of weights, gradients and moments on a GPU during the actor's update."""
    return (16 * trained(v) + 4 * frozen(v)) / v["gpus"]


def kept(v: Values) -> float:
    """Bytes of them at other times, with those of a critic."""
    return (12 * trained(v) + 4 * frozen(v)) / v["gpus"] + kept_by_critic(v)


def kept_by_critic(v: Values) -> float:
    return 12 * whole(v) / v["gpus"] if v["critic"] else 0


def usable(v: Values) -> float:
    return v["memory"] * GIB * (1 - RESERVE)


def updates_beside(v: Values, beside: float) -> bool:
    """Whether the update of the actor fits, and that of a critic; both have the same size."""
    stepping = 4 * trained(v) / v["gpus"]
    own = states(v) + max(floor_of_update(v, 1), stepping)
    of_critic = 16 * whole(v) / v["gpus"] + 4 * matrix(v) + 12 * layer(v) if v["critic"] else 0
    return max(own, of_critic) + beside <= usable(v)


def updates_on_cpu(v: Values) -> bool:
    """Whether an update fits whose states are in CPU memory."""
    return v["training"] == FULL and floor_of_update(v, 1) <= usable(v)


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
    if tp > v["gpus"] or v["heads"] % tp != 0 or v["gpus"] % tp != 0:
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


def on_gpus(v: Values) -> float:
    """The verdict on the GPUs' memory."""
    if updates_beside(v, kept_by_critic(v)) and smallest_tp(v, kept(v)):
        return FITS
    if smallest_tp(v, 0) == 0:
        return NO_ENGINE
    if updates_beside(v, 0):
        return WITH_OFFLOAD
    return ON_CPU if updates_on_cpu(v) else TOO_SMALL


def nodes_of(v: Values) -> float:
    return math.ceil(v["gpus"] / NODE)


def replicas_size(v: Values, way: float) -> float:
    return max(1, smallest_tp(v, kept(v) if way == FITS else 0))


def on_host(v: Values, way: float) -> float:
    """Bytes in the CPU memory of a node: what is moved there, the reference model, and with LoRA
    the weights of engines that sleep."""
    each = 16 if way == ON_CPU else 12 if way == WITH_OFFLOAD else 0
    moved = each * (trained(v) + (whole(v) if v["critic"] else 0))
    still = 4 * frozen(v) if way == WITH_OFFLOAD else 0
    reference = 4 * whole(v) if v["reference"] and v["training"] == FULL else 0
    replicas = v["gpus"] / replicas_size(v, way)
    asleep = 2 * whole(v) * replicas if v["training"] == LORA else 0
    return (moved + still + reference + asleep) / nodes_of(v)


def verdict_of(v: Values) -> float:
    way = on_gpus(v)
    limit = v["host_memory"] * GIB * (1 - FREE_ON_HOST)
    return NO_HOST if way <= ON_CPU and on_host(v, way) > limit else way


def compute(v: Values) -> Values:
    verdict, way = verdict_of(v), on_gpus(v)
    runs, has_way = verdict <= ON_CPU, way <= ON_CPU
    beside = kept(v) if way == FITS else 0
    tp = smallest_tp(v, beside)
    state = 0 if way == ON_CPU else states(v) + (kept_by_critic(v) if way == FITS else 0)
    free = usable(v) - state - gathered(v)
    samples = min(SAMPLES, max(1, free // token(v) * v["sp"] // longest(v)))
    budget = math.ceil(samples * longest(v) / v["sp"])
    update = state + floor_of_update(v, samples)
    return {
        "verdict": verdict,
        "parameters": whole(v) / 1e9,
        "least": (states(v) + floor_of_update(v, 1)) / GIB,
        "update": update / GIB if has_way else math.nan,
        "kept": beside / GIB if has_way else math.nan,
        "budget": budget if has_way else math.nan,
        "tp": tp if tp else math.nan,
        "utilization": fraction(v, beside) if has_way else math.nan,
        "sequences": cache(v, beside, tp) // longest(v) if has_way and tp else math.nan,
        "host": on_host(v, way) / GIB if has_way else math.nan,
        "nodes": nodes_of(v),
        "node": v["gpus"] / nodes_of(v),
        "length": longest(v),
        "tokens": max(0, free // token(v)),
        "feed_forward": v["feed_forward"] * v["active"],
        "fsdp": 1 if v["training"] == LORA else 2,
        "offload": way == WITH_OFFLOAD,
        "on_cpu": way == ON_CPU,
        "critic_offload": way == WITH_OFFLOAD and v["critic"] == 1,
        "critic_on_cpu": way == ON_CPU and v["critic"] == 1,
        "split": v["sp"] > 1,
        "lora": v["training"] == LORA,
        "full": v["training"] == FULL,
        "alpha": 2 * v["rank"],
        "runs": runs,
    }


def splits_no_sequences(v: Values) -> bool:
    return v["gpus"] % v["sp"] != 0 or v["heads"] % v["sp"] != 0


def is_no_set_of_nodes(v: Values) -> bool:
    return v["gpus"] > NODE and v["gpus"] % NODE != 0


def exceeds_batch(v: Values) -> bool:
    return v["mini_batch"] > v["batch"] or v["batch"] % v["mini_batch"] != 0


def divides_badly(v: Values) -> bool:
    ranks = v["gpus"] / v["sp"]
    return v["mini_batch"] * v["n"] % ranks != 0


def uses_more_experts(v: Values) -> bool:
    return v["active"] > v["experts"]


def has_more_kv_heads(v: Values) -> bool:
    return v["heads"] % v["kv_heads"] != 0


_ACTOR, _ROLLOUT = "actor_rollout_ref.actor", "actor_rollout_ref.rollout"
_FSDP = f"{_ACTOR}.fsdp_config"

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
        Field("gpus", "GPUs", 8),
        Field("host_memory", "CPU memory of a node, in GiB", 1900),
        Field("training", "Trained", FULL, choices=((FULL, "all weights"), (LORA, "LoRA"))),
        Field("rank", "LoRA rank", 32),
        Field("critic", "Critic", 0, choices=((0, "none"), (1, "of the actor's size"))),
        Field("reference", "Reference model", 1, choices=((0, "none"), (1, "the first weights"))),
        Field("prompt", "data.max_prompt_length", 1024),
        Field("response", "data.max_response_length", 3072),
        Field("batch", "data.train_batch_size", 256),
        Field("mini_batch", "ppo_mini_batch_size", 64),
        Field("n", "rollout.n", 8),
        Field("sp", "Ulysses size", 1),
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
                    "GPUs, a larger Ulysses size, shorter answers, or LoRA.",
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
            "batch",
            "Not possible: data.train_batch_size has to be a multiple of ppo_mini_batch_size.",
            exceeds_batch,
        ),
        Refusal(
            "mini_batch",
            "verl refuses this: ppo_mini_batch_size times rollout.n has to be a multiple of the "
            "data-parallel ranks, which are GPUs divided by the Ulysses size.",
            divides_badly,
        ),
    ),
    overrides=(
        Override("trainer.nnodes", "nodes"),
        Override("trainer.n_gpus_per_node", "node"),
        Override("algorithm.adv_estimator", "critic", words=((0, "grpo"), (1, "gae"))),
        Override("data.train_batch_size", "batch"),
        Override("data.max_prompt_length", "prompt"),
        Override("data.max_response_length", "response"),
        Override("actor_rollout_ref.model.lora_rank", "rank", only="lora"),
        Override("actor_rollout_ref.model.lora_alpha", "alpha", only="lora"),
        Override(f"{_ACTOR}.strategy", "full", only="full", words=((1, "fsdp2"),)),
        Override("critic.strategy", "critic", only="critic", words=((1, "fsdp2"),)),
        Override(f"{_ACTOR}.ppo_mini_batch_size", "mini_batch"),
        Override(f"{_ACTOR}.use_dynamic_bsz", "runs", words=((1, "True"),)),
        Override(f"{_ACTOR}.ppo_max_token_len_per_gpu", "budget"),
        Override(f"{_ACTOR}.use_kl_loss", "reference", words=((0, "False"), (1, "True"))),
        Override(f"{_FSDP}.ulysses_sequence_parallel_size", "sp", only="split"),
        Override(f"{_FSDP}.param_offload", "offload", only="offload", words=((1, "True"),)),
        Override(f"{_FSDP}.optimizer_offload", "offload", only="offload", words=((1, "True"),)),
        Override(f"{_FSDP}.offload_policy", "on_cpu", only="on_cpu", words=((1, "True"),)),
        Override(
            "critic.fsdp.param_offload",
            "critic_offload",
            only="critic_offload",
            words=((1, "True"),),
        ),
        Override(
            "critic.fsdp.optimizer_offload",
            "critic_offload",
            only="critic_offload",
            words=((1, "True"),),
        ),
        Override(
            "critic.fsdp.offload_policy",
            "critic_on_cpu",
            only="critic_on_cpu",
            words=((1, "True"),),
        ),
        Override(f"{_ROLLOUT}.name", "runs", words=((1, "vllm"),)),
        Override(f"{_ROLLOUT}.n", "n"),
        Override(f"{_ROLLOUT}.tensor_model_parallel_size", "tp"),
        Override(f"{_ROLLOUT}.gpu_memory_utilization", "utilization"),
        Override(f"{_ROLLOUT}.load_format", "lora", only="lora", words=((1, "safetensors"),)),
        Override(f"{_ROLLOUT}.layered_summon", "lora", only="lora", words=((1, "True"),)),
    ),
    shows_overrides="runs",
    presets=(("Model", MODELS), ("GPU", CARDS)),
    reads_config=True,
)
