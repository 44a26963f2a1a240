"""The tables of other trainers' names: the data, and nothing that it does not say."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from bs4 import BeautifulSoup

from snippet_checker.suggest import meanings
from tests.docs_ext.conftest import Project

Build = Callable[[str], tuple[BeautifulSoup, str]]

# Read in the other trainers' sources and in verl 0.9.1, not taken from the data.
TRUTH = (
    ("TRL", "max_completion_length", ["data.max_response_length"]),
    ("TRL", "epsilon_high", ["actor_rollout_ref.actor.clip_ratio_high"]),
    ("TRL", "num_iterations", ["actor_rollout_ref.actor.ppo_epochs", "critic.ppo_epochs"]),
    ("OpenRLHF", "train.max_epochs", ["actor_rollout_ref.actor.ppo_epochs", "critic.ppo_epochs"]),
    ("OpenRLHF", "num_episodes", ["trainer.total_epochs"]),
    ("OpenRLHF", "overlong_buffer_len", ["+reward.reward_kwargs.overlong_buffer_cfg.len"]),
    (
        "EasyR1",
        "offload_params",
        [
            "actor_rollout_ref.actor.fsdp_config.param_offload",
            "critic.fsdp.param_offload",
            "actor_rollout_ref.actor.megatron.param_offload",
        ],
    ),
    ("EasyR1", "rollout_batch_size", ["data.train_batch_size"]),
    ("NeMo-RL", "num_prompts_per_step", ["data.train_batch_size"]),
    ("AReaL", "valid_dataset", ["data.val_files"]),
    ("slime", "n_samples_per_prompt", ["actor_rollout_ref.rollout.n"]),
)
TRAINERS = sorted({whose for whose, *_ in TRUTH})


def written(whose: str, *notes: str) -> str:
    return "\n".join([f"```{{verl:trainers}} {whose}", *notes, "```"])


def cells(page: BeautifulSoup) -> dict[str, list[str]]:
    """The literals beside each name."""
    rows = [row.select("th, td") for row in page.select("table.other-trainer tbody tr")]
    return {
        name.get_text(): [code.get_text() for code in keys.select("code")]
        for names, keys, _ in rows
        for name in names.select("code")
    }


def test_rows_say_what_the_sources_say(project: Project) -> None:
    project.write(**{whose: written(whose) for whose in TRAINERS})
    project.write(index="```{toctree}\n" + "\n".join(TRAINERS) + "\n```")
    built = project.build()
    for whose, name, keys in TRUTH:
        assert cells(built.page(whose))[name] == keys, (whose, name)
    for whose in TRAINERS:
        names = dict.fromkeys(meaning.name for meaning in meanings.of_trainer(whose))
        shown = cells(built.page(whose))
        hidden = [name for name in names if name not in shown]
        assert shown.keys() == names.keys() - set(hidden)
        assert all(any(name.endswith(f".{other}") for other in shown) for name in hidden), hidden


def test_a_key_of_another_program_is_named_with_it(project: Project) -> None:
    project.write(index=written("slime"))
    shown = cells(project.build().page("index"))
    program = "verl.experimental.fully_async_policy.fully_async_main"
    assert shown["partial_rollout"] == ["async_training.partial_rollout", program]


def test_names_of_several_owners_make_one_table(project: Project) -> None:
    project.write(index=written("TRL PEFT"))
    shown = cells(project.build().page("index"))
    assert {"num_generations", "lora_dropout"} <= shown.keys()


def test_a_note_stands_beside_each_of_its_names(project: Project) -> None:
    notes = ["epsilon, cliprange: set `a`", "beta: off: by default"]
    project.write(index=written("TRL", *notes))
    page = project.build().page("index")
    rows = [row.select("th, td") for row in page.select("table.other-trainer tbody tr")]
    told = {names.get_text(): note.get_text() for names, _, note in rows}
    assert {names: note for names, note in told.items() if note} == {
        "epsilon, cliprange": "set a",
        "beta": "off: by default",
    }
    assert "num_mini_batches, local_mini_batch_size" in told


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (written("Nobody"), "no trainer 'Nobody' is known"),
        (written("common"), "no trainer 'common' is known"),
        (written("right"), "no trainer 'right' is known"),
        (written("TRL", "epsilonn: a"), "'epsilonn' is no name of TRL"),
        (written("TRL", "epsilon a"), "'epsilon a' lacks a colon after the names"),
    ],
)
def test_what_is_wrong_is_said(build: Build, text: str, message: str) -> None:
    assert message in build(text)[1]
