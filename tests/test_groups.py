"""Tests that share what takes long to make run in one process."""

from __future__ import annotations

import pytest


@pytest.mark.xdist_group("named")
def test_processes_that_share_the_tests_are_told_their_groups(
    request: pytest.FixtureRequest,
) -> None:
    """Where groups are asked for, as `make test` does: their name is all that says it."""
    if getattr(request.config.option, "loadgroup", False):
        assert request.node.nodeid.endswith("@named")
