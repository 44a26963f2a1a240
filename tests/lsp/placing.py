"""Texts with a cursor in them."""

from __future__ import annotations

from dataclasses import dataclass

CURSOR = "‸"


@dataclass(frozen=True)
class Placed:
    """A text, and where in it the cursor stood: the line, and the unit of UTF-16."""

    text: str
    line: int
    character: int


def placed(marked: str) -> Placed:
    """The text without its mark."""
    before, _, after = marked.partition(CURSOR)
    line = before.rpartition("\n")[2]
    return Placed(before + after, before.count("\n"), len(line.encode("utf-16-le")) // 2)


def cut(text: str, place: dict[str, dict[str, int]]) -> str:
    """What stands in the place that a server names."""
    start, end = place["start"], place["end"]
    assert start["line"] == end["line"]
    line = text.split("\n")[start["line"]].encode("utf-16-le")
    return line[2 * start["character"] : 2 * end["character"]].decode("utf-16-le")
