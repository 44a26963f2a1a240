"""Where the keys and values of expanded words stand."""

from __future__ import annotations

import pytest

from snippet_checker import documents, snippets
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
