"""What a run's process imports in the tests, in place of a module that needs a GPU."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any


def measure(
    run: Any, inputs: Path, warmup: int, samples: int, note: Callable[[str, Any], None]
) -> None:
    """Note what the process was given; `trouble` beside the inputs says what goes wrong."""
    trouble = (inputs / "trouble").read_text() if (inputs / "trouble").exists() else ""
    note("startup_s", 1.23456789)
    note("variables", {name: os.environ.get(name) for name in ("RANK", "CUDA_VISIBLE_DEVICES")})
    for number in range(samples):
        if trouble == "raises" and number == 1:
            raise ValueError("no memory")
        if trouble == "hangs" or (trouble == "hangs later" and number == 3):
            time.sleep(60)
        if trouble == "dies":
            os._exit(1)
        if not (trouble == "other rank" and os.environ.get("RANK") == "1"):
            note("sample", {"tokens_per_s": 100.0 + number})
        else:
            raise ValueError("not here")
