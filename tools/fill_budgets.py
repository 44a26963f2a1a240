"""How well token budgets are filled: the table that docs/guide/dynamic-batch-size.md cites.

    build/verify-recipes/venv/bin/python tools/fill_budgets.py

It needs no GPU, only an environment with verl, such as the one that `make verify-recipes` makes.
Random batches are distributed over ranks and cut into micro-batches as verl 0.9.1 does it
(verl/utils/seqlen_balancing.py), with verl's own partition function.
"""

from __future__ import annotations

import importlib
import random
from collections.abc import Callable, Sequence
from statistics import mean
from typing import Any

LONGEST = 4096  # tokens
RANKS, SAMPLES, BATCHES = 8, 64, 20  # samples of each rank
BUDGETS = (1, 1.25, 1.5, 1.75, 2, 3, 4, 8)  # in longest samples
LENGTHS: dict[str, Callable[[random.Random], int]] = {
    f"all {LONGEST:,}": lambda draw: LONGEST,
    f"even from 512 to {LONGEST:,}": lambda draw: draw.randint(512, LONGEST),
}


def main() -> None:
    balancing = importlib.import_module("verl.utils.seqlen_balancing")
    print("budget / longest", *(f"{name}: micro-batches, filled" for name in LENGTHS), sep=" | ")
    for budget in BUDGETS:
        limit = int(budget * LONGEST)
        cells = []
        for length in LENGTHS.values():
            draw = random.Random(1)
            cuts = [cut(balancing, batch(balancing, draw, length), limit) for _ in range(BATCHES)]
            passes, filled = (mean(column) for column in zip(*cuts, strict=True))
            cells.append(f"{passes:.1f}, {filled:.0%}")
        print(budget, *cells, sep=" | ")


def batch(
    balancing: Any, draw: random.Random, length: Callable[[random.Random], int]
) -> list[list[int]]:
    """The lengths of one batch by rank, balanced as verl's trainer does."""
    lengths = [length(draw) for _ in range(RANKS * SAMPLES)]
    return partition(balancing, lengths, RANKS, equal_size=True)


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
