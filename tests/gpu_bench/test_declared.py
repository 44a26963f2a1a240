"""The declared experiments: real commands, each run once, one switch at a time."""

from __future__ import annotations

import random
import struct
import zlib
from pathlib import Path
from typing import Any

import pytest

from gpu_bench import declared, inputs, lengths, programs, rows, update, watch
from gpu_bench.__main__ import main as gpu_bench_main
from gpu_bench.declared import Undeclared
from gpu_bench.settings import located
from snippet_checker import cli
from tests.gpu_bench import ROOT

EXPERIMENTS = declared.experiments()


def test_the_checker_accepts_every_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    script = tmp_path / "runs.sh"
    script.write_text("\n\n".join(run.command for run in declared.runs(EXPERIMENTS)))
    status = cli.main(["check", str(script), "--verl", "0.9.1"])
    assert status == 0, capsys.readouterr().out


def test_each_run_has_a_name_of_its_own() -> None:
    found = declared.runs(EXPERIMENTS)
    assert len({run.digest for run in found}) == len(found) > 60
    shared = sum(len(experiment.variants) for experiment in EXPERIMENTS) - len(found)
    assert shared >= 20  # the bases are measured once


@pytest.mark.parametrize("experiment", EXPERIMENTS, ids=lambda experiment: experiment.name)
def test_an_experiment_says_what_it_asks(experiment: declared.Experiment) -> None:
    assert experiment.question.endswith("?")
    assert experiment.varies
    assert experiment.held
    labels = [variant.label for variant in experiment.variants]
    assert len(labels) == len({*labels}) >= 2


def test_a_run_goes_on_as_long_as_any_experiment_asks() -> None:
    found = declared.extents(EXPERIMENTS)
    base = declared.chosen(EXPERIMENTS, ["loop"])[0].variants[0].run.digest
    assert {variant.run.digest for variant in _named("trainer-mode").variants} > {base}
    assert found[base] == declared.Extent(20, 1500)
    other = _named("loop").variants[1].run.digest
    assert found[other] == declared.Extent()
    assert declared.Extent(4, 9) | declared.Extent(7, 3) == declared.Extent(7, 9)


def _named(name: str) -> declared.Experiment:
    [found] = declared.chosen(EXPERIMENTS, [name])
    return found


MISSING = {
    *("recipe-long-context", "recipe-vision-language", "recipe-moe-megatron"),
    *("engines", "offload-threads"),
    "update-7b",
}


def test_what_was_not_measured_is_declared(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    files = sorted(str(file) for file in (ROOT / "docs/measurements").glob("*.jsonl"))
    known = [word for file in files for word in ("--known", file)]
    monkeypatch.setattr("sys.argv", ["gpu_bench", "list", "--missing", *known])
    assert gpu_bench_main() == 0
    lines = capsys.readouterr().out.splitlines()
    told = {line.partition(":")[0] for line in lines if not line.startswith(" ")}
    assert told == MISSING
    assert all("(0 rows" in line for line in lines if line.startswith(" "))
    for name in MISSING - {"update-7b"}:
        experiment = _named(name)
        assert experiment.extent.samples >= 4
        assert {variant.run.gpus for variant in experiment.variants} <= {1, 2}
        for variant in experiment.variants:
            own = dict(each.lstrip("+").split("=", 1) for each in variant.run.overrides)
            sides = [key for key in GPUS if key in own]
            assert sum(int(own[key]) for key in sides) == variant.run.gpus


GPUS = (
    "trainer.n_gpus_per_node",
    "distillation.n_gpus_per_node",
    "actor_rollout_ref.rollout.n_gpus_per_node",
)


def test_only_models_that_are_read_get_weights() -> None:
    due = declared.runs([_named("recipe-distillation"), _named("max-num-seqs")])
    assert inputs.needed(due) == ["model-1.5b", "model-7b"]
    assert inputs.needed(declared.runs([_named("max-num-seqs")])) == []
    assert inputs.needed(declared.runs([_named("recipe-vision-language")])) == ["model-vl"]
    everything = inputs.needed(declared.runs(EXPERIMENTS))
    assert everything == [*inputs.SHAPES, *inputs.OTHERS]


def test_a_picture_is_a_png_file_of_its_size() -> None:
    data = inputs.picture(280, 308, random.Random(0))
    assert data.startswith(b"\x89PNG\r\n\x1a\n")
    width, height, depth, kind = struct.unpack(">IIBB", data[16:26])
    assert (width, height, depth, kind) == (280, 308, 8, 2)
    start = data.index(b"IDAT")
    [size] = struct.unpack(">I", data[start - 4 : start])
    body = data[start + 4 : start + 4 + size]
    assert struct.unpack(">I", data[start + 4 + size : start + 8 + size]) == (
        zlib.crc32(b"IDAT" + body),
    )
    lines = zlib.decompress(body)
    assert len(lines) == 308 * (1 + 3 * 280)
    assert lines[0] == 0
    assert len({lines[1:85], lines[85:169]}) == 2  # stripes of 28 pixels in colours of their own


def test_every_prompt_of_the_images_has_one() -> None:
    rows_of_images = inputs._images(4)
    assert [row["prompt"][0]["content"].count("<image>") for row in rows_of_images] == [1] * 4
    assert all(len(row["images"]) == 1 for row in rows_of_images)


def test_changes_take_the_place_of_what_they_change() -> None:
    found = declared.changed(["a=1", "+b=2", "c=3"], ["b=4", "d=5", "a=6"])
    assert found == ("a=6", "b=4", "c=3", "d=5")


def test_what_all_runs_of_an_experiment_have_is_no_change_of_one() -> None:
    [found] = declared.chosen(EXPERIMENTS, ["ulysses-long"])
    assert {variant.run.workload.lengths for variant in found.variants} == {"even"}
    assert not found.variants[0].changes
    assert {variant.run.gpus for variant in found.variants} == {2}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ('base = "update-1.5b"', "there is no base"),
        ('kind = "update"', "a kind is one of"),
        ('lengths = "long-tailed", median = 384', "lengths are"),
        ('name = "micro-batch"', "two experiments have one name"),
        ('{ label = "256 (default)" },', "two variants are the same run"),
    ],
)
def test_what_cannot_be_is_said(tmp_path: Path, change: str, message: str) -> None:
    instead = {
        'base = "update-1.5b"': 'base = "absent"',
        'kind = "update"': 'kind = "absent"',
        'lengths = "long-tailed", median = 384': 'lengths = "odd"',
        'name = "micro-batch"': 'name = "packing"',
        '{ label = "256 (default)" },': '{ label = "a" }, { label = "b" },',
    }
    text = declared.FILE.read_text("utf-8")
    assert change in text
    file = tmp_path / "experiments.toml"
    file.write_text(text.replace(change, instead[change], 1))
    with pytest.raises(Undeclared, match=message):
        declared.experiments(file)


def test_an_unknown_experiment_is_refused() -> None:
    with pytest.raises(Undeclared, match="there is no experiment 'absent'; there are max-num-seqs"):
        declared.chosen(EXPERIMENTS, ["absent"])


def test_inputs_are_found_from_anywhere() -> None:
    found = located(["a=inputs/x", "b=my-inputs/y"], ROOT)
    assert found == [f"a={ROOT}/x", "b=my-inputs/y"]


def test_even_lengths_are_the_mean_of_the_long_tailed_ones() -> None:
    tailed = lengths.draw(16, 4, 512, 2048, median=384, shape="long-tailed")
    even = lengths.draw(16, 4, 512, 2048, median=384, shape="even")
    assert tailed == lengths.draw(16, 4, 512, 2048, median=384, shape="long-tailed")
    assert abs(even.total - tailed.total) < 0.01 * tailed.total
    assert len({*even.responses}) == 1
    assert len({*tailed.prompts[:4]}) == 1
    assert max(tailed.responses) <= 2048
    assert max(tailed.responses) > 3 * sorted(tailed.responses)[32]


def test_gpus_have_parts_of_their_own_and_those_of_a_ulysses_group_one_together() -> None:
    drawn = lengths.draw(16, 4, 512, 2048, median=384, shape="long-tailed")
    parts = [update.own(drawn, rank, 4) for rank in range(4)]
    assert sum(part.total for part in parts) == drawn.total
    assert {len(part.responses) for part in parts} == {16}
    first, second, third, fourth = (update.own(drawn, rank, 4, shared=2) for rank in range(4))
    assert (first, third) == (second, fourth)
    assert first.total + third.total == drawn.total


def test_a_figure_is_the_median_of_all_samples() -> None:
    found = [
        {"digest": "a", "status": "ok", "samples": [{"x": 1.0}, {"x": 3.0}]},
        {"digest": "a", "status": "ok", "samples": [{"x": 2.0}, {}]},
        {"digest": "a", "status": "throttled", "samples": [{"x": 9.0}]},
        {"digest": "b", "status": "ok", "samples": [{"x": 9.0}]},
    ]
    assert rows.figure(found, "a", "x") == rows.Figure(2.0, 1.0, 3.0, 3)
    assert rows.Figure(2.0, 1.0, 3.0, 3).spread == 1.0
    assert rows.figure(found, "a", "y") is None


def test_a_gpu_that_was_held_back_is_noticed() -> None:
    lines = [
        "0, 1980, 0x0000000000000000, 90.5, 40, 1024",
        "0, 1200, 0x0000000000000004, 700.0, 60, 2048",
        "1, 600, 0x0000000000000040, 700.0, 95, 9999",
        "[N/A]",
    ]
    readings = [found for line in lines if (found := watch.reading(line))]
    assert len(readings) == 3
    assert watch.summary(readings, [0]) == {
        "readings": 2,
        "held_back": False,
        "power_capped_share": 0.5,
        "clock_most_mhz": 1980.0,
        "power_most_w": 700.0,
        "temperature_most_c": 60.0,
        "device_memory_most_gib": 2.0,
    }
    assert watch.summary(readings, [1])["held_back"] is True
    assert watch.summary([], [0]) == {"readings": 0, "held_back": False}


def test_the_steps_of_a_program_are_read_from_its_metrics() -> None:
    lines = [
        '{"step": 0, "data": {"val/x": 1}}',
        '{"step": 1, "data": {"timing_s/step": 9.5, "timing_s/gen": 4, "other": 1}}',
    ]
    assert [*programs.steps(lines)] == [{"step_s": 9.5, "gen_s": 4.0}]


def test_a_program_is_started_as_its_command_says(tmp_path: Path) -> None:
    by_program = {run.program: run for run in declared.runs(EXPERIMENTS)}
    sft = programs.command(by_program["verl.trainer.sft_trainer"], tmp_path, 5)
    assert sft[1:6] == ["-m", "torch.distributed.run", "--standalone", "--nproc-per-node=1", "-m"]
    assert sft[-2:] == ["trainer.logger=[console,file]", "trainer.total_training_steps=5"]
    assert f"model.path={tmp_path}/model-1.5b" in sft


def test_runs_are_compared_on_one_machine() -> None:
    def row(digest: str, processors: int, status: str = "ok") -> dict[str, Any]:
        machine = {"gpus": ["a card"], "processors": processors}
        return {"digest": digest, "status": status, "environment": machine}

    base, few = row("base", 8), row("a", 8)
    assert rows.comparable([base, few], ["base", "a", "b"]) == [base, few]
    most = [row("base", 16), row("a", 16), row("b", 16)]
    assert rows.comparable([*most, base, few], ["base", "a", "b"]) == most
    later = [row("base", 32), row("a", 32), row("b", 32)]
    assert rows.comparable([*most, *later, base], ["base", "a", "b"]) == later
    without_base = [row("a", 64), row("b", 64), row("c", 64)]
    assert rows.comparable([base, *without_base], ["base", "a", "b", "c"]) == [base]
    again = [{**each, "environment": {**each["environment"], "boot": "b"}} for each in most]
    assert rows.comparable([*most, *again[:2]], ["base", "a", "b"]) == most
    assert rows.comparable([*most, *again], ["base", "a", "b"]) == again
    alone = [
        {**each, "environment": {**each["environment"], "boot": b}}
        for each, b in ((row("base", 8), "b"), (row("a", 8), "c"))
    ]
    assert rows.comparable(alone, ["base", "a"]) == alone  # two starts of one kind of machine
    failed = row("a", 8, "failed")
    assert rows.comparable([base, failed, row("other", 8)], ["base", "a"]) == [base]
    assert rows.comparable([], ["base", "a"]) == []
