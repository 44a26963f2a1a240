"""Runs that are due, one after the other, each in a process of its own; each becomes a row."""

from __future__ import annotations

import importlib
import multiprocessing
import os
import signal
import socket
import time
import traceback
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from multiprocessing.connection import Connection, wait
from multiprocessing.context import BaseContext
from pathlib import Path
from types import ModuleType
from typing import Any

from gpu_bench import rows
from gpu_bench.declared import Extent, Kind, Run
from gpu_bench.environment import commit, environment
from gpu_bench.watch import Watch

MODULES: dict[Kind, str] = {
    "engine": "gpu_bench.engine",
    "update": "gpu_bench.update",
    "program": "gpu_bench.programs",
}
_VARIABLES = {
    "HF_HUB_OFFLINE": "1",
    "PYTORCH_NVML_BASED_CUDA_CHECK": "1",
    "TOKENIZERS_PARALLELISM": "false",
    "VLLM_ALLOW_INSECURE_SERIALIZATION": "1",  # the engine is asked for its memory
    "VLLM_LOGGING_LEVEL": "WARNING",
    "VLLM_NO_USAGE_STATS": "1",
}
MARK = "GPU_BENCH_SESSION"
_LEAVE = 15  # seconds that a process gets to end
TIME_IS_UP = "TimeoutError: the run took too long"
_ERROR = 1500  # characters of a message of failure that a row keeps


@dataclass(frozen=True, slots=True)
class Plan:
    """How runs are made."""

    inputs: Path
    out: Path
    gpus: tuple[int, ...] = (0,)
    repetitions: int = 1
    warmup: int = 1
    samples: int = 3
    limit: float = 900.0
    """Seconds that one run may take."""
    until: float = float("inf")
    """Seconds after which no further run starts, and the one that runs ends with what it has."""
    least: int = 3
    """Samples with which a run counts that its time cut off: it is made again where it can be."""
    preload: tuple[str, ...] | None = None
    """What is imported once, and then forked for each run; nothing of it may use the GPU."""
    known: tuple[Path, ...] = ()
    """Files of rows beside `out` whose runs need not be made again."""
    extents: Mapping[str, Extent] = field(default_factory=dict)
    """What a run asks for beyond that, by its digest."""

    def of(self, run: Run) -> Plan:
        own = self.extents.get(run.digest, Extent())
        most = replace(self, samples=max(self.samples, own.samples))
        return replace(most, limit=max(self.limit, own.limit))

    def made(self, run: Run) -> int:
        """How many rows there are that need not be made again."""
        own = self.extents.get(run.digest, Extent())
        return rows.done(rows.read([*self.known, self.out]), run.digest, own.samples)


Telling = Callable[[str], None]


def session(due: Iterable[Run], plan: Plan, tell: Telling = print) -> int:
    """Make the runs that have too few rows; how many of them failed."""
    os.environ.update({name: os.environ.get(name, value) for name, value in _VARIABLES.items()})
    began, failed = time.monotonic(), 0
    known = [*due]
    where = {"commit": commit(), "environment": environment()} if known else {}
    for number, run in enumerate(known, 1):
        place = f"[{number}/{len(known)}] {run.digest}"
        if run.gpus > len(plan.gpus):
            tell(f"{place} needs {run.gpus} GPUs: left out")
            continue
        for repetition in range(plan.made(run), plan.repetitions):
            left = plan.until - (time.monotonic() - began)
            if left < 0:
                tell(f"{place} is due and was not started: the time is up")
                return failed
            own = plan.of(run)
            row = {**one(run, replace(own, limit=min(own.limit, left)), repetition), **where}
            rows.append(plan.out, row)
            failed += row["status"] != "ok"
            tell(f"{place} {row['status']} after {row['seconds']:.0f} s {row['error'][-200:]}")
    return failed


def one(run: Run, plan: Plan, repetition: int = 0) -> dict[str, Any]:
    """Make one run; its row, whatever happened."""
    started, date = time.monotonic(), datetime.now(UTC)
    gpus = plan.gpus[: run.gpus]
    with Watch(gpus) as watch:
        notes = _in_processes(run, plan, gpus)
    watched = watch.summary()
    samples = [value for name, value in notes if name == "sample"]
    error = next((str(value) for name, value in notes if name == "error"), "")
    return {
        "digest": run.digest,
        "repetition": repetition,
        "status": status(error, len(samples), plan, held_back=bool(watched["held_back"])),
        "error": error[-_ERROR:],
        "run": asdict(run),
        "command": run.command,
        "date": date.isoformat(timespec="seconds"),
        "seconds": round(time.monotonic() - started, 2),
        "warmup": plan.warmup,
        "samples": [_rounded(sample) for sample in samples],
        "once": {name: _rounded(value) for name, value in notes if name not in ("sample", "error")},
        "watch": {**watched, "load": round(os.getloadavg()[0], 1)},
    }


def status(error: str, found: int, plan: Plan, *, held_back: bool) -> str:
    """What becomes of a run: only `ok` counts, the others are tried again."""
    wanted = min(plan.least, plan.samples) if error == TIME_IS_UP else plan.samples
    if error not in ("", TIME_IS_UP) or found < wanted:
        return "failed"
    return "throttled" if held_back else "ok"


def _in_processes(run: Run, plan: Plan, gpus: tuple[int, ...]) -> list[tuple[str, Any]]:
    """Measure in fresh processes; what the first of them notes."""
    module = MODULES[run.kind]
    count = run.gpus if run.kind == "update" else 1
    port = _free_port()
    context = _context(plan.preload)
    readers, processes = [], []
    for rank in range(count):
        reader, writer = context.Pipe(duplex=False)
        variables = _variables(run, gpus, rank, port)
        arguments = (module, run, plan, variables, writer)
        process = context.Process(target=_work, args=arguments)  # type: ignore[attr-defined]
        process.start()
        writer.close()
        readers.append(reader)
        processes.append(process)
    notes: list[tuple[str, Any]] = []
    try:
        notes = _notes(readers, time.monotonic() + plan.limit)
    finally:
        for process in processes:
            process.join(timeout=0 if _failed(notes) else _LEAVE)
            _end(process)
        end_marked(_mark())
    return notes


def _failed(notes: list[tuple[str, Any]]) -> bool:
    return not notes or any(name == "error" for name, _ in notes)


def _context(preload: tuple[str, ...] | None) -> BaseContext:
    if preload is None:
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([*preload])
    return context


def _variables(run: Run, gpus: tuple[int, ...], rank: int, port: int) -> dict[str, str]:
    return {
        "CUDA_VISIBLE_DEVICES": ",".join(str(gpu) for gpu in gpus),
        "RANK": str(rank),
        "LOCAL_RANK": str(rank),
        "WORLD_SIZE": str(run.gpus),
        "LOCAL_WORLD_SIZE": str(run.gpus),
        "MASTER_ADDR": "127.0.0.1",
        "MASTER_PORT": str(port),
        MARK: _mark(),
        **dict(run.environment),
    }


def _work(module: str, run: Run, plan: Plan, variables: Mapping[str, str], out: Connection) -> None:
    """The whole life of a process: its notes go out as they are made."""
    os.setpgrp()
    if run.kind != "update":  # the others start processes of their own, and say there who they are
        variables = {n: v for n, v in variables.items() if n not in _OF_A_PROCESS}
    os.environ.update(variables)
    measured: ModuleType = importlib.import_module(module)
    try:
        measured.measure(
            run, plan.inputs, plan.warmup, plan.samples, lambda name, value: out.send((name, value))
        )
    except BaseException as error:  # whatever it is becomes a row
        traceback.print_exc()
        out.send(("error", f"{type(error).__name__}: {error}"))
    finally:
        out.send(("end", None))  # what it started may hold the pipe open
        out.close()
        os._exit(0)  # destructors of CUDA and of process groups may wait for ever


_OF_A_PROCESS = frozenset(
    ("RANK", "LOCAL_RANK", "WORLD_SIZE", "LOCAL_WORLD_SIZE", "MASTER_ADDR", "MASTER_PORT")
)


def _notes(readers: list[Connection], deadline: float) -> list[tuple[str, Any]]:
    """What the first process notes, and errors of all, until all have ended or time is up."""
    found: list[tuple[str, Any]] = []
    first, open_ones = readers[0], [*readers]
    while open_ones:
        ready = wait(open_ones, timeout=max(0.0, deadline - time.monotonic()))
        if not ready:
            found.append(("error", TIME_IS_UP))
            break
        for reader in ready:
            assert isinstance(reader, Connection)
            try:
                name, value = reader.recv()
            except EOFError:
                open_ones.remove(reader)
                continue
            if name == "end":
                open_ones.remove(reader)
                continue
            if reader is first or name == "error":
                found.append((name, value))
            if name == "error":
                return found
    return found


def _end(process: Any) -> None:
    """End a process and all that it started, and wait until their memory is free."""
    deadline = time.monotonic() + _LEAVE
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)  # it leads a group of its own
    while _lives(process.pid) and time.monotonic() < deadline:
        time.sleep(0.1)
    process.join(timeout=_LEAVE)


def end_marked(mark: str) -> None:
    """End what a run left behind: processes that were started with its mark, in any session."""
    wanted = f"{MARK}={mark}".encode()
    for environ in Path("/proc").glob("[0-9]*/environ"):
        with suppress(OSError, ValueError):
            if wanted in environ.read_bytes().split(b"\0"):
                os.kill(int(environ.parent.name), signal.SIGKILL)


def _mark() -> str:
    """What the processes of this session's runs are known by."""
    return str(os.getpid())


def _lives(group: int) -> bool:
    """Whether a process of a group still holds memory; one that is dead may stay in the list."""
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError, ValueError):
            state, _, own = stat.read_text("utf-8").rpartition(")")[2].split()[:3]
            if int(own) == group and state not in "ZX":
                return True
    return False


def _free_port() -> int:
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        port: int = sock.getsockname()[1]
        return port


def _rounded(value: Any) -> Any:
    if isinstance(value, float):
        return float(f"{value:.5g}")
    return {k: _rounded(v) for k, v in value.items()} if isinstance(value, dict) else value
