"""Estimated steps of recipes: the fit, what it leaves out, and what a page shows of it."""

from __future__ import annotations

import re
import shlex
from dataclasses import replace
from pathlib import Path

import pytest

from gpu_bench import rows
from tests.docs_ext.conftest import ROOT, Project
from tests.docs_ext.test_measured import cells
from verl_docs import step_model
from verl_docs.estimated import settings
from verl_docs.step_estimates import Basis, of_script, offloaded
from verl_docs.step_model import CARD, PHASES, Fit, Job, of_name, of_row, solved

KNOWN = rows.read(sorted((ROOT / "docs/measurements").glob("*.jsonl")))
RECIPES = ROOT / "docs/recipes"
SEVEN = of_name("Qwen/Qwen2.5-7B-Instruct")
JOB = Job(SEVEN, gpus=8, responses=4096, prompt=256, answer=768, longest=3072, at_once=512)
ESTIMATED = ["tight-memory", "long-context", "multi-node", "moe-megatron", "large-moe"]
ESTIMATED += ["vision-language", "distillation"]


def test_factors_are_found_again_and_none_is_negative() -> None:
    terms = [(1.0, 2e9), (3.0, 1e9), (5.0, 7e9)]
    assert solved(terms, [a + b * 2e-9 for a, b in terms]) == pytest.approx((1, 2e-9))
    assert solved(terms, [a - b * 1e-11 for a, b in terms])[1] == 0
    assert solved([(1.0, 0.0), (2.0, 0.0)], [2.0, 4.0]) == pytest.approx((2, 0))


def test_an_engine_runs_until_its_last_response_has_ended() -> None:
    rounds, *_rest = step_model.generation(JOB)
    assert rounds == 768 + (3072 - 768)  # all 512 of an engine at once
    rounds, *_rest = step_model.generation(replace(JOB, at_once=256))
    assert rounds == 2 * 768 + (3072 - 768)
    even = replace(JOB, answer=3072, at_once=256)
    assert step_model.generation(even)[0] == 2 * 3072


def test_a_token_costs_more_in_a_longer_sequence_and_with_more_micro_batches() -> None:
    short, long = (replace(JOB, longest=each) for each in (768, 3072))
    assert step_model.forward(long)[0] > step_model.forward(short)[0]
    assert step_model.forward(replace(JOB, forward_budget=65536))[1] == 28 * 8
    assert step_model.update(replace(JOB, minis=4, budget=49152))[1] == 28 * 4 * 3


def test_the_work_of_a_recipe_is_what_its_script_asks_for() -> None:
    script = (RECIPES / "ppo-critic.sh").read_text("utf-8")
    job = step_model.of_settings(settings(shlex.split(script, comments=True)), SEVEN, 8)
    # One answer a prompt; actor, reference model and critic; actor and critic.
    assert (job.responses, job.others, job.updates) == (1024, 2, 2)
    assert (job.prompt, job.answer, job.engine) == (256, 768, 1)


def test_shorter_responses_help_a_long_context_as_much_as_its_page_says() -> None:
    script = (RECIPES / "long-context.sh").read_text("utf-8")
    own = settings(shlex.split(script, comments=True))
    job = step_model.of_settings(own, of_name("Qwen2.5-14B-Instruct"), 8)
    half = replace(job, answer=job.answer / 2, longest=job.longest / 2)
    fit = Fit.of(step_model.on_card(KNOWN))
    share = fit.seconds("generation", half) / fit.seconds("generation", job)
    assert round(share, 1) == 0.4
    assert "would take 0.4 times as long" in (RECIPES / "long-context.md").read_text("utf-8")


def test_a_mixture_uses_some_of_its_parameters() -> None:
    model = of_name("$HOME/models/Qwen3-30B-A3B")
    assert (round(model.parameters / 1e9, 1), round(model.active / 1e9, 1)) == (30.5, 3.4)
    assert of_name("Qwen/Qwen2.5-VL-7B-Instruct") == SEVEN
    with pytest.raises(LookupError, match="the shape of Own is not known"):
        of_name("Own-Instruct")


def test_runs_that_are_no_measure_of_others_are_left_out() -> None:
    named = [(set(settings(row["run"]["overrides"])), row) for row in KNOWN]
    eager = "actor_rollout_ref.rollout.enforce_eager"
    assert any(eager in keys for keys, _ in named)
    for keys, row in named:
        if eager in keys or row["status"] != "ok":
            assert not any(step_model.usable(row, phase) for phase in PHASES.values())
    used = [row for row in KNOWN if step_model.usable(row, PHASES["update"])]
    assert len(used) > 30
    assert {of_row(row).model.layers for row in used} == {28}


def test_a_run_is_estimated_without_its_own_rows() -> None:
    """Rows that say something else of one run change every estimate but that of the run."""
    [held] = [
        each
        for each in step_model.held_out(KNOWN)
        if each.variant.base == "recipe-lora" and each.card == CARD
    ]
    digest = held.variant.run.digest
    changed = [
        {**row, "samples": [{**s, "gen_s": 10 * s["gen_s"]} for s in row["samples"]]}
        if row["digest"] == digest
        else row
        for row in KNOWN
    ]
    again = [each for each in step_model.held_out(changed) if each.variant == held.variant]
    assert again[0].estimated == held.estimated
    assert again[0].measured["generation"] == pytest.approx(10 * held.measured["generation"])


def test_steps_that_were_held_out_are_as_near_as_the_pages_say() -> None:
    found = [*step_model.held_out(KNOWN)]
    own = [each for each in found if each.card == CARD]
    assert (len(own), len(found)) == (10, 24)
    least, most = step_model.spread(KNOWN)
    assert (round(least, 2), round(most, 2)) == (0.86, 1.22)
    page = (RECIPES / "index.md").read_text("utf-8")
    assert "from 14 % shorter than their estimate to 22 % longer" in page
    others = sorted(each.ratio for each in found if each.card != CARD)
    assert [round(each, 2) for each in (others[0], *others[-4:])] == [0.69, 0.97, 1.08, 1.12, 1.15]
    assert "On H200, 11 of the 14 steps were 3 to 31 % shorter" in page
    assert "The other three, with 1.5B models on two GPUs, were 8, 12 and 15 % longer" in page
    parts = [
        each.measured[name] / each.estimated[name]
        for each in own
        for name in ("generation", "forward", "update")
    ]
    assert (round(min(parts), 1), round(max(parts), 1)) == (0.6, 1.7)
    assert "a single part from 0.6 to 1.7 times its estimate" in page


@pytest.mark.parametrize(
    ("recipe", "bases"),
    [
        ("high-throughput", {Basis.FITTED, Basis.SCALED}),
        ("tight-memory", {Basis.FITTED, Basis.SCALED, Basis.ONE_ROW}),
        ("vision-language", {Basis.FITTED, Basis.SCALED, Basis.ABSENT}),
        ("distillation", {Basis.FITTED, Basis.SCALED, Basis.BOUND}),
        ("moe-megatron", {Basis.BOUND, Basis.ABSENT}),
        ("large-moe", {Basis.BOUND, Basis.ABSENT}),
        ("sft", {Basis.FITTED}),
    ],
)
def test_a_part_says_what_it_rests_on(recipe: str, bases: set[Basis]) -> None:
    step = of_script(RECIPES / f"{recipe}.sh", KNOWN)
    assert {part.basis for part in step.parts} == bases


def test_what_runs_beside_others_is_not_in_the_sum() -> None:
    step = of_script(RECIPES / "distillation.sh", KNOWN)
    [teacher] = [part for part in step.parts if part.name == "teacher"]
    others = sum(part.seconds for part in step.parts if part is not teacher)
    assert (teacher.beside, step.total) == (True, pytest.approx(others))
    # 524,288 tokens, two operations for each of 32.8 billion parameters, four cards.
    assert teacher.seconds == pytest.approx(524288 * 2 * 32.76e9 / 4 / 989e12, rel=0.01)
    assert step.is_fitted
    assert not step.is_bound


def test_a_bound_counts_what_the_card_must_read_and_compute() -> None:
    step = of_script(RECIPES / "moe-megatron.sh", KNOWN)
    seconds = {part.name: part.seconds for part in step.parts}
    # 4 engines with 512 responses of 1,792 tokens each, all at once; a quarter of it on a GPU.
    read = 2 * 30.53e9 * 1792 + 2 * 3.35e9 * (7168 - 1792) + 512 * 1792 * 2048 * 98304
    assert seconds["generation"] == pytest.approx(read / 4 / 3.35e12, rel=0.01)
    assert seconds["update"] == pytest.approx(4 * seconds["forward"])


def test_the_state_on_the_cpu_costs_what_one_run_paid_for_each_parameter() -> None:
    step = of_script(RECIPES / "tight-memory.sh", KNOWN)
    script = (RECIPES / "tight-memory.sh").read_text("utf-8")
    job = step_model.of_settings(settings(shlex.split(script, comments=True)), SEVEN, 2)
    fitted = Fit.of(step_model.on_card(KNOWN)).seconds("update", job)
    [update] = [part for part in step.parts if part.name == "update"]
    # The same model, GPUs and optimizer steps as in the run: 23.66 s, without it 4.81 s.
    assert update.seconds - fitted == pytest.approx(23.66 - 4.81, rel=0.01)


def test_the_state_on_the_cpu_costs_each_optimizer_step_and_less_on_more_gpus() -> None:
    script = (RECIPES / "tight-memory.sh").read_text("utf-8")
    four = script.replace("trainer.n_gpus_per_node=2", "trainer.n_gpus_per_node=4")
    often = script.replace("ppo_mini_batch_size=32", "ppo_mini_batch_size=8")
    told = {name: _beyond_the_fit(text) for name, text in (("4", four), ("8 steps", often))}
    assert told == pytest.approx({"4": 18.85 / 2, "8 steps": 18.85 * 4}, rel=0.01)


def _beyond_the_fit(script: str) -> float:
    """Seconds that the state on the CPU adds to an update."""
    own = settings(shlex.split(script, comments=True))
    job = step_model.of_settings(own, SEVEN, int(own["trainer.n_gpus_per_node"]))
    fit = Fit.of(step_model.on_card(KNOWN))
    [update] = [part for part in offloaded(job, fit, KNOWN) if part.name == "update"]
    return update.seconds - fit.seconds("update", job)


def test_a_teacher_does_not_train() -> None:
    rows = [row for row in KNOWN if "distillation.enabled=True" in row["run"]["overrides"]]
    assert [(row["run"]["gpus"], of_row(row).gpus) for row in rows] == [(2, 1)] * 2


def test_a_speed_without_a_row_is_named() -> None:
    with pytest.raises(LookupError, match="no row says how long"):
        of_script(RECIPES / "dapo.sh", [row for row in KNOWN if row["run"]["kind"] == "engine"])


@pytest.mark.parametrize("name", ESTIMATED)
def test_a_recipe_that_never_ran_has_its_parts_on_its_page(name: str) -> None:
    page = (RECIPES / f"{name}.md").read_text("utf-8")
    assert f"```{{verl:step-estimates}} {name}\n```" in page


def test_every_recipe_is_on_the_page_of_all() -> None:
    page = (RECIPES / "index.md").read_text("utf-8")
    [told] = re.findall(r"\{verl:step-estimates\} (.+)", page)
    assert sorted(told.split()) == sorted(path.stem for path in RECIPES.glob("*.sh"))


def test_a_page_shows_parts_and_their_sum(project: Project) -> None:
    folder = project.source / "measurements"
    folder.mkdir()
    for file in (ROOT / "docs/measurements").glob("*.jsonl"):
        (folder / file.name).write_text(file.read_text("utf-8"), "utf-8")
    for name in ("moe-megatron", "distillation"):
        script = (RECIPES / f"{name}.sh").read_text("utf-8")
        Path(project.source, f"{name}.sh").write_text(script, "utf-8")
    project.write(
        index="(recipe-moe-megatron)=\n(recipe-distillation)=\n# Title\n\n"
        "```{verl:step-estimates} moe-megatron\n```\n\n"
        "```{verl:step-estimates} moe-megatron distillation\n```\n\n"
        "```{verl:step-estimates} measured\n```\n",
        rows="```{verl:measured-rows}\n```\n",  # to which the last table links
    )
    found = cells(project.build().page("index"))
    parts, overview, held = found[:5], found[5:7], found[7:]
    assert [line[0] for line in parts][-1] == "A step"
    assert parts[0][1].startswith("≥")
    assert parts[3][1] == "–"
    assert overview[0][-1].startswith("≥")
    assert re.fullmatch(r"\d+–\d+\xa0s", overview[1][-1])
    assert len(held) == 24
    assert {line[1] for line in held} == {"H100", "H200"}


def test_a_recipe_that_is_not_there_breaks_the_build(project: Project) -> None:
    project.write(index="```{verl:step-estimates} absent\n```")
    assert "absent.sh" in project.build().warnings


def test_the_parameters_are_those_of_the_page() -> None:
    page = Path(RECIPES, "index.md").read_text("utf-8")
    told = re.findall(r"^\| \[(Qwen2\.5-\S+?)\]\([^)]*\) \| ([\d.]+) \|", page, re.MULTILINE)
    assert len(told) == 4
    for name, billions in told:
        assert of_name(name).parameters == pytest.approx(float(billions) * 1e9, rel=0.01)
