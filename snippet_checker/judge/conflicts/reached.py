"""Which of verl's checks a program of a project's own comes to with its config.

It has a trainer, a runner or workers of its own as a rule, so each check is asked for the class or
function of verl's that makes it. Where the batches of a step come from, only verl's program says.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from packaging.version import Version

from snippet_checker.judge.conflicts.checks import VALIDATED, Check, Conflict
from snippet_checker.projects.config_flow import (
    CALLED,
    PROGRAM,
    RUNNERS_WORKERS,
    TRAINER,
    TRAINERS_WORKERS,
    VALIDATION,
    WITHOUT_CRITIC,
    WORKER_GROUPS,
)

_VALIDATES = "0.6.0"
"""The release since which a function validates the config, and not the trainer."""

_FSDP, _MEGATRON, _ENGINE = (
    f"verl.workers.{module}." for module in ("fsdp_workers", "megatron_workers", "engine_workers")
)
_ACTORS = ("ActorRolloutRefWorker", "AsyncActorRolloutRefWorker")
_OLD_ACTORS = frozenset(f"{_FSDP}{name}" for name in _ACTORS)
_NEW_ACTORS = frozenset({f"{_ENGINE}ActorRolloutRefWorker"})
_ALL_ACTORS = _OLD_ACTORS | _NEW_ACTORS | {f"{_MEGATRON}{name}" for name in _ACTORS}
_CRITICS = frozenset({f"{_FSDP}CriticWorker"})
_OLD_WORKERS, _NEW_WORKERS = "verl/workers/fsdp_workers.py", "verl/workers/engine_workers.py"
_MEGATRON_ENGINE = "verl/workers/engine/megatron/transformer_impl.py"
_ENGINES = "0.8.0"
_ROLLOUTS = frozenset(
    {
        "verl/workers/config/rollout.py",
        "verl/workers/rollout/vllm_rollout/vllm_rollout_spmd.py",
        "verl/workers/rollout/vllm_rollout/vllm_async_server.py",
    }
)


def is_reached(check: Check, conflict: Conflict, release: str, names: Collection[str]) -> bool:
    """Whether a program that comes to some names of verl's meets a check."""
    if PROGRAM + CALLED in names:
        return True
    if check.training_only:
        return False
    file, is_critics = check.files[0], any(key.startswith("critic.") for key in conflict.keys)
    is_trained, is_started = TRAINER + CALLED in names, starts_workers(names)
    if Version(release) < Version(_VALIDATES):
        if file in (*VALIDATED, "verl/trainer/ppo/ray_trainer.py"):
            return is_trained
    elif file in VALIDATED:
        without = VALIDATION + WITHOUT_CRITIC in names and not is_critics
        is_validated = without or VALIDATION + CALLED in names
        return is_validated or (check.of_class and is_started and _is_built(conflict, names))
    workers = _CRITICS if is_critics and file == _OLD_WORKERS else _workers_for(file, release)
    if workers and not is_critics and RUNNERS_WORKERS in names:
        return is_started
    return is_started and not workers.isdisjoint(names)


def starts_workers(names: Collection[str]) -> bool:
    """Whether a program starts workers with its config: by verl's trainer or by a group."""
    return any(name + CALLED in names for name in (TRAINER, *WORKER_GROUPS))


def is_by_worker(check: Check) -> bool:
    """Whether a worker makes a check, and not what builds the workers."""
    return check.files[0].startswith("verl/workers/") and check.files[0] not in VALIDATED


def deciding_keys(conflict: Conflict) -> Iterator[str]:
    """The keys of a conflict, and those by which verl decides whether it asks for them."""
    yield from conflict.keys
    if any("batch_size" in key for key in conflict.keys):
        yield from (f"actor_rollout_ref.actor.{name}" for name in ("use_dynamic_bsz", "strategy"))
    if any(key.startswith("actor_rollout_ref.ref.") for key in conflict.keys):
        yield from ("actor_rollout_ref.actor.use_kl_loss", "algorithm.use_kl_in_reward")
    if any(key.startswith("critic.") for key in conflict.keys):
        yield "algorithm.adv_estimator"


def _is_built(conflict: Conflict, names: Collection[str]) -> bool:
    """Whether verl's trainer or workers build the class of the role that a conflict is about."""
    if all(key.startswith("critic.") for key in conflict.keys):
        return TRAINERS_WORKERS in names
    is_actors = all(key.startswith("actor_rollout_ref.actor.") for key in conflict.keys)
    return is_actors and (RUNNERS_WORKERS in names or not _ALL_ACTORS.isdisjoint(names))


def _workers_for(file: str, release: str) -> frozenset[str]:
    """The workers that make the checks of a file; those of FSDP had some that the engine's have."""
    if file in (_NEW_WORKERS, _MEGATRON_ENGINE):
        return _NEW_ACTORS if Version(release) >= Version(_ENGINES) else _ALL_ACTORS
    if file == _OLD_WORKERS:
        return _OLD_ACTORS
    return _ALL_ACTORS if file in _ROLLOUTS else frozenset()
