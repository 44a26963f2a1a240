"""Importing this, before anything else of verl, makes verl take the CPU for its accelerator."""

from __future__ import annotations

import os
from types import SimpleNamespace
from typing import Any

os.environ.update(
    CUDA_VISIBLE_DEVICES="",
    HF_HUB_OFFLINE="1",
    HYDRA_FULL_ERROR="1",
    TOKENIZERS_PARALLELISM="false",
    VERL_ENGINE_DEVICE="cuda",  # which training engines to look for
)

from verl.plugin.platform import set_platform
from verl.plugin.platform.platform_cuda import PlatformCUDA


def _nothing(*_: Any, **__: Any) -> None:
    pass


class PlatformCPU(PlatformCUDA):  # type: ignore[misc]
    """What verl asks its accelerator for, without one."""

    device_name = "cpu"
    device_module = SimpleNamespace(
        device_count=lambda: 0,
        empty_cache=_nothing,
        ipc_collect=_nothing,
        is_available=lambda: False,
        max_memory_allocated=lambda: 0,
        max_memory_reserved=lambda: 0,
        mem_get_info=lambda: (0, 0),
        memory_allocated=lambda: 0,
        memory_reserved=lambda: 0,
        synchronize=_nothing,
    )

    def current_device(self) -> str:
        return "cpu"


set_platform(PlatformCPU())
