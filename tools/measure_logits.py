"""Measure what the logits cost in verl and print the table that docs/guide/memory.md cites.

    python3 tools/measure_logits.py

It needs one CUDA GPU with 45 GB free, verl 0.9.1 with what that installs, PyTorch 2.11 or newer,
flash-attn 2.8.3 and a C compiler for torch.compile. It downloads nothing.

A micro-batch goes through forward_step of verl's FSDP engine
(verl/workers/engine/fsdp/transformer_impl.py), and in an update through the backward. The engine
has no model and no FSDP: a matrix stands for the output head, behind inputs of 16 numbers a token,
so that next to nothing but the logits takes memory. The entropy has coefficient 0 in the loss.

Every figure is the peak of PyTorch's allocator, divided by tokens and vocabulary: the c of the
page. The inputs and the head add up to 0.02.
"""

from __future__ import annotations

import gc
import importlib
import logging
import os
import warnings
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

DEVICE = "cuda"
TOKENS, SAMPLES, VOCABULARY, HIDDEN = 8192, 8, 151936, 16
CHUNKS = (512, 2048, 8192)
_NO_FLASH_ATTN = "VERL_DISABLE_FLASH_ATTN_CE"  # verl reads it in every call


@dataclass(frozen=True, slots=True)
class Way:
    """A way to compute the entropy: its name, and the keys of the engine that ask for it."""

    name: str
    keys: dict[str, Any] = field(default_factory=dict)
    entropy: bool = True


def ways() -> list[Way]:
    """The rows of the table."""
    rows = [Way("not computed", entropy=False)]
    for compiled in (True, False):
        name, keys = "compiled" if compiled else "not compiled", {"use_torch_compile": compiled}
        rows.append(Way(name, keys))
        for size in CHUNKS:
            chunks = {
                "entropy_from_logits_with_chunking": True,
                "entropy_from_logits_chunk_size": size,
            }
            rows.append(Way(f"{name}, chunks of {size:,}", keys | chunks))
        rows.append(Way(f"{name}, entropy_checkpointing", keys | {"entropy_checkpointing": True}))
    return rows


def main() -> None:
    """Print the table."""
    logging.disable(logging.WARNING)
    warnings.simplefilter("ignore")  # torch.compile and checkpoint say much about themselves
    torch, verl = _load("torch"), _load("verl")
    if not _load("verl.utils.torch_functional").FLAH_ATTN_CROSS_ENTROPY_LOSS_AVAILABLE:
        raise SystemExit("This needs flash-attn: verl would take another cross entropy.")
    card, flash_attn = torch.cuda.get_device_name(), _load("flash_attn").__version__
    print(f"{card}, PyTorch {torch.__version__}, verl {verl.__version__}, flash-attn {flash_attn}")
    print(f"{TOKENS:,} tokens, vocabulary {VOCABULARY:,}; columns: temperature\n")
    print(
        "| Entropy | No gradients, 1 | 0.9 | Update, 1 | 0.9 | Update without flash-attn, 1 | 0.9 |"
    )
    print("| --- " * 7 + "|")
    for way in ways():
        found = [
            cost(way, temperature, train=train, flash_attn=kernel)
            for train, kernel in ((False, True), (True, True), (True, False))
            for temperature in (1.0, 0.9)
        ]
        print(f"| {way.name} | " + " | ".join(f"{c:.2f}" for c in found) + " |", flush=True)


def cost(way: Way, temperature: float, *, train: bool, flash_attn: bool) -> float:
    """Bytes per token and entry of the vocabulary, at the peak of one micro-batch."""
    cuda = _load("torch").cuda
    os.environ[_NO_FLASH_ATTN] = "0" if flash_attn else "1"
    engine, batch = _engine(way), _batch(way, temperature)
    most = 0
    for _ in range(2):  # the first run compiles
        engine.module.weight.grad = None
        gc.collect()
        cuda.empty_cache()
        cuda.synchronize()
        cuda.reset_peak_memory_stats()
        before: int = cuda.memory_allocated()
        _micro_batch(engine, batch, train=train)
        cuda.synchronize()
        most = cuda.max_memory_allocated() - before
    return most / TOKENS / VOCABULARY


def _micro_batch(engine: Any, batch: Any, *, train: bool) -> None:
    """What forward_backward_batch of the engine does with a micro-batch."""
    torch = _load("torch")
    gradients: AbstractContextManager[Any] = torch.set_grad_enabled(train)
    with gradients:
        loss, _output = engine.forward_step(batch, _loss if train else None, not train)
        if train:
            loss.backward()


def _loss(model_output: dict[str, Any], **_: Any) -> tuple[Any, dict[str, Any]]:
    loss = -model_output["log_probs"].values().sum() / TOKENS
    if "entropy" in model_output:
        loss = loss - 0.0 * model_output["entropy"].values().sum()
    return loss, {}


def _engine(way: Way) -> Any:
    """verl's engine with what forward_step reads, set as its __init__ sets it."""
    torch, functions = _load("torch"), _load("verl.utils.torch_functional")
    config = _load("verl.workers.config").FSDPEngineConfig(**way.keys)
    entropy: Callable[..., Any] = functions.entropy_from_logits
    if config.entropy_from_logits_with_chunking:
        entropy = functions.entropy_from_logits_with_chunking
    kind = _load("verl.workers.engine.fsdp.transformer_impl").FSDPEngineWithLMHead
    torch.compiler.reset()  # after eight shapes and settings PyTorch no longer compiles a function
    engine = object.__new__(kind)
    engine.engine_config = config
    engine.compute_entropy_from_logits = (
        torch.compile(entropy, dynamic=True) if config.use_torch_compile else entropy
    )
    engine.use_ulysses_sp = engine.pad_to_length = False
    engine.ulysses_device_mesh = None
    engine.module = _head()
    return engine


def _head() -> Any:
    """The output head, with the interface of a model."""
    torch = _load("torch")
    hidden = torch.randn(1, TOKENS, HIDDEN, device=DEVICE, dtype=torch.bfloat16)
    weight = torch.nn.Parameter(torch.randn(VOCABULARY, HIDDEN, device=DEVICE) * 0.02)

    def forward(**_: Any) -> SimpleNamespace:
        return SimpleNamespace(logits=torch.nn.functional.linear(hidden, weight))

    head = torch.nn.Module()
    head.weight, head.forward = weight, forward
    return head


def _batch(way: Way, temperature: float) -> Any:
    """A packed micro-batch as the trainer hands it to the engine."""
    torch = _load("torch")
    length = TOKENS // SAMPLES
    offsets = torch.arange(0, TOKENS + 1, length)
    nested = torch.nested.nested_tensor_from_jagged
    tensors = {
        "input_ids": nested(torch.randint(0, VOCABULARY, (TOKENS,)), offsets),
        "position_ids": nested(torch.arange(length).repeat(SAMPLES), offsets),
    }
    settings = {
        "use_remove_padding": True,
        "use_fused_kernels": False,
        "calculate_entropy": way.entropy,
        "temperature": temperature,
    }
    return _load("verl.utils.tensordict_utils").get_tensordict(tensors, settings)


def _load(name: str) -> Any:
    """A package that only the machine with the GPU needs."""
    return importlib.import_module(name)


if __name__ == "__main__":
    main()
