"""Properties that are tried on a fixed number of generated examples, the same in each run."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hypothesis import HealthCheck, Phase, seed, settings


def examples(count: int, number: int) -> Callable[[Any], Any]:
    """Try a property on `count` examples from the seed `number`; none is made smaller or kept."""
    chosen = settings(
        max_examples=count,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    return lambda test: seed(number)(chosen(test))
