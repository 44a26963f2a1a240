"""How well token budgets are filled: the table that docs/guide/dynamic-batch-size.md cites.

    build/verify-recipes/venv/bin/python tools/fill_budgets.py

It needs no GPU, only an environment with verl, such as the one that `make verify-recipes` makes.
Random steps are distributed over ranks, divided into mini-batches and cut into micro-batches as
verl 0.9.1 does it (verl/trainer/ppo/v1/trainer_base.py, verl/workers/engine_workers.py,
verl/utils/seqlen_balancing.py), with verl's own partition function.
"""

from __future__ import annotations

import importlib
import math
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import mean
from typing import Any, TypeAlias

LONGEST = 4096  # tokens
RANKS, SAMPLES, STEPS = 8, 64, 20  # samples of a rank in a mini-batch; random steps
BUDGETS = (1, 1.25, 1.5, 1.75, 2, 3, 4, 8)  # in longest samples

Length: TypeAlias = Callable[[random.Random], int]


@dataclass(frozen=True, slots=True)
class Case:
    """The lengths of samples, and into how many mini-batches a training step is divided."""

    name: str
    length: Length
    mini_batches: int


def longest(draw: random.Random) -> int:
    return LONGEST


def even(draw: random.Random) -> int:
    return draw.randint(512, LONGEST)


def long_tailed(draw: random.Random) -> int:
    """Log-normal with a median of 1,000 tokens; about 4 % are cut off at the longest."""
    return min(LONGEST, math.ceil(draw.lognormvariate(math.log(1000), 0.8)))


CASES = (
    Case(f"all {LONGEST:,}", longest, 1),
    Case(f"even from 512 to {LONGEST:,}, 1 mini-batch", even, 1),
    Case(f"even from 512 to {LONGEST:,}, 4 mini-batches", even, 4),
    Case("long-tailed, 4 mini-batches", long_tailed, 4),
)


def main() -> None:
    balancing = importlib.import_module("verl.utils.seqlen_balancing")
    print("budget / longest", *(f"{case.name}: micro-batches, filled" for case in CASES), sep=" | ")
    for budget in BUDGETS:
        limit = int(budget * LONGEST)
        cells = []
        for case in CASES:
            draw = random.Random(1)
            steps = [mini_batches(balancing, draw, case) for _ in range(STEPS)]
            cuts = [cut(balancing, ranks, limit) for step in steps for ranks in step]
            passes, filled = (mean(column) for column in zip(*cuts, strict=True))
            cells.append(f"{passes:.1f}, {filled:.0%}")
        print(budget, *cells, sep=" | ", flush=True)


def mini_batches(balancing: Any, draw: random.Random, case: Case) -> list[list[list[int]]]:
    """The lengths of one step by mini-batch and rank.

    verl's trainer balances the whole step over the ranks. Each rank then takes its samples in the
    order in which they come, a mini-batch after the other, and nothing balances those.
    """
    lengths = [case.length(draw) for _ in range(RANKS * SAMPLES * case.mini_batches)]
    ranks = partition(balancing, lengths, RANKS, equal_size=True)
    starts = range(0, SAMPLES * case.mini_batches, SAMPLES)
    return [[rank[start : start + SAMPLES] for rank in ranks] for start in starts]


def cut(balancing: Any, ranks: Sequence[Sequence[int]], limit: int) -> tuple[int, float]:
    """How many micro-batches the ranks need, and the share of their limits that holds tokens."""
    count = max(min(len(rank), -(-sum(rank) // limit)) for rank in ranks)
    while True:
        parts = [partition(balancing, rank, count, equal_size=False) for rank in ranks]
        if all(sum(part) <= limit for rank in parts for part in rank):
            return count, sum(map(sum, ranks)) / (count * limit * len(ranks))
        count += 1


def partition(
    balancing: Any, lengths: Sequence[int], count: int, *, equal_size: bool
) -> list[list[int]]:
    """The lengths in parts of nearly the same work."""
    torch = importlib.import_module("torch")
    work = balancing.calculate_workload(torch.tensor(lengths)).tolist()
    places = balancing.get_seqlen_balanced_partitions(work, count, equal_size=equal_size)
    return [[lengths[place] for place in part] for part in places]


if __name__ == "__main__":
    main()
