"""Releases stand in the order of their numbers, which is not that of their letters."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from snippet_checker.verl import release


@pytest.fixture
def snapshots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setattr(release, "SNAPSHOTS", tmp_path)
    release.releases.cache_clear()
    yield tmp_path
    release.releases.cache_clear()


def test_ten_comes_after_nine(snapshots: Path) -> None:
    ordered = ["0.1", "0.2", "0.2.0.post1", "0.9.0", "0.9.1", "0.10.0", "0.11.0", "1.0.0"]
    for name in ordered:
        (snapshots / f"{name}.json").touch()
    assert release.releases() == tuple(ordered)
    assert release.newest() == "1.0.0"
