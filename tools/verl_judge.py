"""Put launch commands before verl itself; tools/verify_recipes.py runs it where verl is installed.

Reads one command a line from standard input as JSON ({"name", "program", "overrides",
"processes"}) and writes one verdict a line ({"name", "steps", "refusal"}) to standard output. A
command is followed from Hydra's composition to the moment where the first batch would enter the
model. All that runs is verl's own code, up to what tools/verl_stand_ins.py replaces.
"""

from __future__ import annotations

import json
import os
import sys
import traceback
from collections.abc import Iterator
from pathlib import Path
from typing import Any

FOLDER = Path(sys.argv[1])
OUT = os.fdopen(os.dup(1), "w", buffering=1)  # verl prints to standard output: keep it for verdicts
os.dup2(os.open(FOLDER / "verl.log", os.O_CREAT | os.O_WRONLY | os.O_TRUNC, 0o644), 1)
os.dup2(1, 2)
os.environ["HF_HOME"] = str(FOLDER / "huggingface")

import verl_on_cpu  # noqa: E402, F401

# isort: split
import torch  # noqa: E402
import verl.trainer.config  # noqa: E402
import verl_files  # noqa: E402
import verl_stand_ins as stand_ins  # noqa: E402
from hydra import compose, initialize_config_dir  # noqa: E402
from omegaconf import DictConfig, OmegaConf  # noqa: E402
from tensordict import TensorDict  # noqa: E402
from verl.trainer import sft_trainer  # noqa: E402
from verl.trainer.ppo import core_algos  # noqa: E402
from verl.trainer.ppo.utils import need_critic, need_reference_policy  # noqa: E402
from verl.trainer.ppo.v1 import get_trainer_cls  # noqa: E402
from verl.utils import tensordict_utils as tu  # noqa: E402
from verl.utils.config import validate_config  # noqa: E402
from verl.utils.device import auto_set_device  # noqa: E402
from verl.utils.skip import SkipManager  # noqa: E402

CONFIGS = {
    "verl.trainer.main_ppo": "ppo_trainer",
    "verl.trainer.sft_trainer": "sft_trainer_engine",
}
_MODELS = (
    *(
        f"{node}model.{key}"
        for node in ("", "actor_rollout_ref.", "critic.")
        for key in ("path", "tokenizer_path", "hf_config_path")
    ),
    "reward.reward_model.model_path",
)
_DATA = ("data.train_files", "data.val_files")


class Progress:
    """The parts of verl that were reached, in order; the last one is the present one."""

    def __init__(self) -> None:
        self.reached: list[str] = []

    def __call__(self, step: str) -> None:
        if step not in self.reached:
            self.reached.append(step)


progress = Progress()


def main() -> None:
    verl_files.write(FOLDER)
    stand_ins.install(progress)
    os.chdir(FOLDER)  # verl looks for checkpoints in the working directory
    with initialize_config_dir(str(Path(verl.trainer.config.__file__).parent), version_base=None):
        for line in sys.stdin:
            command = json.loads(line)
            print(json.dumps({"name": command["name"], **judge(command)}), file=OUT)


def judge(command: dict[str, Any]) -> dict[str, Any]:
    """What verl accepted of a command, and in which words it refused the rest."""
    progress.reached = []
    try:
        follow(command)
    except Exception as error:
        traceback.print_exc()  # into the log
        return {"steps": progress.reached[:-1], "refusal": refusal(error)}
    return {"steps": progress.reached, "refusal": None}


def refusal(error: BaseException) -> dict[str, str]:
    while error.__cause__ is not None:  # Hydra wraps what a dataclass says
        error = error.__cause__
    frames = traceback.extract_tb(error.__traceback__)
    theirs = [frame for frame in frames if "/verl/" in frame.filename]
    where, line = "", ""
    if theirs:
        where = f"verl/{theirs[-1].filename.rpartition('/verl/')[2]}:{theirs[-1].lineno}"
        line = theirs[-1].line or ""
    words = f"{type(error).__name__}: {str(error) or line}"  # many an `assert` has no words
    return {"step": progress.reached[-1], "words": words, "where": where}


def follow(command: dict[str, Any]) -> None:
    progress("Hydra composition")
    config = compose(CONFIGS[command["program"]], overrides=command["overrides"])
    replace_files(config)
    auto_set_device(config)
    if command["program"] == "verl.trainer.sft_trainer":
        with stand_ins.processes(command["processes"]):
            follow_sft(config)
    else:
        progress("validate_config")
        validate_config(config, need_reference_policy(config), need_critic(config))
        with stand_ins.processes(config.trainer.nnodes * config.trainer.n_gpus_per_node):
            follow_ppo(config)


# -- PPO, as main_ppo and its TaskRunnerV1 do it -----------------------------------------------


def follow_ppo(config: DictConfig) -> None:
    progress("trainer")
    assert config.trainer.use_v1, "only the default trainer (trainer.use_v1=True) is followed"
    trainer_class = get_trainer_cls(config.trainer.v1.trainer_mode)
    config.transfer_queue.enable = True
    OmegaConf.resolve(config)
    trainer = trainer_class(config=config)
    trainer.init()
    SkipManager.init(config)
    progress("algorithm")
    look_up_algorithm(config)
    for name, update in first_step(trainer, config):
        progress(name)
        reach_forward(update)


def look_up_algorithm(config: DictConfig) -> None:
    """The names that verl looks up in the first step only."""
    actor, algorithm, one = config.actor_rollout_ref.actor, config.algorithm, torch.zeros(1, 1)
    core_algos.get_adv_estimator_fn(algorithm.adv_estimator)
    core_algos.get_policy_loss_fn(actor.policy_loss.loss_mode)
    if actor.use_kl_loss:
        core_algos.kl_penalty(one, one, actor.kl_loss_type)
    if algorithm.use_kl_in_reward:
        core_algos.kl_penalty(one, one, algorithm.kl_penalty)


def first_step(trainer: Any, config: DictConfig) -> Iterator[tuple[str, Any]]:
    """The passes through the models in a step, with the longest batch that the settings allow."""
    worker = trainer.actor_rollout_wg.worker
    trainer.global_steps = 1
    yield "log-probabilities", lambda: infer(trainer, worker.actor)
    if worker.ref is not None:
        yield "reference", lambda: infer(trainer, worker.ref)
    if trainer.use_critic:
        critic = trainer.critic_wg.worker
        yield "values", lambda: infer(trainer, critic)
        yield "critic update", lambda: train(trainer, critic, config.critic)
    yield "actor update", lambda: train(trainer, worker.actor, config.actor_rollout_ref.actor)


def infer(trainer: Any, worker: Any) -> None:
    sequences = share_of_a_step(trainer, worker)
    if worker.engine_config.use_dynamic_bsz:
        sequences = min(sequences, 16)  # tokens are counted, and dividing thousands takes a while
    worker.infer_batch(batch_of(sequences, longest(trainer)))


def train(trainer: Any, worker: Any, role: DictConfig) -> None:
    size = role.ppo_mini_batch_size * trainer.config.actor_rollout_ref.rollout.n
    batch = batch_of(share_of_a_step(trainer, worker), longest(trainer))
    tu.assign_non_tensor(batch, mini_batch_size=size, global_batch_size=size, epochs=1)
    worker.train_mini_batch(batch)


def share_of_a_step(trainer: Any, worker: Any) -> int:
    """How many sequences one data-parallel rank gets, those that verl adds as padding included."""
    ranks = worker.engine.get_data_parallel_size()
    multiple = trainer._get_required_batch_multiple(ranks)
    sequences = trainer.config.data.train_batch_size * trainer.config.actor_rollout_ref.rollout.n
    return int(-(-sequences // multiple) * multiple // ranks)


def longest(trainer: Any) -> int:
    return int(trainer.config.data.max_prompt_length + trainer.config.data.max_response_length)


# -- SFT, as sft_trainer does it ---------------------------------------------------------------


def follow_sft(config: DictConfig) -> None:
    progress("SFTTrainer")
    trainer = sft_trainer.SFTTrainer(config)
    progress("first batch")
    batch = batch_of(trainer.train_batch_size_per_dp, config.data.max_length)
    tu.assign_non_tensor(
        batch,
        use_dynamic_bsz=config.data.use_dynamic_bsz,
        max_token_len_per_gpu=config.data.max_token_len_per_gpu,
        micro_batch_size_per_gpu=config.data.micro_batch_size_per_gpu,
        global_batch_size=trainer.global_batch_size,
    )
    reach_forward(lambda: trainer.training_client.train_batch(batch))


# -- Both --------------------------------------------------------------------------------------


def batch_of(sequences: int, length: int) -> TensorDict:
    tokens = torch.nested.nested_tensor(
        [torch.ones(length, dtype=torch.int64)] * sequences, layout=torch.jagged
    )
    batch = TensorDict({"input_ids": tokens, "loss_mask": tokens}, batch_size=[sequences])
    tu.assign_non_tensor(batch, temperature=1.0)
    return batch


def reach_forward(update: Any) -> None:
    try:
        update()
    except stand_ins.ForwardReached:
        return
    raise RuntimeError("the first batch was empty")


def replace_files(config: DictConfig) -> None:
    """A tiny model and a few rows stand for the files that a command names."""
    teachers = OmegaConf.select(config, "distillation.teacher_models") or {}
    models = (*_MODELS, *(f"distillation.teacher_models.{name}.model_path" for name in teachers))
    for keys, stand_in in ((models, FOLDER / "model"), (_DATA, FOLDER / "rows.parquet")):
        for key in keys:
            if OmegaConf.select(config, key):
                OmegaConf.update(config, key, str(stand_in))


if __name__ == "__main__":
    main()
