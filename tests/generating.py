"""On how many generated examples a property is tried.

The fast tests try some, so that they stay fast; `make test-slow` and `make test-all` try all, with
`--hypothesis-profile all`. The marker `hypothesis` says which of the fast tests are asked again.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hypothesis import HealthCheck, Phase, seed, settings

SOME, ALL = 20, 100
"""Examples of a property that asks for no number of its own."""


def tries(count: int, some: int | None = None) -> settings:
    """Try a property on `count` examples where all are tried, and else on `some` or its share."""
    if some is None:
        some = count * SOME // ALL
    return settings(max_examples=count if settings().max_examples == ALL else some)


def examples(count: int, number: int) -> Callable[[Any], Any]:
    """Try a property on `count` examples from the seed `number`, the same in each run.

    None is made smaller or kept.
    """
    chosen = settings(
        max_examples=count,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    return lambda test: seed(number)(chosen(test))
