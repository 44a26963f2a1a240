"""A run becomes a row, whatever happens to its process; a session goes on where it was."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from gpu_bench import rows, session
from gpu_bench.declared import Extent, Run, Workload
from gpu_bench.session import Plan

RUN = Run("update", "verl.trainer.main_ppo", ("a=1",), Workload(), 1)


@pytest.fixture(autouse=True)
def _measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session, "MODULES", {"update": "tests.gpu_bench.measured"})


@pytest.fixture
def plan(tmp_path: Path) -> Plan:
    return Plan(tmp_path, tmp_path / "rows.jsonl", limit=20, samples=2)


def said(plan: Plan, *due: Run) -> list[str]:
    lines: list[str] = []
    session.session(due, plan, lines.append)
    return lines


def test_a_run_becomes_a_row(plan: Plan) -> None:
    row = session.one(RUN, plan)
    assert row["status"] == "ok"
    assert row["samples"] == [{"tokens_per_s": 100.0}, {"tokens_per_s": 101.0}]
    assert row["once"]["startup_s"] == 1.2346
    assert row["once"]["variables"] == {"RANK": "0", "CUDA_VISIBLE_DEVICES": "0"}
    assert row["command"] == "python3 -m verl.trainer.main_ppo \\\n    a=1"


@pytest.mark.parametrize(
    ("trouble", "gpus", "error", "samples"),
    [
        ("raises", 1, "ValueError: no memory", 1),
        ("dies", 1, "", 0),
        ("other rank", 2, "ValueError: not here", None),
    ],
)
def test_a_failed_run_keeps_what_it_found(
    plan: Plan, trouble: str, gpus: int, error: str, samples: int | None
) -> None:
    (plan.inputs / "trouble").write_text(trouble)
    row = session.one(replace(RUN, gpus=gpus), replace(plan, gpus=(0, 1)))
    assert (row["status"], row["error"]) == ("failed", error)
    assert samples is None or len(row["samples"]) == samples


@pytest.mark.slow
def test_a_run_that_takes_too_long_is_ended(plan: Plan) -> None:
    (plan.inputs / "trouble").write_text("hangs")
    row = session.one(RUN, replace(plan, limit=1))
    assert row["status"] == "failed"
    assert "took too long" in row["error"]
    assert row["seconds"] < 20


@pytest.mark.slow
def test_what_a_run_found_before_the_session_ended_is_kept(plan: Plan) -> None:
    (plan.inputs / "trouble").write_text("hangs later")
    long = replace(plan, samples=9, until=3)
    assert "ok after" in said(long, RUN)[0]
    [row] = rows.read([plan.out])
    assert (row["error"], len(row["samples"])) == (session.TIME_IS_UP, 3)
    assert long.made(RUN) == 1
    assert replace(long, extents={RUN.digest: Extent(samples=9)}).made(RUN) == 0


def test_a_session_goes_on_where_it_was_interrupted(plan: Plan) -> None:
    other = replace(RUN, overrides=("a=2",))
    assert len(said(plan, RUN)) == 1
    assert len(said(plan, RUN, other)) == 1
    found = rows.read([plan.out])
    assert [row["digest"] for row in found] == [RUN.digest, other.digest]
    assert all(row["schema"] == rows.SCHEMA and row["environment"]["python"] for row in found)


def test_a_failed_run_is_made_again(plan: Plan) -> None:
    (plan.inputs / "trouble").write_text("raises")
    assert session.session([RUN], plan, lambda _: None) == 1
    (plan.inputs / "trouble").unlink()
    assert session.session([RUN], plan, lambda _: None) == 0
    assert [row["status"] for row in rows.read([plan.out])] == ["failed", "ok"]


def test_what_another_file_has_is_not_made_again_unless_it_is_too_short(plan: Plan) -> None:
    said(plan, RUN)
    known = replace(plan, out=plan.inputs / "mine.jsonl", known=(plan.out,))
    assert said(known, RUN) == []
    longer = replace(known, extents={RUN.digest: Extent(samples=3, limit=30)})
    assert longer.of(RUN).limit == 30
    assert len(said(longer, RUN)) == 1
    [row] = rows.read([longer.out])
    assert len(row["samples"]) == 3
    assert said(longer, RUN) == []


def test_nothing_starts_when_the_time_is_up(plan: Plan) -> None:
    assert "was not started" in said(replace(plan, until=-1), RUN)[0]
    assert rows.read([plan.out]) == []


def test_a_run_that_needs_more_gpus_is_left_out(plan: Plan) -> None:
    assert "needs 2 GPUs" in said(plan, replace(RUN, gpus=2))[0]


@pytest.mark.parametrize(
    ("error", "found", "held_back", "expected"),
    [
        ("", 3, False, "ok"),
        ("", 3, True, "throttled"),
        ("", 2, False, "failed"),
        ("OutOfMemoryError: …", 3, True, "failed"),
        (session.TIME_IS_UP, 2, False, "ok"),
        (session.TIME_IS_UP, 1, False, "failed"),
    ],
)
def test_only_a_complete_run_on_a_free_gpu_counts(
    error: str, found: int, held_back: bool, expected: str
) -> None:
    plan = Plan(Path(), Path(), samples=3, least=2)
    assert session.status(error, found, plan, held_back=held_back) == expected
    row: dict[str, Any] = {"digest": RUN.digest, "status": expected}
    assert rows.done([row], RUN.digest) == (expected == "ok")


def test_a_line_that_an_interruption_cut_is_left_out(tmp_path: Path) -> None:
    file = tmp_path / "rows.jsonl"
    file.write_text(json.dumps({"digest": "a"}) + '\n{"digest": "b", "sam')
    assert rows.read([file, tmp_path / "absent"]) == [{"digest": "a"}]
