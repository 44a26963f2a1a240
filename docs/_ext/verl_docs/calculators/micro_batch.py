"""How many samples of full length fit into a micro-batch of the actor's update."""

from __future__ import annotations

from verl_docs.calculators.form import GIB, Calculator, Field, Refusal, Result, Values

WITHOUT_ENTROPY, SCALED, COMPILED_ENTROPY, PLAIN_ENTROPY = 2, 4, 6, 26
"""Bytes for each token and word of the vocabulary at the peak of an update."""
FSDP1, FSDP2 = 1, 2


def compute(v: Values) -> Values:
    """GiB, bytes, tokens and samples on one GPU.

    For FSDP in bfloat16, a dense model with gated feed-forward layers, full fine-tuning with
    gradient checkpointing, packing, and FlashAttention. The terms are explained on the page
    "Batch sizes".
    """
    parameters, ends = v["parameters"] * 1e9, parameters_of_ends(v)
    layer = (parameters - ends) / v["layers"]
    state = 16 * parameters / v["gpus"]
    gathered = 4 * gathered_at_once(v) + 12 * layer
    in_layer = 26 * v["hidden"] + 4 * v["kv_heads"] * v["head_size"] + 12 * v["feed_forward"]
    at_logits = v["entropy"] * v["vocabulary"] + 10 * v["hidden"]
    per_token = 2 * v["hidden"] * v["layers"] + max(in_layer, at_logits)
    free = v["memory"] * GIB * (1 - v["reserve"] / 100) - state - gathered
    tokens = max(0, free // per_token)
    return {
        "state": state / GIB,
        "gathered": gathered / GIB,
        "per_token": per_token / 1024,
        "free": free / GIB,
        "tokens": tokens,
        "samples": tokens * v["sp"] // v["length"],
    }


def parameters_of_ends(v: Values) -> float:
    """The parameters of embedding and output layer."""
    return (1 if v["tied"] else 2) * v["vocabulary"] * v["hidden"]


def gathered_at_once(v: Values) -> float:
    """Those of them that FSDP holds whole together: FSDP2 gathers one matrix after the other."""
    return parameters_of_ends(v) if v["fsdp"] == FSDP1 else v["vocabulary"] * v["hidden"]


def ends_outweigh_model(v: Values) -> bool:
    return parameters_of_ends(v) > v["parameters"] * 1e9


MICRO_BATCH = Calculator(
    name="micro-batch",
    title="Micro-batch from memory",
    fields=(
        Field("memory", "Memory of a GPU, in GiB", 79),
        Field("reserve", "Reserve, in percent", 15, least=0, most=90),
        Field("parameters", "Parameters, in billions", 7.616, least=0.01, step=0.001),
        Field("layers", "Layers", 28),
        Field("hidden", "Hidden size", 3584),
        Field("feed_forward", "Size of the feed-forward layer", 18944),
        Field("kv_heads", "Key-value heads", 4),
        Field("head_size", "Size of a head", 128),
        Field("vocabulary", "Vocabulary", 152064),
        Field(
            "tied",
            "Output layer",
            0,
            choices=((0, "its own weights"), (1, "tied to the embedding")),
        ),
        Field(
            "entropy",
            "Logits",
            WITHOUT_ENTROPY,
            choices=(
                (WITHOUT_ENTROPY, "no entropy, temperature 1"),
                (SCALED, "no entropy, another temperature"),
                (COMPILED_ENTROPY, "entropy, compiled"),
                (PLAIN_ENTROPY, "entropy, not compiled"),
            ),
        ),
        Field("fsdp", "Version of FSDP", FSDP1, choices=((FSDP1, "FSDP1"), (FSDP2, "FSDP2"))),
        Field("gpus", "GPUs that share the states", 8),
        Field("sp", "Ulysses size", 1),
        Field("length", "Prompt plus response, in tokens", 4096),
    ),
    results=(
        Result("state", "Weights, gradients, optimizer states, in GiB", 1),
        Result("gathered", "Gathered layers, in GiB", 1),
        Result("per_token", "Memory of a token, in KiB", 0),
        Result("free", "Left for tokens, in GiB", 1),
        Result("tokens", "Tokens on a GPU", 0),
        Result("samples", "Samples of full length in a micro-batch", 0),
    ),
    compute=compute,
    of_fsdp=True,
    refusals=(
        Refusal(
            "parameters",
            "Not possible: embedding and output layer alone have more parameters than the model.",
            ends_outweigh_model,
        ),
    ),
)
