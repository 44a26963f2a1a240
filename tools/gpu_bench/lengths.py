"""How long the prompts and the responses of a workload are: the same draw every time."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass
from typing import Literal

Shape = Literal["long-tailed", "even"]
_SPREAD = 0.9  # of the logarithm of a response's length
_LEAST_PROMPT = 64


@dataclass(frozen=True, slots=True)
class Lengths:
    """Tokens of each sequence of a batch; the prompt of a group is the same `n` times."""

    prompts: tuple[int, ...]
    responses: tuple[int, ...]

    @property
    def total(self) -> int:
        return sum(self.prompts) + sum(self.responses)


def draw(
    prompts: int, n: int, longest_prompt: int, longest_response: int, *, median: int, shape: Shape
) -> Lengths:
    """The lengths of `prompts` × `n` sequences.

    Long-tailed: prompts are drawn evenly, responses from a log-normal distribution around
    `median` that is cut at `longest_response`. Even: every length is the mean of that draw, so
    that both shapes have about the same number of tokens.
    """
    chance = random.Random(0)
    asked = [
        chance.randint(min(_LEAST_PROMPT, longest_prompt), longest_prompt) for _ in range(prompts)
    ]
    said = [
        max(1, min(longest_response, round(median * math.exp(chance.gauss(0, _SPREAD)))))
        for _ in range(prompts * n)
    ]
    if shape == "even":
        asked = [round(sum(asked) / len(asked))] * len(asked)
        said = [round(sum(said) / len(said))] * len(said)
    return Lengths(tuple(length for length in asked for _ in range(n)), tuple(said))
