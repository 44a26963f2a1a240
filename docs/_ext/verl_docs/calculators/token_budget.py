"""A token budget for dynamic batch size."""

from __future__ import annotations

import math

from verl_docs.calculators.form import Calculator, Field, Refusal, Result, Values

MARGIN = 1.1
"""What is added because samples cannot be divided; our choice."""


def compute(v: Values) -> Values:
    """Tokens and micro-batches on one data-parallel rank; the budget is NaN where none fits."""
    ranks = v["gpus"] / v["sp"]
    samples = v["mini_batch"] * v["n"] / ranks
    load = v["mean"] * samples
    most = v["tokens"] * v["sp"] // v["length"]  # samples of full length that memory allows
    least = math.ceil(v["length"] / v["sp"])
    if most < 1:
        passes = budget = math.nan
    else:
        passes = max(1, math.ceil(MARGIN * load / (most * v["length"])))
        full = min(most, max(1, math.ceil(MARGIN * load / (passes * v["length"]))))
        budget = math.ceil(full * v["length"] / v["sp"])
    return {"ranks": ranks, "load": load, "least": least, "passes": passes, "budget": budget}


def splits_sequences(v: Values) -> bool:
    return v["gpus"] % v["sp"] != 0


def exceeds_longest(v: Values) -> bool:
    return v["mean"] > v["length"]


TOKEN_BUDGET = Calculator(
    name="token-budget",
    title="Token budget",
    fields=(
        Field("tokens", "Tokens that fit on a GPU", 91946),
        Field("length", "Longest prompt plus response, in tokens", 4096),
        Field("mean", "Prompt plus response on average, in tokens", 1700),
        Field("mini_batch", "ppo_mini_batch_size", 64),
        Field("n", "rollout.n", 8),
        Field("gpus", "GPUs", 8),
        Field("sp", "Ulysses size", 1),
    ),
    results=(
        Result("ranks", "Data-parallel ranks", 0),
        Result("load", "Tokens of a rank and optimizer step", 0),
        Result("least", "Smallest budget that verl accepts", 0),
        Result("passes", "Micro-batches", 0),
        Result("budget", "Budget: ppo_max_token_len_per_gpu", 0),
    ),
    compute=compute,
    of_fsdp=True,
    refusals=(
        Refusal(
            "sp",
            "Not possible: a sequence is split over as many GPUs as the Ulysses size says, so that "
            "size has to divide the number of GPUs.",
            splits_sequences,
        ),
        Refusal(
            "mean",
            "Not possible: the average is longer than the longest sample.",
            exceeds_longest,
        ),
    ),
)
