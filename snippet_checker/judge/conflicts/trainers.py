"""What the PPO trainers refuse at their start or in their first step, and what they leave aside."""

from __future__ import annotations

from collections.abc import Iterator

from snippet_checker.judge.conflicts import roles
from snippet_checker.judge.conflicts.checks import MAIN_PPO, Check, Conflict, Values
from snippet_checker.verl.values import is_placeholder

_ROLLOUT = "actor_rollout_ref.rollout."
_BATCH, _GENERATED = "data.train_batch_size", "data.gen_batch_size"
_HDFS, _RESUME = "trainer.default_hdfs_dir", "trainer.resume_mode"
_HYBRID = "actor_rollout_ref.hybrid_engine"
_SAMPLER = "trainer.v1.sampler."
_FILTER = "algorithm.filter_groups."
_ANSWERS, _LOOPS = _ROLLOUT + "n", _ROLLOUT + "agent.num_workers"
_SWITCHING = "trainer.v1.separate_async.hybrid_rollout.enable_switch"
_FIRST_BATCH = "stops at the first batch"
_FULLY_ASYNC = "verl.experimental.fully_async_policy.fully_async_main"


def _resumed_from_hdfs(values: Values) -> Iterator[Conflict]:
    if roles.has_old_trainer(values):
        yield from _hdfs(values)


def _hdfs(values: Values) -> Iterator[Conflict]:
    folder, mode = values.word(_HDFS), values.word(_RESUME)
    if folder in (None, "None") or is_placeholder(folder) or mode in (None, "disable"):
        return  # where a word for nothing is meant, that is told apart from this
    why = "runs cannot be resumed from HDFS, unless 'trainer.resume_mode=disable'"
    yield Conflict((_HDFS, _RESUME), why, anyhow=True)


def _engine_not_shared(values: Values) -> Iterator[Conflict]:
    is_apart = not values.is_unknown(_HYBRID) and not values.is_absent(_HYBRID)
    if is_apart and values.is_off(_HYBRID) and roles.has_old_trainer(values):
        why = "this trainer has an engine that trains and generates on the same GPUs only"
        yield Conflict((_HYBRID,), why, anyhow=True, instead="True")


def _batch_in_parts(values: Values) -> Iterator[Conflict]:
    is_exact = values.is_on(_FILTER + "enable") or values.is_on(
        _SAMPLER + "sync_refill_failed_groups"
    )
    batch, part = values.number(_BATCH), values.number(_GENERATED)
    is_usual = roles.has_new_trainer(values, "sync") and not is_exact
    if is_usual and batch and part and batch % part:
        why = f"a batch ({batch}) is fetched in whole parts of {part} prompts"
        yield Conflict((_BATCH, _GENERATED), why, outcome=_FIRST_BATCH)


def _sampler_without_lag(values: Values) -> Iterator[Conflict]:
    key = _SAMPLER + "max_off_policy_threshold"
    if roles.has_new_trainer(values) and values.is_at_most_zero(key):
        yield Conflict((key,), "it is 1 or more, or null for no limit", anyhow=True)


def _filter_without_batches(values: Values) -> Iterator[Conflict]:
    key, switch = _FILTER + "max_inflight_gen_batches", _FILTER + "enable"
    is_used = roles.has_new_trainer(values, "sync") and values.is_on(switch)
    if is_used and values.is_at_most_zero(key):
        yield Conflict((switch, key), "groups are generated in at least one batch at a time")


def _switched_and_split(values: Values) -> Iterator[Conflict]:
    split = _ROLLOUT + "disaggregation.enabled"
    is_used = roles.has_new_trainer(values, "separate_async") and values.is_on(_HYBRID)
    if is_used and values.is_on(_SWITCHING) and values.is_on(split):
        why = "GPUs that change sides are not split into prefill and decode"
        yield Conflict((_SWITCHING, split), why)


def _sampler_behind_workers(values: Values) -> Iterator[Conflict]:
    sampler, workers = "data.sampler.class_path", "data.dataloader_num_workers"
    is_zero = values.number(workers) == 0 or values.is_unknown(workers)
    if values.word(sampler) is not None and not is_zero:
        why = "a sampler of your own sees its data only without workers that fetch ahead"
        yield Conflict((workers, sampler), why, missing=True, instead=f"{workers}=0")


def _validation_alone_and_not_before(values: Values) -> Iterator[Conflict]:
    alone, before = "trainer.val_only", "trainer.val_before_train"
    is_left_out = values.is_off(before) and not values.is_absent(before)
    if values.is_on(alone) and is_left_out and not values.is_unknown(before):
        why = "it is the validation before the training after which the run ends"
        yield Conflict((before, alone), why, outcome="trains", goes_on=True)


def _answers_not_dealt_out(values: Values) -> Iterator[Conflict]:
    """The new trainer's batches are cut into unequal parts."""
    batch = _BATCH if values.is_unset(_GENERATED) else _GENERATED
    answers, loops = values.product(batch, _ANSWERS), values.number(_LOOPS)
    is_met = values.word(_ROLLOUT + "mode") == "async" and roles.has_old_trainer(values)
    if is_met and answers and loops and answers % loops:
        why = f"{answers} answers of a batch are dealt out evenly to {loops} agent loops"
        yield Conflict((batch, _ANSWERS, _LOOPS), why, outcome=_FIRST_BATCH)


def _overlong_of_first_kind(values: Values) -> Iterator[Conflict]:
    if values.word("reward_model.reward_manager") == "dapo":
        yield from _overlong(values, "reward_model.reward_kwargs.")


def _overlong_answers(values: Values) -> Iterator[Conflict]:
    manager = "reward.reward_manager."
    is_verls = values.word(manager + "source") == "register"
    if is_verls and values.word(manager + "name") == "dapo":
        yield from _overlong(values, "reward.reward_kwargs.")


def _overlong(values: Values, node: str) -> Iterator[Conflict]:
    switch, length = node + "overlong_buffer_cfg.enable", node + "overlong_buffer_cfg.len"
    longest, buffer = values.number(node + "max_resp_len"), values.number(length)
    if not values.is_on(switch):
        return
    if values.is_unset(node + "max_resp_len"):
        why = "overlong answers are counted from there"
        yield Conflict((node + "max_resp_len", switch), why, missing=True)
    elif longest is not None and buffer is not None and longest < buffer:
        why = f"the buffer ({buffer}) is longer than the longest answer ({longest})"
        yield Conflict((switch, length, node + "max_resp_len"), why)
    elif values.is_at_most_zero(length):
        yield Conflict((switch, length), "an enabled buffer has more than 0 tokens")


def _overlong_of_another_manager(values: Values) -> Iterator[Conflict]:
    manager, node = "reward.reward_manager.", "reward.reward_kwargs.overlong_buffer_cfg.enable"
    name = values.word(manager + "name")
    if values.word(manager + "source") == "register" and values.is_on(node) and name == "naive":
        why, outcome = "the manager 'dapo' alone shortens the rewards of them", "ignores it"
        keys, instead = (manager + "name", node), f"{manager}name=dapo"
        yield Conflict(keys, why, missing=True, instead=instead, outcome=outcome, goes_on=True)


def _arguments_of_naive_manager(values: Values) -> Iterator[Conflict]:
    manager, node = "reward_model.reward_manager", "reward_model.reward_kwargs"
    names = values.names(node)
    if values.word(manager) == "naive" and names:
        keys = (manager, *(f"{node}.{name}" for name in names))
        keys += (f"{node}.overlong_buffer_cfg.enable", f"{node}.overlong_buffer_cfg.len")
        why = f"the manager 'naive' takes no '{names[0]}'"
        yield Conflict(keys, why, missing=True)


_TRAINER = ("verl/trainer/ppo/ray_trainer.py",)
_NEW = ("verl/trainer/ppo/v1/trainer_base.py",)
_BUFFER = ("verl/trainer/ppo/v1/replay_buffer.py",)
_MAIN = ("verl/trainer/main_ppo.py",)
_OLD_DAPO = ("verl/workers/reward_manager/dapo.py",)
_DAPO = ("verl/experimental/reward_loop/reward_manager/dapo.py",)

CHECKS = (
    Check(_resumed_from_hdfs, _TRAINER, since="0.3.0.post1", training_only=True, programs=MAIN_PPO),
    Check(
        _hdfs,
        ("verl/experimental/fully_async_policy/fully_async_trainer.py",),
        since="0.8.0",
        training_only=True,
        programs=(_FULLY_ASYNC,),
    ),
    Check(_engine_not_shared, _TRAINER, since="0.3.0.post1", training_only=True, programs=MAIN_PPO),
    Check(_batch_in_parts, _NEW, since="0.9.0", training_only=True),
    Check(_sampler_without_lag, _BUFFER, since="0.9.0"),
    Check(_filter_without_batches, _BUFFER, since="0.9.1"),
    Check(_switched_and_split, ("verl/trainer/ppo/v1/trainer_separate_async.py",), since="0.9.1"),
    Check(
        _sampler_behind_workers,
        _MAIN,
        since="0.5.0",
        last="0.7.1",
        refusal=("dataloader_num_workers",),
    ),
    Check(_validation_alone_and_not_before, _TRAINER, since="0.3.0.post1", programs=MAIN_PPO),
    Check(
        _answers_not_dealt_out,
        ("verl/experimental/agent_loop/agent_loop.py",),
        since="0.5.0",
        training_only=True,
        programs=MAIN_PPO,
    ),
    Check(_overlong_of_first_kind, _OLD_DAPO, since="0.5.0", last="0.7.0"),
    Check(_overlong_answers, _DAPO, since="0.7.1"),
    Check(_overlong_of_another_manager, _DAPO, since="0.7.1"),
    Check(
        _arguments_of_naive_manager,
        ("verl/workers/reward_manager/naive.py",),
        since="0.4.1",
        last="0.6.1",
    ),
)
