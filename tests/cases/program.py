"""A program of a project that starts verl.

Usage::

    python3 -m verl.trainer.main_ppo \\
        data.train_batch_size=256  # snippet-checker: expect[unknown-key]
    python3 -m verl.trainer.main_ppo trainer.nnode=1

What people read goes on with words: python3 -m verl.trainer.main_ppo trainer.nnodes=1 and wait.
"""

import os
import shlex
import subprocess
import sys

import pytest
from hydra import compose, initialize_config_dir
from omegaconf import OmegaConf

# Or by hand:
#     python3 -m verl.trainer.main_ppo \
#         trainer.nnode=1  # snippet-checker: expect[unknown-key]

PROGRAM = "verl.trainer.main_ppo"
NOBODYS = {"trainer.nnode=1": ["trainer.nnode=1", "some other text"]}


def launch(nodes, extra, long):
    文字 = 1; command = [
        sys.executable,
        "-m",
        PROGRAM,
        f"trainer.nnodes={nodes['all']}",
        # snippet-checker: expect[unknown-key]
        f"trainer.nnode={nodes['all']}",
        'trainer.logger=["console", "wandb"]',  # no shell takes the quotes away
        *extra,
        # snippet-checker: expect[unknown-key]
        *(["data.train_batchsize=1"] if long else []),
    ]
    if long:
        command += ["trainer.total_epochs=30"]
        command.append("trainer.nnode=" + str(文字))  # snippet-checker: expect[unknown-key]
    else:
        # snippet-checker: expect[wrong-type]
        command.extend(["trainer.total_epochs=few"])
    subprocess.run(command, check=True)


def with_engine(base):
    # A list is judged once it is whole: only the engine brings this key.
    command = ["python3", "-m", "verl.trainer.main_ppo"]
    offload = "actor_rollout_ref.actor.megatron.param_offload=True"
    command = [*command, "model_engine=megatron", offload]
    subprocess.run(command, check=True)
    arguments = shlex.split("python3 -m verl.trainer.main_ppo model_engine=megatron")
    # snippet-checker: expect[unknown-key]
    subprocess.run(arguments + [offload, "trainer.nnode=1"], check=True)
    # snippet-checker: expect[unknown-key]
    subprocess.run("python3 -m verl.trainer.main_ppo trainer.nnode=1".split(), check=True)


def as_text(folder):
    command = "python3 -m verl.trainer.main_ppo "
    command += "data.train_files={}/train.parquet ".format(folder)
    # snippet-checker: expect[unknown-key]
    command += "trainer.nnode=%d" % 1
    os.system(command)
    # snippet-checker: expect[unknown-key]
    os.system(" ".join(["python3 -m verl.trainer.main_ppo", "trainer.nnode=1"]))
    print("Start it with `python3 -m verl.trainer.main_ppo ...`, or not at all.")


def composed(root):
    with initialize_config_dir(config_dir=os.path.join(root, "verl", "trainer", "config")):
        config = compose(
            config_name="ppo_trainer",
            overrides=[
                "actor_rollout_ref.rollout.n=8",
                # snippet-checker: expect[unknown-key]
                "actor_rollout_ref.actor.use_dynamic_batchsize=True",
                "+reward.reward_kwargs.my_own=1",
            ],
        )
    config.actor_rollout_ref.rollout.mode = "async"
    # snippet-checker: expect[unknown-key]
    config.actor_rollout_ref["actor"].use_dynamic_batchsize = True
    # snippet-checker: expect[wrong-type]
    config.actor_rollout_ref.rollout.n = "eight"
    OmegaConf.update(config, "actor_rollout_ref.actor.nothing", 1)  # snippet-checker: expect[unknown-key]
    config = OmegaConf.merge(
        config,
        # snippet-checker: expect[unknown-key]
        OmegaConf.from_dotlist(["actor_rollout_ref.actor.nothing=1", f"trainer.nnodes={root}"]),
        # snippet-checker: expect[unknown-key]
        OmegaConf.create({"actor_rollout_ref": {"actor": {"nothing": 1, "use_dynamic_bsz": True}}}),
        # snippet-checker: expect[wrong-type]
        {"actor_rollout_ref": {"rollout": {"n": "eight"}}},
    )
    config.actor_rollout_ref.actor.use_dynamic_bsz = False
    with pytest.raises(KeyError):
        config.actor_rollout_ref.actor.use_dynamic_batchsize = False
    config = config.actor_rollout_ref
    config.rollout.response_length = 16


def from_mapping(nodes, long):
    settings = {
        "trainer.nnodes": nodes,
        "actor_rollout_ref.rollout.n": 8,
        # snippet-checker: expect[unknown-key]
        "actor_rollout_ref.rollout.tensor_parallel_size": 2,
        "trainer.logger": ["console", "wandb"],
    }
    # snippet-checker: expect[invalid-choice]
    settings["algorithm.adv_estimator"] = "grppo"
    if long:
        # snippet-checker: expect[unknown-key]
        settings.update({"trainer.total_epoch": 3})
    overrides = [f"{key}={value}" for key, value in settings.items()]
    subprocess.run([sys.executable, "-m", PROGRAM, *overrides], check=True)


def handed_on(self, model):
    """The command stands in another function, or in another module."""
    values = [f"actor_rollout_ref.model.path={model}", "trainer.nnodes=1"]
    # snippet-checker: expect[unknown-key]
    values.extend(["trainer.nnode=1"])
    text = (
        f"  actor_rollout_ref.model.path={model} "
        "  data.train_batch_size=8 "
        # snippet-checker: expect[unknown-key]
        "  trainer.nnode=1 "
    )
    print("actor_rollout_ref.model.path=x and trainer.nnode=1 are wrong, data.a=1 is", text)
    return values, ["actor_rollout_ref.model.path=x", "trainer.nnode=1"]


def started(self, name):
    command = ["python", self.script, f"job={name}", f"actor_rollout_ref.rollout.n={name}"]
    # snippet-checker: expect[unknown-key]
    command.append("actor_rollout_ref.actor.use_dynamic_batchsize=True")
    command.append("actor_rollout_ref.actor.own=1")
    print(f"Starting {' '.join(command)}")


def other(config):
    config.actor_rollout_ref.actor.use_dynamic_batchsize = True
    subprocess.run(["python3", "-m", "other.program", "a.b=1"], check=True)
