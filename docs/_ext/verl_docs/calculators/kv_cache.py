"""How many sequences one replica of the rollout engine can hold at once."""

from __future__ import annotations

from verl_docs.calculators.form import GIB, Calculator, Field, Refusal, Result, Values

KIB = 1024


def compute(v: Values) -> Values:
    """GiB, KiB, tokens and sequences on one GPU of a replica.

    Weights are split over the tensor parallel GPUs. So are the key-value heads, until each GPU has
    one. The engine's fraction is taken of the whole card, as vLLM does.
    """
    weights = v["parameters"] * 1e9 * v["weight_bytes"] / v["tp"]
    heads = max(v["kv_heads"] / v["tp"], 1)
    per_token = 2 * v["layers"] * heads * v["head_size"] * v["cache_bytes"]
    room = v["utilization"] * v["memory"] * GIB - weights - v["reserve"] * GIB
    tokens = max(0, room // per_token)
    requests = v["batch"] * v["n"] / (v["gpus"] // v["tp"])
    return {
        "weights": weights / GIB,
        "per_token": per_token / KIB,
        "room": room / GIB,
        "tokens": tokens,
        "sequences": tokens // v["length"],
        "requests": requests,
    }


def splits_replicas(v: Values) -> bool:
    return v["gpus"] % v["tp"] != 0


KV_CACHE = Calculator(
    name="kv-cache",
    title="KV cache and concurrency",
    fields=(
        Field("parameters", "Parameters, in billions", 7.6, least=0.1, step=0.1),
        Field("weight_bytes", "Bytes per weight", 2, least=0.5, step=0.5),
        Field("layers", "Layers", 28),
        Field("kv_heads", "Key-value heads", 4),
        Field("head_size", "Size of a head", 128),
        Field("cache_bytes", "Bytes per cached number", 2, step=1),
        Field("memory", "Memory of a GPU, in GiB", 80),
        Field("utilization", "gpu_memory_utilization", 0.6, least=0.05, most=0.99, step=0.05),
        Field("reserve", "For activations and CUDA graphs, in GiB", 6, least=0, step=0.5),
        Field("tp", "Tensor parallel size", 1),
        Field("length", "Prompt plus response, in tokens", 4096),
        Field("gpus", "GPUs", 8),
        Field("batch", "data.train_batch_size", 256),
        Field("n", "rollout.n", 8),
    ),
    results=(
        Result("weights", "Weights on a GPU, in GiB", 1),
        Result("per_token", "Cache of a token on a GPU, in KiB", 1),
        Result("room", "Room for the cache, in GiB", 1),
        Result("tokens", "Tokens that fit", 0),
        Result("sequences", "Sequences of full length at once, per replica", 0),
        Result("requests", "Requests of a step, per replica", 0),
    ),
    compute=compute,
    refusals=(
        Refusal(
            "tp",
            "Not possible: a replica takes as many GPUs as the tensor parallel size says, so that "
            "size has to divide the number of GPUs.",
            splits_replicas,
        ),
    ),
)
