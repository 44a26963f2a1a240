"""A program's steps become samples, and nothing of it is left; no GPU and no verl is needed."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from gpu_bench import programs, session
from gpu_bench.declared import Run, Workload

PPO = "verl.trainer.main_ppo"
RUN = Run("program", PPO, ("a=inputs/x",), Workload(), 1)
# Logs steps until it has made as many as it was told, then writes a checkpoint; it starts a
# process in a session of its own, as Ray does.
PROGRAM = """\
import json, os, subprocess, sys, time
from pathlib import Path
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"],
                         start_new_session=True)
Path(sys.argv[1].partition("=")[2]).write_text(str(child.pid))
print("started")
total = int(sys.argv[-1].partition("=")[2])
if Path(__file__).with_name("trouble").exists():
    raise SystemExit("no such key")
for step in range(1, total + 1):
    time.sleep(0.1)
    if step == total:
        Path("checkpoint").write_text("")
    with open(os.environ["VERL_FILE_LOGGER_PATH"], "a") as log:
        data = {"train/global_tokens": 1000, "train/mfu": 0.5}
        log.write(json.dumps({"step": step, "data": data}) + "\\n")
"""


@pytest.fixture
def inputs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "packages/verl/trainer"
    folder.mkdir(parents=True)
    (folder / "main_ppo.py").write_text(PROGRAM)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "packages"))
    monkeypatch.setenv(session.MARK, f"test of {tmp_path}")
    return tmp_path


def measured(inputs: Path, warmup: int, samples: int) -> list[tuple[str, Any]]:
    notes: list[tuple[str, Any]] = []
    programs.measure(RUN, inputs, warmup, samples, lambda name, value: notes.append((name, value)))
    return notes


def test_the_steps_after_the_warm_up_are_samples(inputs: Path) -> None:
    started = time.monotonic()
    notes = measured(inputs, warmup=1, samples=3)
    elapsed = time.monotonic() - started
    assert [name for name, _ in notes] == ["startup_s", "sample", "sample", "sample"]
    for _name, sample in notes[1:]:
        assert sample["mfu"] == 0.5
        assert sample["tokens_per_s"] == pytest.approx(1000 / sample["between_s"])
    # Three pauses of 0.1 s, of which a busy machine may see the first one shorter.
    assert 0.2 < sum(sample["between_s"] for _, sample in notes[1:]) < elapsed


def test_a_step_is_noted_before_the_next_one_ends(inputs: Path) -> None:
    class Enough(Exception):
        pass

    def note(name: str, value: Any) -> None:
        if name == "sample":
            raise Enough

    with pytest.raises(Enough):
        programs.measure(RUN, inputs, 0, 10_000, note)


def test_a_program_is_ended_before_its_last_step_and_its_output_is_kept(
    inputs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    logs = inputs / "logs"
    logs.mkdir()
    monkeypatch.setenv("GPU_BENCH_LOGS", str(logs))
    monkeypatch.setenv("TMPDIR", str(inputs))
    measured(inputs, warmup=0, samples=2)
    [log] = logs.iterdir()
    seconds, _, said = log.read_text().splitlines()[0].partition(" ")
    assert (float(seconds) >= 0, said) == (True, "started")
    assert not [*inputs.rglob("checkpoint")]


def test_a_program_that_makes_no_step_says_why(inputs: Path) -> None:
    (inputs / "packages/verl/trainer/trouble").touch()
    with pytest.raises(programs.Stopped, match="no such key"):
        measured(inputs, warmup=0, samples=1)


def test_what_a_program_left_behind_is_ended_by_its_mark(inputs: Path) -> None:
    measured(inputs, warmup=0, samples=1)
    child = Path(f"/proc/{(inputs / 'x').read_text()}")
    stranger = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"], env={})
    try:
        assert child.exists()
        session.end_marked(os.environ[session.MARK])
        deadline = time.monotonic() + 5
        while (
            child.exists()
            and "Z" not in (child / "stat").read_text()
            and (time.monotonic() < deadline)
        ):
            time.sleep(0.05)
        assert not child.exists() or " Z " in (child / "stat").read_text()
        assert stranger.poll() is None
    finally:
        stranger.kill()
        stranger.wait()


def test_a_throughput_that_is_logged_is_kept() -> None:
    assert programs.timed({"tokens": 9.0, "between_s": 3.0})["tokens_per_s"] == 3.0
    logged = {"tokens": 9.0, "between_s": 3.0, "tokens_per_s": 7.0}
    assert programs.timed(logged) == logged
    assert "tokens_per_s" not in programs.timed({"tokens": 9.0})
