"""Formulas of the guide beside measured runs: the numbers, which runs, and how far they are off."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gpu_bench import declared, rows
from tests.docs_ext.conftest import ROOT, Project
from tests.docs_ext.test_measured import cells, keep, row
from verl_docs import estimated
from verl_docs.estimated import of_cache, of_update, settings_of, shape

KNOWN = rows.read(sorted((ROOT / "docs/measurements").glob("*.jsonl")))
EXPERIMENTS = {each.name: each for each in declared.experiments()}
BASE = EXPERIMENTS["update-7b"].variants[0].run
ROLLOUT = EXPERIMENTS["rollout-tensor-parallel"].variants[1].run
EIGHT_BITS = ("actor_rollout_ref.actor.optim.optimizer=AdamW8bit",)


def test_the_symbols_are_those_of_the_guide_s_example() -> None:
    model = shape(settings_of(BASE))
    assert round(model.total / 1e9, 3) == 7.616
    assert round(model.layer / 1e9, 3) == 0.233
    assert round(model.unit() / 1e9, 3) == 1.09
    assert round(model.unit(fsdp2=True) / 1e9, 3) == 0.545
    assert (model.token(2), model.token(6)) == (540_672, 1_148_928)


@pytest.mark.parametrize(
    ("change", "gib"),
    [
        ((), 128.5),
        (("+actor_rollout_ref.actor.optim.override_optimizer_config.fused=null",), 141.9),
        (("actor_rollout_ref.actor.fsdp_config.model_dtype=bf16",), 71.8),
        (EIGHT_BITS, 86.0),
        ((*EIGHT_BITS, "actor_rollout_ref.actor.fsdp_config.model_dtype=bf16"), 57.6),
        (("actor_rollout_ref.actor.strategy=fsdp2",), 126.5),
        (("actor_rollout_ref.model.use_liger=True",), None),
        (("+actor_rollout_ref.model.override_config.attn_implementation=sdpa",), None),
    ],
)
def test_an_update_is_estimated_as_the_guide_says(
    change: tuple[str, ...], gib: float | None
) -> None:
    run = replace(BASE, overrides=declared.changed(BASE.overrides, change))
    found = of_update(run)
    assert (found if found is None else round(found, 1)) == gib


def test_the_cache_is_what_the_weights_leave() -> None:
    room = 0.6 * 139.8 * 1024**3 - 7_615_616_512
    assert of_cache(ROLLOUT, 139.8) == pytest.approx(room / (28 * 1024))


def test_the_estimates_of_the_committed_rows_are_as_close_as_the_page_says() -> None:
    updates, caches = [*estimated.updates(KNOWN)], [*estimated.caches(KNOWN)]
    assert len(updates) >= 20
    assert len(caches) >= 6
    assert all(abs(each.error) < 0.1 for _variant, each in [*updates, *caches])
    full = [each for variant, each in updates if "bf16" not in " ".join(variant.run.overrides)]
    assert all(abs(each.error) < 0.05 for each in full)


def test_the_peaks_of_whole_steps_are_as_close_as_the_page_says() -> None:
    found = [*estimated.loops(KNOWN)]
    assert len(found) >= 12
    errors = sorted(each.error for _variant, each in found)
    assert all(-0.001 < each < 0.0305 for each in errors[:-2])
    assert [round(each, 2) for each in errors[-2:]] == [0.04, 0.14]
    assert not [variant for variant, _each in found if "critic" in variant.base]
    page = (ROOT / "docs/recipes/index.md").read_text("utf-8")
    assert f"off by 3 % or less in {len(found) - 2} of {len(found)} runs" in page


def test_a_fused_optimizer_copies_no_weights_in_a_whole_step() -> None:
    row_of = next(each for each in KNOWN if each["digest"] == "7e50818c5037")
    fused = [each for each in row_of["run"]["overrides"] if "fused=True" in each]
    run = {
        **row_of["run"],
        "overrides": [each for each in row_of["run"]["overrides"] if each not in fused],
    }
    copied = estimated.of_loop({**row_of, "run": run})
    # 4 bytes for each of 7.62 billion parameters on two GPUs, instead of the activations.
    assert copied == pytest.approx(20 * 7.6156e9 / 2 / 2**30, abs=0.1)
    assert estimated.of_loop(row_of) == pytest.approx(65.5, abs=0.1)


def test_a_pass_with_a_large_budget_may_need_more_than_an_update() -> None:
    [first, *_others] = EXPERIMENTS["high-throughput"].variants
    row_of = next(each for each in KNOWN if each["digest"] == first.run.digest)
    # 97,144 tokens at 306,944 bytes, and 12 bytes for each of 1.54 billion parameters.
    assert estimated.of_loop(row_of) == pytest.approx(46.2, abs=0.1)
    smaller = ("actor_rollout_ref.rollout.log_prob_max_token_len_per_gpu=24576",)
    run = {**row_of["run"], "overrides": declared.changed(row_of["run"]["overrides"], smaller)}
    assert estimated.of_loop({**row_of, "run": run}) == pytest.approx(42.9, abs=0.1)


@pytest.mark.parametrize(
    ("shared", "equal", "tokens"),
    [
        (1, True, 8_300),  # two samples would be above the budget: each is alone
        (2, True, 3 * 8_300 / 2),  # three of 32,768 tokens, on two GPUs
        (1, False, 8 * 8_300 / 5),
        (2, False, 16 * 8_300 / 5 / 2),
    ],
)
def test_a_micro_batch_holds_whole_samples(shared: int, equal: bool, tokens: float) -> None:
    longest = 8_300 if equal else 9_000
    step = {"tokens": 64 * 8_300, "response_mean": 8_300, "response_max": longest}
    part = estimated.Part.of(step, 64, 2, shared)
    assert part.largest(4, 16_384) == pytest.approx(tokens)


def test_a_table_holds_estimate_and_measurement(project: Project) -> None:
    run = EXPERIMENTS["fsdp"].variants[0].run
    keep(project, row(run, 100, peak=20.0))
    project.write(index="```{verl:estimates} updates\n```\n\n```{verl:measured-rows}\n```\n")
    [line] = cells(project.build().page("index"))
    assert line == ["model-1.5b", "2", "as the base", "19.4", "20.0", "-3.2%"]


@pytest.mark.parametrize(
    ("what", "message"),
    [("speeds", "estimates are of updates, loops, caches"), ("caches", "no caches were measured")],
)
def test_what_cannot_be_estimated_breaks_the_build(
    project: Project, what: str, message: str
) -> None:
    keep(project, row(EXPERIMENTS["fsdp"].variants[0].run, 100))
    project.write(index=f"```{{verl:estimates}} {what}\n```")
    assert message in project.build().warnings
