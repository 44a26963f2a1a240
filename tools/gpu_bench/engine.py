"""The inference engine alone: vLLM, with the arguments that verl gives it."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from gpu_bench.declared import Run
from gpu_bench.settings import composed, lengths_of, load

Note = Callable[[str, Any], None]
_LAST = 0.9  # of the responses: what comes after is the tail
# verl/workers/rollout/vllm_rollout/vllm_async_server.py, _apply_quantization, for a dense model
_FP8 = {
    "activation_scheme": "dynamic",
    "fmt": "e4m3",
    "quant_method": "fp8",
    "weight_block_size": [128, 128],
    "ignored_layers": [],
}


def measure(run: Run, inputs: Path, warmup: int, samples: int, note: Note) -> None:
    """Start an engine, generate, put it to sleep."""
    config = composed(run, inputs)
    started = time.perf_counter()
    engine = load("vllm").LLM(**arguments(config)).llm_engine
    note("startup_s", time.perf_counter() - started)
    note("cache", _cache(engine))
    requests = _requests(run, config)
    note("tokens", sum(params.max_tokens for _, params in requests))
    for number in range(warmup + samples):
        # What the run before left in the prefix cache is of other weights in training.
        engine.reset_prefix_cache()
        sample = _generate(engine, requests if number >= warmup else requests[::8])
        if number >= warmup:
            note("sample", sample)
    if rollout_of(config).enable_sleep_mode:
        note("sleep", _sleep(engine))


def arguments(config: Any) -> dict[str, Any]:
    """The engine's arguments, as verl's server sets them from its configuration."""
    rollout = rollout_of(config)
    own = dict((rollout.engine_kwargs or {}).get("vllm") or {})
    longest = rollout.prompt_length + rollout.response_length
    compilation: dict[str, Any] = {"cudagraph_mode": "FULL_AND_PIECEWISE"}
    if rollout.cudagraph_capture_sizes:
        compilation["cudagraph_capture_sizes"] = [*rollout.cudagraph_capture_sizes]
    quantized = {"quantization_config": dict(_FP8)} if rollout.quantization == "fp8" else {}
    return {
        "model": config.actor_rollout_ref.model.path,
        "dtype": rollout.dtype,
        "load_format": rollout.load_format,
        "max_model_len": rollout.max_model_len or longest,
        "max_num_seqs": rollout.max_num_seqs,
        "enable_chunked_prefill": rollout.enable_chunked_prefill,
        "max_num_batched_tokens": rollout.max_num_batched_tokens,
        "enable_prefix_caching": rollout.enable_prefix_caching,
        "enable_sleep_mode": rollout.enable_sleep_mode,
        "logprobs_mode": rollout.logprobs_mode,
        "enforce_eager": rollout.enforce_eager,
        "gpu_memory_utilization": rollout.gpu_memory_utilization,
        "disable_log_stats": rollout.disable_log_stats,
        "tensor_parallel_size": rollout.tensor_model_parallel_size,
        "seed": rollout.seed,
        "quantization": rollout.quantization,
        "hf_overrides": quantized,
        "compilation_config": compilation,
        **{key: value for key, value in own.items() if value is not None},
    }


def rollout_of(config: Any) -> Any:
    """The rollout's settings with the defaults that only verl's dataclass has."""
    convert = load("verl.utils.config").omega_conf_to_dataclass
    return convert(config.actor_rollout_ref.rollout)


def _requests(run: Run, config: Any) -> list[tuple[Any, Any]]:
    """Prompts of random tokens, equal within a group, and where each response ends."""
    torch, vllm = load("torch"), load("vllm")
    rollout, drawn = rollout_of(config), lengths_of(run, config)
    chance = torch.Generator().manual_seed(0)
    requests, prompt = [], None
    for number, (asked, said) in enumerate(zip(drawn.prompts, drawn.responses, strict=True)):
        if number % rollout.n == 0:
            tokens = torch.randint(3, 150_000, (asked,), generator=chance).tolist()
            prompt = vllm.TokensPrompt(prompt_token_ids=tokens)
        params = vllm.SamplingParams(
            temperature=rollout.temperature,
            top_p=rollout.top_p,
            top_k=rollout.top_k,
            logprobs=0 if rollout.calculate_log_probs else None,
            max_tokens=said,
            ignore_eos=True,
            detokenize=False,
            output_kind=load("vllm.sampling_params").RequestOutputKind.FINAL_ONLY,
        )
        requests.append((prompt, params))
    return requests


def _cache(engine: Any) -> dict[str, float]:
    """The room for tokens, and how vLLM divided its memory; what a release does not say is absent.

    The parts are those of the first worker, in GiB.
    """
    cache = engine.vllm_config.cache_config
    found: dict[str, float] = {"kv_tokens": (cache.num_gpu_blocks or 0) * cache.block_size}
    with suppress(Exception):  # a worker says it only to a client that may send it functions
        found.update(engine.collective_rpc(_memory_parts)[0])
    return found


def _memory_parts(worker: Any) -> dict[str, float]:
    names = {
        "requested_memory": "requested_gib",
        "available_kv_cache_memory_bytes": "kv_gib",
        "peak_activation_memory": "activations_gib",
        "non_torch_memory": "outside_torch_gib",
        "cudagraph_memory_estimate": "graphs_estimate_gib",
    }
    found = {ours: getattr(worker, theirs, None) for theirs, ours in names.items()}
    found["weights_gib"] = getattr(worker.model_runner, "model_memory_usage", None)
    return {name: float(value) / 1024**3 for name, value in found.items() if value is not None}


def _generate(engine: Any, requests: list[tuple[Any, Any]]) -> dict[str, float]:
    started = time.perf_counter()
    for number, (prompt, params) in enumerate(requests):
        engine.add_request(str(number), prompt, params)
    ends = []
    while engine.has_unfinished_requests():
        finished = sum(output.finished for output in engine.step())
        ends += [time.perf_counter() - started] * finished
    tokens = sum(params.max_tokens for _, params in requests)
    return {
        "seconds": ends[-1],
        "tail_s": ends[-1] - ends[int(_LAST * len(ends))],
        "tokens_per_s": tokens / ends[-1],
    }


def _sleep(engine: Any) -> dict[str, float]:
    """What verl does between two rollouts: level 2 gives up weights and KV cache."""
    awake = _memory()
    started = time.perf_counter()
    engine.sleep(level=2)
    slept = time.perf_counter()
    asleep = _memory()
    woken = time.perf_counter()
    engine.wake_up()
    return {
        "sleep_s": slept - started,
        "wake_s": time.perf_counter() - woken,
        "awake_gib": awake,
        "asleep_gib": asleep,
    }


def _memory() -> float:
    """GiB in use on the first GPU that this process may use."""
    gpu = os.environ.get("CUDA_VISIBLE_DEVICES", "0").partition(",")[0]
    command = ["nvidia-smi", "-i", gpu, "--query-gpu=memory.used", "--format=csv,noheader,nounits"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return round(float(done.stdout or "nan") / 1024, 2)
