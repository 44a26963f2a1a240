"""A whole program of verl: what its own metrics say, step by step."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

from gpu_bench.declared import Run
from gpu_bench.engine import Note
from gpu_bench.settings import located

_LEAVE = 20  # seconds that a program gets to end by itself, and after an interrupt
_LAST_WORDS = 3000  # characters of the program's output in a message of failure
# A sample's name for each of verl's metrics.
METRICS = {
    "timing_s/step": "step_s",
    "timing_s/gen": "gen_s",
    "timing_s/old_log_prob": "log_prob_s",
    "timing_s/update_actor": "update_s",
    "timing_s/update_weights": "weights_s",
    "timing_s/adv": "adv_s",
    "perf/throughput": "tokens_per_s",
    "perf/total_num_tokens": "tokens",
    "perf/mfu/actor": "mfu",
    "actor/perf/max_memory_allocated_gb": "update_peak_gib",
    "actor/perf/max_memory_reserved_gb": "reserved_gib",
    "response_length/mean": "response_mean",
    "response_length/max": "response_max",
    "train/mfu": "mfu",
    "train/global_tokens": "tokens",
    "train/perf/max_memory_allocated_gb": "update_peak_gib",
}


class Stopped(Exception):
    """The program ended with an error; its last words."""


def measure(run: Run, inputs: Path, warmup: int, samples: int, note: Note) -> None:
    """Start the program for so many steps, and note what it logs of those after the warm-up."""
    folder = Path(tempfile.mkdtemp())
    log, output = folder / "metrics.jsonl", folder / "output.txt"
    variables = {**os.environ, "VERL_FILE_LOGGER_PATH": str(log), "PYTHONUNBUFFERED": "1"}
    started = time.perf_counter()
    with output.open("w", encoding="utf-8") as out:
        program = subprocess.Popen(
            command(run, inputs, warmup + samples),
            env=variables,
            stdout=out,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            ends = _ends(program, log, warmup + samples)
            found = steps(log.read_text("utf-8").splitlines() if log.exists() else [])
            _note(found, ends, started, warmup, note)  # before the program ends: that may take long
        finally:
            _end(program)
    if not found:
        raise Stopped(output.read_text("utf-8", "replace")[-_LAST_WORDS:])


def _note(
    found: list[dict[str, float]], ends: list[float], started: float, warmup: int, note: Note
) -> None:
    """What each step after the warm-up took, by verl's metrics and by our clock."""
    if found and ends:
        note("startup_s", ends[0] - started - found[0].get("step_s", 0.0))
    for number, sample in enumerate(found):
        if number >= warmup:
            between = ends[number] - ends[number - 1] if 0 < number < len(ends) else None
            note("sample", {**sample, "between_s": between})


def command(run: Run, inputs: Path, total: int) -> list[str]:
    """The program's words, for so many steps."""
    launcher = [sys.executable, "-m"]
    if run.program == "verl.trainer.sft_trainer":
        launcher = [sys.executable, "-m", "torch.distributed.run", "--standalone"]
        launcher += [f"--nproc-per-node={run.gpus}", "-m"]
    overrides = [each for each in run.overrides if not each.startswith("trainer.logger=")]
    own = ["trainer.logger=[console,file]", f"trainer.total_training_steps={total}"]
    return [*launcher, run.program, *located(overrides, inputs), *own]


def steps(lines: Iterable[str]) -> list[dict[str, float]]:
    """The steps of verl's file of metrics, under the bench's names."""
    found = []
    for line in lines:
        data: dict[str, Any] = json.loads(line)["data"]
        sample = {ours: float(data[theirs]) for theirs, ours in METRICS.items() if theirs in data}
        if sample:
            found.append(sample)
    return found


def _ends(program: subprocess.Popen[bytes], log: Path, total: int) -> list[float]:
    """When each step was logged, until all are or the program ends."""
    ends: list[float] = []
    while len(ends) < total:
        running = program.poll() is None
        count = log.read_bytes().count(b"\n") if log.exists() else 0
        ends += [time.perf_counter()] * (count - len(ends))
        if not running:
            break
        time.sleep(0.05)
    return ends


def _end(program: subprocess.Popen[bytes]) -> None:
    """End the program and what it started; Ray's processes have sessions of their own."""
    for number, patience in ((0, _LEAVE), (signal.SIGINT, _LEAVE), (signal.SIGKILL, None)):
        if program.poll() is not None:
            return
        if number:
            os.killpg(program.pid, number)
        with suppress(subprocess.TimeoutExpired):
            program.wait(timeout=patience)
