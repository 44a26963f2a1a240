"""What verl's start-up meets where there are no GPUs, Ray, engines and models (for verl_judge.py).

Nothing that decides about a setting is replaced. The stand-ins are: a process group of the right
size in which nobody else is; workers that live in this process instead of Ray's; inference servers
that are configured and not started; a version of Transformer Engine; models of one parameter; an
end where a model would run.
"""

from __future__ import annotations

import ast
import os
import sys
import types
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, Literal, get_args

import megatron.core.utils as megatron_core_utils
import torch
import torch.distributed as dist
import verl
import verl.checkpoint_engine.base as checkpoint_engine
import verl.experimental.teacher_loop.teacher_model as teacher_model
import verl.trainer.ppo.v1.trainer_base as trainer_base
import verl.workers.engine.fsdp.transformer_impl as fsdp
import verl.workers.engine.megatron.transformer_impl as megatron
import verl.workers.engine_workers as engine_workers
import verl.workers.rollout.base as rollout_base
import verl.workers.rollout.llm_server as llm_server
import verl.workers.rollout.replica as rollout_replica
from megatron.core import parallel_state
from packaging.version import Version
from torch.testing._internal.distributed.fake_pg import FakeStore
from verl.experimental.reward_loop.reward_loop import RewardLoopManager, RewardLoopWorker
from verl.single_controller.ray.base import RayResourcePool, ResourcePoolManager
from verl.utils.config import omega_conf_to_dataclass
from verl.utils.megatron.optimizer import init_megatron_optim_config
from verl.workers.config import HFModelConfig

Entered = Callable[[str], None]


class ForwardReached(Exception):
    """The first batch is cut up and the model would run now: all settings were accepted."""


@contextmanager
def processes(count: int) -> Iterator[None]:
    """Be the first of `count` processes; the others exist in name only."""
    os.environ.update(RANK="0", LOCAL_RANK="0", WORLD_SIZE=str(count))
    os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT="1")
    dist.init_process_group("fake", rank=0, world_size=count, store=FakeStore())
    try:
        yield
    finally:
        if parallel_state.is_initialized():
            parallel_state.destroy_model_parallel()
        dist.destroy_process_group()


def install(entered: Entered) -> None:
    """Put the stand-ins in place; `entered` is told which part of verl begins."""
    _ray(entered)
    _rollout(entered)
    _engines()


# -- Ray ---------------------------------------------------------------------------------------


class WorkerGroup:
    """The workers of a resource pool: the first of each role, in this process."""

    def __init__(self, resource_pool: Any, ray_cls_with_init: dict[str, Any], **_: Any) -> None:
        self._size = resource_pool.world_size
        self._roles = ray_cls_with_init

    def spawn(self, prefix_set: set[str]) -> dict[str, FirstWorker]:
        return {role: FirstWorker(role, self._roles[role], self._size) for role in prefix_set}


class FirstWorker:
    """Stands for all workers of a role; calls go to the one that there is."""

    entered: Entered

    def __init__(self, role: str, planned: Any, world_size: int) -> None:
        self.entered(f"worker {role}")
        self.worker = planned.cls.__ray_actor_class__(*planned.args, **planned.kwargs)
        self.world_size = world_size
        self.workers = [self.worker] * world_size

    def __getattr__(self, name: str) -> Any:
        return getattr(self.worker, name)


class RewardLoop(RewardLoopManager):  # type: ignore[misc]
    """The reward manager is built as a reward worker builds it; its model is only configured."""

    entered: Entered

    def __init__(self, config: Any, rm_resource_pool: Any = None) -> None:
        self.entered("reward")
        self.config = config
        self.reward_loop_workers = [RewardLoopWorker(config)]
        model = config.reward.reward_model
        if model.enable:
            gpus = model.n_gpus_per_node
            replica = Replica(0, model.rollout, HFModelConfig(model.model_path), gpus, True)
            assert not replica.config.skip_tokenizer_init, "the reward model needs its tokenizer"


def _ray(entered: Entered) -> None:
    FirstWorker.entered = RewardLoop.entered = staticmethod(entered)
    ResourcePoolManager._check_resource_available = lambda self: None
    RayResourcePool.get_placement_groups = lambda self, *_, **__: []
    trainer_base.create_colocated_worker_cls = lambda class_dict: class_dict
    trainer_base.RayWorkerGroup = WorkerGroup
    trainer_base.RewardLoopManager = RewardLoop
    checkpoint_engine.CheckpointEngineManager.update_weights = lambda self, step=None: {}


# -- Inference engines -------------------------------------------------------------------------


class Replica(rollout_replica.RolloutReplica):  # type: ignore[misc]
    """An inference server up to the point where it would import its engine."""

    async def launch_servers(self) -> None:
        omega_conf_to_dataclass(self.model_config, dataclass_type=HFModelConfig)

    async def init_colocated(self, resource_pool: Any) -> None:
        await self.launch_servers()


class TeacherModel(teacher_model.TeacherModelManager):  # type: ignore[misc]
    """A teacher's servers share its pool of GPUs as verl divides it; they are only configured."""

    entered: Entered

    def _initialize_llm_servers(self) -> None:
        self.entered("teachers")
        super()._initialize_llm_servers()

    def _initialize_load_balancer_handle(self) -> None:
        self.load_balancer_handle = None


def _replica_class(name: str) -> type[Replica]:
    known = rollout_replica.RolloutReplicaRegistry
    return Replica if name in known._registry else known.get(name)


class Quiet:
    """An object whose methods do nothing."""

    def __init__(self, *_: Any, **__: Any) -> None:
        pass

    def __getattr__(self, name: str) -> Callable[..., dict[str, Any]]:
        return lambda *_, **__: {}


def _rollout(entered: Entered) -> None:
    def rollout_class(name: str, mode: str = "async") -> type[Quiet]:
        known = rollout_base._ROLLOUT_REGISTRY
        assert (name, mode) in known, f"Rollout {name} with mode {mode} not found"
        return Quiet

    def replica_class(name: str, disaggregation_enabled: bool = False) -> type[Replica]:
        entered("inference servers")
        return _replica_class(name)

    async def no_load_balancer(self: Any) -> None:
        pass

    TeacherModel.entered = staticmethod(entered)
    teacher_model.TeacherModelManager = TeacherModel
    teacher_model.get_rollout_replica_class = _replica_class
    engine_workers.get_rollout_class = rollout_class
    llm_server.get_rollout_replica_class = replica_class
    llm_server.LLMServerManager._init_global_load_balancer = no_load_balancer
    _one_function_of_vllm_utils()


def _one_function_of_vllm_utils() -> None:
    """validate_config wants `get_vllm_max_lora_rank` from a module that imports vLLM: lend it."""
    name = "verl.workers.rollout.vllm_rollout"
    path = Path(verl.__file__).parent / "workers/rollout/vllm_rollout/utils.py"
    wanted: list[ast.stmt] = [
        node
        for node in ast.parse(path.read_text("utf-8")).body
        if isinstance(node, ast.FunctionDef) and node.name == "get_vllm_max_lora_rank"
    ]
    package, module = types.ModuleType(name), types.ModuleType(f"{name}.utils")
    package.__path__ = []
    module.__dict__.update(get_args=get_args, Literal=Literal)
    exec(compile(ast.Module(wanted, []), str(path), "exec"), module.__dict__)
    sys.modules.update({package.__name__: package, module.__name__: module})


# -- Training engines --------------------------------------------------------------------------


def _engines() -> None:
    fsdp.FSDPEngine.initialize = _initialize_fsdp
    fsdp.FSDPEngineWithLMHead.forward_step = _forward
    fsdp.EngineTrainModeCtx.__enter__ = fsdp.EngineEvalModeCtx.__enter__ = lambda self: None
    fsdp.EngineTrainModeCtx.__exit__ = fsdp.EngineEvalModeCtx.__exit__ = lambda self, *_: None
    megatron.MegatronEngine.initialize = _initialize_megatron
    megatron.get_forward_backward_func = _forward
    megatron.EngineTrainModeCtx.__enter__ = megatron.EngineEvalModeCtx.__enter__ = lambda self: None
    megatron.EngineTrainModeCtx.__exit__ = megatron.EngineEvalModeCtx.__exit__ = lambda self, *_: (
        None
    )
    parallel_state.initialize_model_parallel = partial(
        parallel_state.initialize_model_parallel, create_gloo_process_groups=False
    )
    # Some of Megatron's settings ask for the version of Transformer Engine, which needs CUDA.
    megatron_core_utils._te_version = Version("2.1.0")


def _forward(*_: Any, **__: Any) -> None:
    raise ForwardReached


def _initialize_fsdp(self: Any) -> None:
    """Optimizer and schedule for a model of one parameter."""
    self.module = torch.nn.Linear(1, 1)
    self.optimizer = self.lr_scheduler = None
    if not self.engine_config.forward_only:
        self.optimizer = self._build_optimizer(self.module)
        self.lr_scheduler = self._build_lr_scheduler(self.optimizer)


def _initialize_megatron(self: Any) -> None:
    self.module, self.tf_config = [], None
    self.optimizer = Quiet()
    if not self.engine_config.forward_only:
        init_megatron_optim_config(
            self.optimizer_config,
            use_distributed_optimizer=self.engine_config.use_distributed_optimizer,
            bf16=self.engine_config.dtype == "bfloat16",
            fp16=self.engine_config.dtype == "float16",
        )
