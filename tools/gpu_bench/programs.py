"""A whole program of verl: what its own metrics say, step by step."""

from __future__ import annotations

import json
import os
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import IO, Any

from gpu_bench.declared import Run
from gpu_bench.engine import Note
from gpu_bench.settings import located

_LEAVE = 5  # seconds that a program gets to end after an interrupt
_LAST_WORDS = 3000  # characters of the program's output in a message of failure
# A sample's name for each of verl's metrics.
METRICS = {
    "timing_s/step": "step_s",
    "timing_s/gen": "gen_s",
    "timing_s/old_log_prob": "log_prob_s",
    "timing_s/update_actor": "update_s",
    "timing_s/update_weights": "weights_s",
    "timing_s/adv": "adv_s",
    "timing_s/reward": "reward_s",
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
    "perf/max_memory_allocated_gb": "update_peak_gib",
}


class Stopped(Exception):
    """The program ended with an error; its last words."""


def measure(run: Run, inputs: Path, warmup: int, samples: int, note: Note) -> None:
    """Start the program for so many steps, and note what it logs of those after the warm-up."""
    folder = Path(tempfile.mkdtemp(prefix="run"))  # Ray's sockets allow only a short name
    log, output = folder / "metrics.jsonl", folder / "output.txt"
    variables = {
        **os.environ,
        "VERL_FILE_LOGGER_PATH": str(log),
        "PYTHONUNBUFFERED": "1",
        "RAY_TMPDIR": str(folder),  # two programs at a time are two clusters
    }
    started = time.perf_counter()
    program = subprocess.Popen(
        # It is ended before its last step, after which some write a checkpoint.
        command(run, inputs, warmup + samples + 1),
        cwd=folder,
        env=variables,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )
    assert program.stdout is not None
    ended = threading.Event()
    reader = threading.Thread(target=_stamp, args=(program.stdout, output, started, ended))
    reader.start()
    found = 0
    try:
        for number, sample in enumerate(_steps_as_logged(program, log, warmup + samples, started)):
            found += 1
            if number == 0:
                note("startup_s", sample["ended_s"] - sample.get("step_s", 0.0))
            if number >= warmup:
                note("sample", timed({n: v for n, v in sample.items() if n != "ended_s"}))
    finally:
        _end(program)
        ended.set()
        reader.join()
        _keep(output)
    if not found:
        raise Stopped(output.read_text("utf-8", "replace")[-_LAST_WORDS:])


def _stamp(stream: IO[bytes], output: Path, started: float, ended: threading.Event) -> None:
    """Write what a program says, and before each line, after how many seconds it did.

    What the program started may outlive it and hold its end of the pipe, which then never
    closes: once the program has ended, an empty pipe is the end.
    """
    begun = True
    with stream, output.open("wb") as out:
        while part := _heard(stream, ended):
            for line in part.splitlines(keepends=True):
                if begun:
                    out.write(f"{time.perf_counter() - started:.1f} ".encode())
                out.write(line)
                begun = line.endswith(b"\n")
            out.flush()


def _heard(stream: IO[bytes], ended: threading.Event) -> bytes:
    """What the pipe holds next; nothing once it is closed, or empty after the program's end."""
    while True:
        last = ended.is_set()  # asked first: what was said before the end is in the pipe by now
        if select.select([stream], [], [], 0 if last else 0.1)[0]:
            return os.read(stream.fileno(), 65536)
        if last:
            return b""


def _keep(output: Path) -> None:
    """A copy of the output, where `GPU_BENCH_LOGS` names a folder."""
    if folder := os.environ.get("GPU_BENCH_LOGS"):
        name = f"{time.strftime('%H%M%S')}-{os.environ.get('CUDA_VISIBLE_DEVICES', '')}.txt"
        shutil.copy(output, Path(folder, name))


def timed(sample: Mapping[str, float]) -> Mapping[str, float]:
    """A program that logs no throughput has one by our clock."""
    tokens, between = sample.get("tokens"), sample.get("between_s")
    if "tokens_per_s" in sample or tokens is None or not between:
        return sample
    return {**sample, "tokens_per_s": tokens / between}


def command(run: Run, inputs: Path, total: int) -> list[str]:
    """The program's words, for so many steps."""
    launcher = [sys.executable, "-m"]
    if run.program == "verl.trainer.sft_trainer":
        launcher = [sys.executable, "-m", "torch.distributed.run", "--standalone"]
        launcher += [f"--nproc-per-node={run.gpus}", "-m"]
    overrides = [each for each in run.overrides if not each.startswith("trainer.logger=")]
    own = ["trainer.logger=[console,file]", f"trainer.total_training_steps={total}"]
    return [*launcher, run.program, *located(overrides, inputs), *own]


def steps(lines: Iterable[str]) -> Iterator[dict[str, float]]:
    """The steps of verl's file of metrics, under the bench's names."""
    for line in lines:
        data: dict[str, Any] = json.loads(line)["data"]
        sample = {ours: float(data[theirs]) for theirs, ours in METRICS.items() if theirs in data}
        if sample:
            yield sample


def _steps_as_logged(
    program: subprocess.Popen[bytes], log: Path, total: int, started: float
) -> Iterator[dict[str, float]]:
    """Each step as soon as it is logged, until all are or the program ends.

    `ended_s` are seconds since the start, `between_s` those since the step before ended.
    """
    before: float | None = None
    for sample in islice(steps(_lines_as_logged(program, log)), total):
        ended = time.perf_counter() - started
        if before is not None:
            sample["between_s"] = ended - before
        yield {**sample, "ended_s": ended}
        before = ended


def _lines_as_logged(program: subprocess.Popen[bytes], log: Path) -> Iterator[str]:
    """The lines of a file that the program writes, each once it is whole, until the program ends.

    Each byte is read once: what is measured has the processors.
    """
    half, place = b"", 0
    while True:
        running = program.poll() is None  # asked first: what it logged before its end is read
        if log.exists():
            with log.open("rb") as file:
                file.seek(place)
                new = file.read()
            place += len(new)
            *whole, half = (half + new).split(b"\n")
            yield from (line.decode("utf-8") for line in whole)
        if not running:
            return
        time.sleep(0.01)


def _end(program: subprocess.Popen[bytes]) -> None:
    """End the program; what it started in sessions of its own, the bench ends by its mark."""
    for number in (signal.SIGINT, signal.SIGKILL):
        if program.poll() is None:
            os.killpg(program.pid, number)
            with suppress(subprocess.TimeoutExpired):
                program.wait(timeout=_LEAVE)
