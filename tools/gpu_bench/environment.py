"""On what a run was measured: GPU, driver and the releases of what computes."""

from __future__ import annotations

import hashlib
import os
import platform
import subprocess
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

PACKAGES = (
    *("verl", "torch", "transformers", "vllm", "flash-attn", "triton", "tensordict", "ray"),
    *("liger-kernel", "peft", "torchao", "bitsandbytes", "numpy"),
)


def environment() -> dict[str, object]:
    """What a row says about its machine; nothing in it names the machine itself."""
    gpus = _said(
        "nvidia-smi", "--query-gpu=name,driver_version,memory.total", "--format=csv,noheader"
    )
    return {
        "gpus": gpus.splitlines(),
        "processors": os.cpu_count(),
        "boot": _boot(),
        "system": platform.system(),
        "python": platform.python_version(),
        "cuda": _cuda(),
        "packages": {name: found for name in PACKAGES if (found := _release(name))},
    }


def commit() -> str:
    """The commit of the bench; `GPU_BENCH_COMMIT` where it was copied without its history."""
    given = os.environ.get("GPU_BENCH_COMMIT")
    return given or _said("git", "-C", str(Path(__file__).parent), "rev-parse", "HEAD")


def _boot() -> str:
    """Tells one start of one machine from others, without naming it; empty where nothing does."""
    file = Path("/proc/sys/kernel/random/boot_id")
    if not file.exists():
        return ""
    return hashlib.sha256(file.read_bytes()).hexdigest()[:8]


def _cuda() -> str:
    try:
        from torch.version import cuda
    except ImportError:
        return ""
    return str(cuda)


def _release(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return ""


def _said(*command: str) -> str:
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""
