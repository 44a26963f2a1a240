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
        ("run.sh", "srun python scripts/serve.py \\\r\n  --port 1\r\n"),  # nothing of verl's
    ],
)
def test_other_line_ends_do_no_harm(name: str, text: str) -> None:
    assert check_text(name, text, OPTIONS).findings == ()


SIZE = "actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu"
WHOLE = "data.train_files=a actor_rollout_ref.model.path=b"
LAUNCH = f"python3 -m verl.trainer.main_ppo {WHOLE} {SIZE}="
MORE = "    actor_rollout_ref.rollout.log_prob_micro_batch_size_per_gpu=1"
CUT_OFF = (
    "'actor_rollout_ref.rollout.log_prob_micro_batch_size_per_gpu' does not reach the program: "
)


@pytest.mark.parametrize("value", ["1", "$SIZE", '"${SIZE:-1}"', "$(size)"])
@pytest.mark.parametrize(
    ("between", "reason"),
    [
        (" \\\n# a comment\n", "the comment in line 3 ends the command above"),
        (" \\\n\n# a comment\n", "the empty line in line 3 ends the command above"),
        ("\n", "the line above does not end in a backslash, so it ends the command"),
    ],
)
def test_what_is_behind_the_end_of_a_command_is_not_missed_in_it(
    value: str, between: str, reason: str
) -> None:
    """The batch size below would be missing: that is a consequence, and the end is the cause."""
    text = f"SIZE=$1\n{LAUNCH}{value}{between}{MORE}\n"
    found = [(one.rule, one.message) for one in check_text("run.sh", text, OPTIONS).findings]
    assert found == [("shell-quoting", CUT_OFF + reason)]


@pytest.mark.parametrize("sign", ["(b|c)", "&", ";"])
def test_a_sign_of_the_shell_in_a_value_ends_the_command(sign: str) -> None:
    text = f"{LAUNCH}1{sign} \\\n{MORE}\n"
    found = [(one.rule, one.message) for one in check_text("run.sh", text, OPTIONS).findings]
    reason = f"the unquoted '{sign[0]}' in line 1 ends the command above"
    assert ("shell-quoting", CUT_OFF + reason) in found


def test_a_command_that_ends_misses_what_it_lacks() -> None:
    text = f"{LAUNCH}1\n\necho {MORE.strip()}\n"
    assert "conflicting-settings" in {
        one.rule for one in check_text("a.sh", text, OPTIONS).findings
    }


@pytest.mark.parametrize(
    ("value", "rules"),
    [
        ("[path to save model]", []),
        ("[the path of your checkpoint]", []),
        ("[console wandb swanlab]", ["shell-quoting"]),  # a list without its commas
        ("[path, to, data]", ["shell-quoting"]),
        ("[to data]", ["shell-quoting"]),
    ],
)
def test_words_in_brackets_that_the_reader_puts_in(value: str, rules: list[str]) -> None:
    given = f"trainer.default_local_dir={value} trainer.nnodes=2\n"
    script = f"python3 -m verl.trainer.main_ppo {given}"
    found = check_text("run.sh", script, OPTIONS).findings
    assert [one.rule for one in found if one.rule != "conflicting-settings"] == rules


@pytest.mark.parametrize(
    ("value", "rules"),
    [
        ("your path to the model", []),
        ("/data/your model/a", []),
        ("Your model", []),
        ("my path to the model", ["shell-quoting"]),
        ("your", []),
    ],
)
def test_words_in_a_variable_that_the_reader_puts_in(value: str, rules: list[str]) -> None:
    given = "trainer.default_local_dir=runs/$MODEL/a.parquet trainer.nnodes=2\n"
    script = f'MODEL="{value}"\npython3 -m verl.trainer.main_ppo {given}'
    found = check_text("run.sh", script, OPTIONS).findings
    assert [one.rule for one in found if one.rule != "conflicting-settings"] == rules
