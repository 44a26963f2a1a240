"""How long it takes to see whether a text tells what became of its keys."""

from __future__ import annotations

import time

import pytest

from snippet_checker.pipeline import Options, check_text
from tests.configured import VERL

MANY = 1000
BUDGET = 8.0  # seconds; quadratic time takes several times as long, even on a slow machine
KEY = "`critic.model.fsdp_config.param_offload`"


@pytest.mark.parametrize(
    "piece", [f"{KEY} ", f"{KEY}, ", f"{KEY}\n", f"| {KEY} | x |\n", f"vLLM: {KEY} and "]
)
def test_time_grows_with_the_text_only(piece: str) -> None:
    started = time.process_time()
    check_text("page.md", piece * MANY, Options(VERL))
    assert time.process_time() - started < BUDGET


def test_a_release_of_many_digits_is_read() -> None:
    text = f"In verl 0.7.{'1' * 5000} `trainer.nnode` was there.\n"
    (finding,) = check_text("a.md", text, Options(VERL)).findings
    assert finding.key == "trainer.nnode"
