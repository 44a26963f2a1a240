"""Where the keys and values of expanded words stand."""

from __future__ import annotations

import pytest

from snippet_checker import documents, snippets
from snippet_checker.pipeline import Options, check_text
from tests.placing import text_at

SET = "ACTOR=actor_rollout_ref.actor\nNAME=use_dynamic\nSIZE=8\n"


@pytest.mark.parametrize(
    ("argument", "key", "value"),
    [
        ("$ACTOR.use_dynamic_bsz=True", "$ACTOR.use_dynamic_bsz", "True"),
        ("${ACTOR}.use_dynamic_bsz=True", "${ACTOR}.use_dynamic_bsz", "True"),
        ('"${ACTOR}".use_dynamic_bsz=True', '${ACTOR}".use_dynamic_bsz', "True"),
        ("actor.$NAME=True", "actor.$NAME", "True"),
        ("actor.${NAME}_bsz=True", "actor.${NAME}_bsz", "True"),
        ("$ACTOR.$NAME=True", "$ACTOR.$NAME", "True"),
        ("trainer.nnodes=$SIZE", "trainer.nnodes", "8"),
        ("trainer.project_name=x-$SIZE", "trainer.project_name", "x-$SIZE"),
        ("trainer.project_name=$SIZE-$NAME", "trainer.project_name", "$SIZE-$NAME"),
        ('actor."use"_dynamic=True', 'actor."use"_dynamic', "True"),
    ],
)
def test_what_variables_are_part_of_stands_where_it_is_used(
    argument: str, key: str, value: str
) -> None:
    source = f"{SET}python3 -m verl.trainer.main_ppo {argument}\n"
    (block,) = documents.read_text("launch.sh", source)
    (setting,) = (s for snippet in snippets.read(block) for s in snippet.settings)
    assert text_at(source, setting.span) == key
    assert setting.value_span is not None
    assert text_at(source, setting.value_span) == value


TEMPLATE = """\
python3 -m verl.trainer.main_ppo trainer.nnodes={nnodes} data.seed={seed} \\
    actor_rollout_ref.model.path=/models/{size} actor_rollout_ref.rollout.name=vllm
"""


@pytest.mark.parametrize(
    ("script", "number"),
    [
        (TEMPLATE, 0),
        (TEMPLATE.replace("{seed}", "1"), 2),  # of so few, each may be a slip
        (f"nnodes=1\n{TEMPLATE}", 3),  # which lacks a dollar sign
        # A variable that is to be its own name stands for what somebody puts there.
        ("export MODEL='{model}'\npython3 -m verl.trainer.main_ppo data.train_files=$MODEL/a", 0),
        ('MODEL={MODEL}\npython3 -m verl.trainer.main_ppo data.train_files="$MODEL"', 0),
        ("MODEL='{name}'\npython3 -m verl.trainer.main_ppo data.train_files=$MODEL/a", 1),
    ],
)
def test_a_script_that_a_program_fills_in(script: str, number: int) -> None:
    findings = check_text("base.sh", script, Options("0.9.1")).findings
    assert [one.rule for one in findings].count("override-syntax") == number


@pytest.mark.parametrize(
    ("argument", "rules"),
    [
        ("+++trainer.nnodes=<n>", ["override-syntax"]),
        ("a b=<your path>", ["override-syntax"]),
        ("trainer.nnodes=<n>", []),
    ],
)
def test_the_key_counts_where_a_reader_fills_the_value_in(argument: str, rules: list[str]) -> None:
    script = f"python3 -m verl.trainer.main_ppo '{argument}'\n"
    findings = check_text("a.sh", script, Options("0.9.1")).findings
    assert [one.rule for one in findings] == rules
