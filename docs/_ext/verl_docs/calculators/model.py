"""The parameters of a model that a plan is made for, and how much of the machine may be used."""

from __future__ import annotations

from verl_docs.calculators.form import GIB, Values

FULL, LORA = 0, 1
FSDP, MEGATRON = 0, 1
SHARED, SEPARATE = 0, 1
FITS, WITH_OFFLOAD, ON_CPU, TOO_SMALL, NO_ENGINE, NO_HOST = 1, 2, 3, 4, 5, 6
NODE = 8
"""GPUs of a node, at most."""
RESERVE = 0.15
"""Of a card in an update, for what the formulas leave out; our choice, as in the recipes."""
SAMPLES = 8
"""The most samples of full length in a micro-batch: more of them gain little."""


def matrix(v: Values) -> float:
    """Parameters of the embedding, or of the output head."""
    return v["vocabulary"] * v["hidden"]


def attention_and_norms(v: Values) -> float:
    queries, keys = v["heads"] * v["head_size"], v["kv_heads"] * v["head_size"]
    return 2 * v["hidden"] * queries + 2 * v["hidden"] * keys + 2 * v["hidden"]


def feed_forward(v: Values) -> float:
    """Parameters of the feed-forward layer, or of all experts of a layer."""
    return 3 * v["experts"] * v["hidden"] * v["feed_forward"]


def router(v: Values) -> float:
    return v["experts"] * v["hidden"] if v["experts"] > 1 else 0


def layer(v: Values) -> float:
    """Parameters of a layer: attention, feed-forward of all experts, their router, norms."""
    return attention_and_norms(v) + feed_forward(v) + router(v)


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


def usable(v: Values) -> float:
    return v["memory"] * GIB * (1 - RESERVE)


def in_layer(v: Values) -> float:
    """Bytes of a token while one layer is computed again and back."""
    inner = v["feed_forward"] * v["active"]
    return 26 * v["hidden"] + 4 * v["kv_heads"] * v["head_size"] + 12 * inner
