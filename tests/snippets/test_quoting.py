"""What the shell does to a command; `tests/cases/quoting.sh` has the rest, line by line."""

from __future__ import annotations

import pytest

from snippet_checker.pipeline import Options, check_text
from snippet_checker.text.places import Span

LINES = ["#!/bin/bash", "python3 -m verl.trainer.main_ppo \\", "    trainer.nnodes=1", ""]
OPTIONS = Options("0.9.1")


@pytest.mark.parametrize(
    ("lines", "place"),
    [
        (LINES, Span("run.sh", 2, 34, 2, 35)),  # the backslash
        (["", "python3 -m verl.trainer.main_ppo trainer.nnodes='1'"], None),
        (["python3 -m verl.trainer.main_ppo trainer.nnodes=1", ""], Span("run.sh", 1, 49, 1, 50)),
        (["python3 -m verl.trainer.main_ppo trainer.nnodes='1'", ""], Span("run.sh", 1, 50, 1, 51)),
        (["python3 -m verl.trainer.main_ppo trainer.nnodes=1 | tee log", ""], None),
    ],
)
def test_a_carriage_return_breaks_a_command_of_a_script(
    lines: list[str], place: Span | None
) -> None:
    findings = check_text("run.sh", "\r\n".join(lines), OPTIONS).findings
    assert [(finding.rule, finding.span) for finding in findings] == (
        [("shell-quoting", place)] if place is not None else []
    )


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("run.sh", "\n".join(LINES)),
        ("page.md", "\r\n".join(["```bash", *LINES, "```"])),  # who copies it gets its lines
    ],
)
def test_other_line_ends_do_no_harm(name: str, text: str) -> None:
    assert check_text(name, text, OPTIONS).findings == ()
