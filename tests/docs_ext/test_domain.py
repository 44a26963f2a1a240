"""Roles and directives of the pages: what they print, and what breaks the build."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from bs4 import BeautifulSoup

from tests.configured import VERL

Build = Callable[[str], tuple[BeautifulSoup, str]]
ROLLOUT = "\n\n```{verl:keys} verl.trainer.main_ppo\nactor_rollout_ref.rollout\n```"


def test_a_key_links_to_its_row_and_says_what_it_takes(build: Build) -> None:
    page, _ = build("{verl:key}`~actor_rollout_ref.rollout.max_num_seqs`" + ROLLOUT)
    link = page.select_one("p > a.reference")
    assert link is not None
    assert link.text == "max_num_seqs"
    assert link["title"] == "a whole number · default 256 · since 0.1"
    assert page.find(id=str(link["href"]).lstrip("#")) is not None


def test_facts_come_from_the_schema(build: Build) -> None:
    page, warnings = build(
        "{verl:default}`actor_rollout_ref.rollout.gpu_memory_utilization`"
        " {verl:since}`trainer.v1.trainer_mode` {verl:source}`verl/trainer/main_ppo.py`"
    )
    paragraph = page.select_one("p")
    assert warnings == ""
    assert paragraph is not None
    assert paragraph.text == "0.5 0.9.0 main_ppo.py"
    link = paragraph.select_one("a")
    assert link is not None
    assert str(link["href"]).endswith(f"/blob/v{VERL}/verl/trainer/main_ppo.py")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{verl:key}`actor_rollout_ref.actor.use_dynamic_batchsize`", "reference target not found"),
        ("{verl:default}`trainer.nnode`", "has no key 'trainer.nnode'"),
        ("{verl:default}`trainer.default_local_dir`", "has no default that is known before a run"),
        ("{verl:since}`trainer.nnode`", "has no key 'trainer.nnode'"),
        ("{verl:source}`verl/workers/fsdp_workers.py`", "has no file 'verl/workers/fsdp_w"),
        ("```{verl:settings}\ntrainer.nnode\n```", "has no key 'trainer.nnode'"),
        (
            "```{verl:settings}\nsandbox_fusion.url\n```",
            "describes 'sandbox_fusion.url'",
        ),
        ("```{verl:keys} verl.trainer.main\n```", "'verl.trainer.main' is none of"),
        ("```{verl:keys} verl.trainer.main_ppo\ndata\nactor\n```", "has no key in 'actor'"),
        ("```{verl:changes} 0.1\n```", "'0.1' is no release with one before it"),
        ("```{verl:names} odd\n```", "'odd' is none of invented, moved, dropped"),
        ("```{verl:diagram} odd\n```", "there is no diagram 'odd'"),
        ("```{verl:calculator} odd\n```", "there is no calculator 'odd'"),
    ],
)
def test_what_is_not_there_breaks_the_build(build: Build, text: str, message: str) -> None:
    assert message in build(text)[1]


def test_settings_are_listed_in_their_order(build: Build) -> None:
    names = ["actor_rollout_ref.rollout.n", "actor_rollout_ref.rollout.name"]
    page, _ = build("```{verl:settings}\n" + "\n".join(names) + "\n```" + ROLLOUT)
    rows = page.select("table.config-settings tbody tr")
    assert [row.select("td p")[0].text.strip() for row in rows] == names
    assert rows[0].select("td p")[1].text == "default 1 · a whole number · since 0.2"
    assert rows[1].select("td p")[1].text.startswith("none, must be set · vllm, sglang, trtllm")


def test_a_reference_row_says_what_is_special(build: Build) -> None:
    page, _ = build(
        "```{verl:keys} verl.trainer.main_ppo\ncritic.*\nactor_rollout_ref.actor.megatron.*\n```"
    )

    def row(key: str) -> str:
        found = page.find(id=f"key-{key}")
        assert found is not None
        return found.text

    assert "append it with +" in row("critic.ppo_infer_max_token_len_per_gpu")
    assert "Only with model_engine=megatron" in row("actor_rollout_ref.actor.megatron.dtype")
    assert "from actor_rollout_ref.actor.use_dynamic_bsz" in row("critic.use_dynamic_bsz")
    assert "use critic.fsdp.ulysses_sequence_parallel_size" in row(
        "critic.ulysses_sequence_parallel_size"
    )
