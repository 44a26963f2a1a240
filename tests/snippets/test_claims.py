"""How long stated defaults take to read."""

from __future__ import annotations

import time

import pytest

from snippet_checker.documents import read_text
from snippet_checker.snippets import claims

MANY = 2000
BUDGET = 5.0  # seconds; quadratic time takes several times as long, even on a slow machine


@pytest.mark.parametrize(
    "piece", ["`a` default ", "`a` defaults to `b` ", "`a`\n: Default: 3\n", "- `a.b` x. ", "`a. "]
)
def test_time_grows_with_the_text_only(piece: str) -> None:
    (block, *_) = read_text("page.md", piece * MANY)
    started = time.process_time()
    list(claims.read(block))
    assert time.process_time() - started < BUDGET
