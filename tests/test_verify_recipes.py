"""What verl refuses is reported in its own words, and the other scripts go on."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tools"))

import verify_recipes  # noqa: E402

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        not verify_recipes.READY.exists(), reason="needs verl: run `make verify-recipes` first"
    ),
]

FIXED_SIZES = (
    "actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu=6 "
    "actor_rollout_ref.rollout.log_prob_micro_batch_size_per_gpu=8"
)
# recipe, what stands there, what to put in its place, the step that refuses, its words
BROKEN = [
    (
        "high-throughput",
        "use_dynamic_bsz=",
        "use_dynamic_batchsize=",
        "Hydra composition",
        "Key 'use_dynamic_batchsize' is not in struct",
    ),
    (
        "high-throughput",
        "actor_rollout_ref.rollout.n=8",
        "+actor_rollout_ref.actor.foo=1",
        "validate_config",
        "got an unexpected keyword argument 'foo'",
    ),
    (
        "high-throughput",
        "adv_estimator=grpo",
        "adv_estimator=grppo",
        "algorithm",
        "Unknown advantage estimator simply: grppo",
    ),
    (
        "high-throughput",
        "actor_rollout_ref.actor.use_dynamic_bsz=True",
        FIXED_SIZES,
        "actor update",
        "data size must be divisible by force_group_size * micro_batch_size_per_gpu",
    ),
    (
        "high-throughput",
        "tensor_model_parallel_size=1",
        "tensor_model_parallel_size=3",
        "worker actor_rollout",
        "rollout world_size: 8 is not divisible by infer_world_size: 3",
    ),
    (
        "long-context",
        "ppo_max_token_len_per_gpu=16384",
        "ppo_max_token_len_per_gpu=8000",
        "log-probabilities",
        "max_token_len must be greater than the sequence length",
    ),
    (
        "moe-megatron",
        "pipeline_model_parallel_size=2",
        "pipeline_model_parallel_size=3",
        "worker actor_rollout",
        "world_size (16) is not divisible by 3",
    ),
    (
        "dapo",
        "reward_manager.name=dapo",
        "reward_manager.name=prime",
        "reward",
        "Unknown reward manager: prime",
    ),
    (
        "distillation",
        "distillation.n_gpus_per_node=4",
        "distillation.n_gpus_per_node=3",
        "worker actor_rollout",
        "per_replica_world_size (2) must divide",
    ),
    (
        "distillation",
        "inference.max_model_len=4097",
        "inference.max_model_len=4096",
        "worker actor_rollout",
        "requires room for the student prompt",
    ),
    (
        "distillation",
        "inference.tensor_model_parallel_size=2",
        "inference.max_num_sequences=2",
        "Hydra composition",
        "Key 'max_num_sequences' is not in struct",
    ),
    (
        "sft",
        "lr_scheduler_type=cosine",
        "lr_scheduler_type=linear",
        "SFTTrainer",
        'assert self.lr_scheduler_type in ["constant", "cosine"]',
    ),
]


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Callable[[int], str]:
    """What the tool says about each of BROKEN, and about a sound one among them."""
    folder = tmp_path_factory.mktemp("scripts")
    scripts = []
    for number, (recipe, old, new, _, _) in enumerate(BROKEN):
        text = (ROOT / f"docs/recipes/{recipe}.sh").read_text("utf-8")
        assert old in text
        scripts.append(folder / f"{number}.sh")
        scripts[-1].write_text(text.replace(old, new), "utf-8")
    scripts.insert(1, ROOT / "docs/recipes/small-model.sh")
    command = [sys.executable, ROOT / "tools/verify_recipes.py", *scripts]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (1, "")
    assert "docs/recipes/small-model.sh: accepted" in done.stdout
    assert f"1 accepted by verl {verify_recipes.RELEASE}, {len(BROKEN)} not" in done.stdout
    assert "Traceback" not in done.stdout
    return lambda number: done.stdout.split(f"{folder}/{number}.sh: refused")[1]


@pytest.mark.parametrize(
    ("number", "step", "words"),
    [(number, step, words) for number, (_, _, _, step, words) in enumerate(BROKEN)],
    ids=[f"{recipe}: {new.split()[0]}" for recipe, _, new, _, _ in BROKEN],
)
def test_a_refusal_names_step_and_words(
    told: Callable[[int], str], number: int, step: str, words: str
) -> None:
    lines = told(number).strip().splitlines()
    assert lines[0].startswith(f"in: {step}")
    assert words in "\n".join(lines[1:4])
