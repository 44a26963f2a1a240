"""Which releases have a key, as the index of all snapshots says."""

from __future__ import annotations

import pytest

from snippet_checker.verl import key_index
from snippet_checker.verl.release import SNAPSHOTS, load, releases


def test_the_index_is_that_of_the_snapshots() -> None:
    text = (SNAPSHOTS / key_index.FILE_NAME).read_text(encoding="utf-8")
    assert text == key_index.dump(map(load, releases())), "run make schemas"


@pytest.mark.parametrize(
    ("key", "having"),
    [
        ("actor_rollout_ref.rollout.chat_scheduler", ("0.4.0",)),
        ("actor_rollout_ref.rollout.chat_*", ("0.4.0",)),
        ("trainer.*_epochs", releases()),
        ("trainer.nothing", ()),
        ("trainer.no*thing", ()),
    ],
)
def test_the_releases_of_a_key(key: str, having: tuple[str, ...]) -> None:
    assert key_index.releases_with(key) == having


def test_what_is_older_and_newer() -> None:
    key = "actor_rollout_ref.rollout.chat_scheduler"
    assert key_index.last_before(key, "0.9.1") == key_index.first_after(key, "0.1") == "0.4.0"
    assert key_index.last_before(key, "0.4.0") is key_index.first_after(key, "0.4.0") is None
