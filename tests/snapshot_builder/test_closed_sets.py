"""Where the words stand that verl's code compares settings with."""

from __future__ import annotations

from snippet_checker.snapshot_builder.closed_sets import places
from snippet_checker.verl.release import load, releases


def test_every_place_is_found_in_some_release() -> None:
    found = {
        (words.keys, words.source.rpartition(": ")[2])
        for name in releases()
        for words in load(name).facts.closed_sets
    }
    assert {(place.keys, place.name) for place in places()} == found
