"""verl's training worker alone: log-probabilities and updates of the actor, without an engine."""

from __future__ import annotations

import os
import random
import time
from pathlib import Path
from statistics import fmean
from typing import Any

from gpu_bench import lengths
from gpu_bench.declared import Run
from gpu_bench.engine import Note
from gpu_bench.settings import composed, lengths_of, load

_GIB = 1024**3


def measure(run: Run, inputs: Path, warmup: int, samples: int, note: Note) -> None:
    """Build the worker of one process, and give it the same batch again and again."""
    torch = load("torch")
    config = composed(run, inputs)
    device = load("verl.utils.device")
    started = time.perf_counter()
    if torch.cuda.is_available():
        torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
    role = config.actor_rollout_ref
    role.actor.optim.total_training_steps = 1000  # the trainer sets it before the workers start
    worker = load("verl.workers.engine_workers").ActorRolloutRefWorker(role, role="actor")
    worker.init_model()
    module = device.get_torch_device()
    module.synchronize()
    note("startup_s", time.perf_counter() - started)
    note("idle_gib", module.memory_allocated() / _GIB)
    drawn = lengths_of(run, config)
    note("tokens", drawn.total)
    for number in range(warmup + samples):
        sample = _step(worker, config, drawn, run.gpus, module)
        if number >= warmup:
            note("sample", sample)


def _step(
    worker: Any, config: Any, drawn: lengths.Lengths, gpus: int, module: Any
) -> dict[str, float]:
    """The two passes of a GRPO step without a reference model; the memory of each."""
    temperature = config.actor_rollout_ref.rollout.temperature
    actor = config.actor_rollout_ref.actor
    part = own(
        drawn, int(os.environ["RANK"]), gpus, actor.fsdp_config.ulysses_sequence_parallel_size
    )
    passing = {"calculate_entropy": True, "compute_loss": False, "temperature": temperature}
    size = actor.ppo_mini_batch_size * config.actor_rollout_ref.rollout.n
    updating = {
        "calculate_entropy": actor.calculate_entropy or actor.entropy_coeff != 0,
        "global_batch_size": size,
        "mini_batch_size": size,
        "epochs": actor.ppo_epochs,
        "seed": actor.data_loader_seed,
        "dataloader_kwargs": {"shuffle": actor.shuffle},
        "temperature": temperature,
    }
    found = {}
    for name, call, settings in (
        ("log_prob", worker.compute_log_prob, passing),
        ("update", worker.update_actor, updating),
    ):
        batch = _batch(part, settings)
        module.synchronize()
        module.reset_peak_memory_stats()
        started = time.perf_counter()
        output = call(batch)
        module.synchronize()
        found[f"{name}_s"] = time.perf_counter() - started
        found[f"{name}_peak_gib"] = module.max_memory_allocated() / _GIB
    if output is not None:  # of a Ulysses group, only the first process hands its output back
        metrics = load("verl.utils.tensordict_utils").get(output, "metrics")
        found["mfu"] = fmean(_numbers(metrics["mfu"]))
    found["reserved_gib"] = module.max_memory_reserved() / _GIB
    found["tokens_per_s"] = drawn.total / found["update_s"] / gpus
    found["log_prob_tokens_per_s"] = drawn.total / found["log_prob_s"] / gpus
    return found


def _numbers(value: Any) -> list[float]:
    return [float(each) for each in value] if isinstance(value, list) else [float(value)]


def own(drawn: lengths.Lengths, rank: int, gpus: int, shared: int = 1) -> lengths.Lengths:
    """A process's part: every so-manieth by length, so that the parts weigh the same.

    So many processes in a row as Ulysses has in a group share a part.
    """
    part = rank // shared
    pairs = sorted(zip(drawn.prompts, drawn.responses, strict=True), key=sum)
    pairs = pairs[part :: gpus // shared]
    random.Random(part).shuffle(pairs)
    return lengths.Lengths(*(tuple(column) for column in zip(*pairs, strict=True)))


def _batch(own: lengths.Lengths, settings: dict[str, Any]) -> Any:
    """A batch as the trainer hands it to a worker: without padding, on the CPU."""
    torch, tools = load("torch"), load("verl.utils.tensordict_utils")
    chance = torch.Generator().manual_seed(0)

    def nested(parts: list[Any]) -> Any:
        return torch.nested.as_nested_tensor(parts, layout=torch.jagged)

    prompts = [torch.randint(3, 600, (size,), generator=chance) for size in own.prompts]
    responses = [torch.randint(3, 600, (size,), generator=chance) for size in own.responses]
    whole = [torch.cat(pair) for pair in zip(prompts, responses, strict=True)]
    mask = nested([torch.ones(size, dtype=torch.int64) for size in own.responses])
    tensors = {
        "prompts": nested(prompts),
        "responses": nested(responses),
        "response_mask": mask,
        "loss_mask": mask,
        "input_ids": nested(whole),
        "position_ids": nested([torch.arange(len(each)) for each in whole]),
        "old_log_probs": nested([torch.full((size,), -11.9) for size in own.responses]),
        "advantages": nested(
            [torch.randn(1, generator=chance).expand(size).clone() for size in own.responses]
        ),
    }
    return tools.get_tensordict(tensors, settings)
