"""A run's settings as verl composes them, on the machine with the GPU."""

from __future__ import annotations

import importlib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from gpu_bench import lengths
from gpu_bench.declared import Run

CONFIGS = {
    "verl.trainer.main_ppo": "ppo_trainer",
    "verl.trainer.sft_trainer": "sft_trainer_engine",
}
_INPUTS = "inputs/"


def load(name: str) -> Any:
    """A package that only the machine with the GPU needs."""
    return importlib.import_module(name)


def located(overrides: Iterable[str], inputs: Path) -> list[str]:
    """The overrides with the folder of the inputs in place of `inputs/`."""
    return [each.replace(f"={_INPUTS}", f"={inputs.resolve()}/") for each in overrides]


def composed(run: Run, inputs: Path) -> Any:
    """The whole configuration of a run."""
    hydra, verl = load("hydra"), load("verl")
    folder = Path(verl.__path__[0], "trainer/config").resolve()
    with hydra.initialize_config_dir(str(folder), version_base=None):
        return hydra.compose(CONFIGS[run.program], located(run.overrides, inputs))


def lengths_of(run: Run, config: Any) -> lengths.Lengths:
    """The prompts and responses of a step with a configuration."""
    return lengths.draw(
        config.data.train_batch_size,
        config.actor_rollout_ref.rollout.n,
        config.data.max_prompt_length,
        config.data.max_response_length,
        median=run.workload.median,
        shape=run.workload.lengths,
    )
