"""What the GPUs did while a run was measured: clocks, memory, and whether they were held back."""

from __future__ import annotations

import subprocess
import threading
from collections.abc import Iterable
from dataclasses import dataclass
from types import TracebackType

_QUERY = "index,clocks.sm,clocks_event_reasons.active,power.draw,temperature.gpu,memory.used"
# Bits of NVML's nvmlClocksEventReason…: the hardware slows down, from heat or for its power.
_HELD_BACK = 0x8 | 0x20 | 0x40 | 0x80
_POWER_CAP = 0x4


@dataclass(frozen=True, slots=True)
class Reading:
    """One line of nvidia-smi: MHz, bits, watts, degrees Celsius, MiB."""

    gpu: int
    clock: float
    reasons: int
    power: float
    temperature: float
    memory: float


def reading(line: str) -> Reading | None:
    """A line of `nvidia-smi --query-gpu`; nothing where it says something else."""
    try:
        gpu, clock, reasons, *rest = (word.strip() for word in line.split(","))
        power, temperature, memory = (float(word) for word in rest)
        return Reading(int(gpu), float(clock), int(reasons, 16), power, temperature, memory)
    except ValueError:
        return None


def summary(readings: Iterable[Reading], gpus: Iterable[int]) -> dict[str, float | bool | int]:
    """What a row keeps of the readings of its GPUs."""
    wanted = {*gpus}
    own = [each for each in readings if each.gpu in wanted]
    if not own:
        return {"readings": 0, "held_back": False}
    return {
        "readings": len(own),
        "held_back": any(each.reasons & _HELD_BACK for each in own),
        "power_capped_share": round(sum(bool(r.reasons & _POWER_CAP) for r in own) / len(own), 3),
        "clock_most_mhz": max(each.clock for each in own),
        "power_most_w": max(each.power for each in own),
        "temperature_most_c": max(each.temperature for each in own),
        "device_memory_most_gib": round(max(each.memory for each in own) / 1024, 2),
    }


class Watch:
    """Reads nvidia-smi once a second, until it is left."""

    def __init__(self, gpus: Iterable[int]) -> None:
        self._gpus = [*gpus]
        self._readings: list[Reading] = []
        self._reader: threading.Thread | None = None
        self._program: subprocess.Popen[str] | None = None

    def __enter__(self) -> Watch:
        command = [
            "nvidia-smi",
            f"--query-gpu={_QUERY}",
            "--format=csv,noheader,nounits",
            "-l",
            "1",
        ]
        try:
            self._program = subprocess.Popen(
                command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
            )
        except FileNotFoundError:
            return self
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        if self._program is not None and self._reader is not None:
            self._program.kill()
            self._program.wait()
            self._reader.join(timeout=5)

    def _read(self) -> None:
        assert self._program is not None
        assert self._program.stdout is not None
        for line in self._program.stdout:
            if found := reading(line):
                self._readings.append(found)

    def summary(self) -> dict[str, float | bool | int]:
        return summary(self._readings, self._gpus)
