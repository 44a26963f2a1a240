"""Which cases of a test are fast, where all of them together would take long."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import pytest
from _pytest.mark import ParameterSet


def slow_where(is_slow: Callable[[Any], bool], cases: Iterable[Any]) -> list[ParameterSet]:
    """The cases as parameters; those of which this is true are among the slow tests."""
    return [pytest.param(case, marks=[pytest.mark.slow] if is_slow(case) else []) for case in cases]


def every_nth_fast(step: int, cases: Iterable[Any]) -> list[ParameterSet]:
    """The cases as parameters; all but each `step`th are among the slow tests."""
    return [
        pytest.param(case, marks=[pytest.mark.slow] if number % step else [])
        for number, case in enumerate(cases)
    ]
