"""Switches that verl refuses without another setting beside them."""

from __future__ import annotations

from collections.abc import Iterator

from snippet_checker.judge.conflicts import roles
from snippet_checker.judge.conflicts.checks import Check, Conflict, Values
from snippet_checker.verl.values import is_placeholder

_ARR = "actor_rollout_ref."
_DYNAMIC_ACTOR = _ARR + "actor.use_dynamic_bsz"
_DYNAMIC_REFERENCE = _ARR + "ref.log_prob_use_dynamic_bsz"
_MICRO_BATCH = _ARR + "ref.log_prob_micro_batch_size"
_ROLLOUT = _ARR + "rollout."
_GPUS = _ARR + "rollout.n_gpus_per_node"
_MESSAGES = "data.return_raw_chat"
_LOOPS = ("single_turn_agent", "tool_agent")
_NODES, _BACKEND = _ARR + "rollout.nnodes", _ARR + "rollout.checkpoint_engine.backend"
_MODE = "trainer.v1.trainer_mode"
_RESUME_MODE, _RESUME_PATH = "trainer.resume_mode", "trainer.resume_from_path"
_STEP_FOLDER = "global_step_"
_MANAGER = "reward.reward_manager."
_REWARD_MODEL = "reward.reward_model."
_DISTILLATION = "distillation."
_TURNS, _PARTNER = _ARR + "rollout.multi_turn.", "interaction_config_path"
_TEACHERS, _FIRST_TEACHER = _DISTILLATION + "teacher_models", "teacher_model"
_TEMPERATURE, _LOAD_FORMAT = _ARR + "rollout.temperature", _ARR + "rollout.load_format"
_FILTER = "algorithm.filter_groups."
_MEGATRON, _BRIDGE = "megatron", "megatron.use_mbridge"


def _reference_cut_by_count(values: Values) -> Iterator[Conflict]:
    """The actor's micro-batch size is asked for elsewhere: there its own batching is off."""
    differs = values.is_on(_DYNAMIC_ACTOR) and values.is_off(_DYNAMIC_REFERENCE)
    new = f"{_MICRO_BATCH}_per_gpu"
    if not (differs and roles.needs_reference(values)):
        return
    if values.is_unset(_MICRO_BATCH) and values.is_unset(new):
        why = "the reference model batches by count and needs a micro-batch size"
        yield Conflict((new, _DYNAMIC_ACTOR, _DYNAMIC_REFERENCE), why, missing=True)


def _separate_rollout(values: Values) -> Iterator[Conflict]:
    if values.word(_MODE) != "separate_async":
        return
    if values.is_at_most_zero(_NODES):
        why = "the rollout of 'separate_async' has nodes of its own"
        yield Conflict((_NODES, _MODE), why, missing=True)
    if values.is_at_most_zero(_GPUS):
        why = "the rollout of 'separate_async' has GPUs of its own"
        yield Conflict((_GPUS, _MODE), why, missing=True)
    if values.word(_BACKEND) == "naive":
        why = "'naive' hands no weights to the nodes of 'separate_async'"
        yield Conflict((_BACKEND, _MODE), why, missing=True)


def _separate_reward_model(values: Values) -> Iterator[Conflict]:
    pool, model = _REWARD_MODEL + "enable_resource_pool", _REWARD_MODEL + "enable"
    if values.word(_MODE) == "separate_async" and values.is_on(model) and values.is_off(pool):
        why = "the rollout of 'separate_async' never leaves its GPUs to a reward model"
        yield Conflict((pool, model, _MODE), why, missing=True)


def _resume_without_step(values: Values) -> Iterator[Conflict]:
    if values.word(_RESUME_MODE) != "resume_path":
        return
    path = values.word(_RESUME_PATH)
    if values.is_unset(_RESUME_PATH):
        why = "'resume_path' resumes from there"
        yield Conflict((_RESUME_PATH, _RESUME_MODE), why, missing=True)
    elif path is not None and _STEP_FOLDER not in path and not _is_readers_own(path):
        why = f"a run is resumed from a folder of one step, '…/{_STEP_FOLDER}N'"
        yield Conflict((_RESUME_PATH, _RESUME_MODE), why)


def _is_readers_own(path: str) -> bool:
    """Whether a document leaves the path to the reader."""
    return "path/to" in path or "${" in path or is_placeholder(path)


def _manager_without_module(values: Values) -> Iterator[Conflict]:
    source, path = _MANAGER + "source", _MANAGER + "module.path"
    if values.word(source) == "importlib" and values.is_unset(path):
        yield Conflict((path, source), "'importlib' loads the manager from there", missing=True)


def _replay_in_bypass(values: Values) -> Iterator[Conflict]:
    bypass = "algorithm.rollout_correction.bypass_mode"
    for engine in ("fsdp_config", "megatron", "veomni"):
        mode = f"{_ARR}actor.{engine}.router_replay.mode"
        if values.word(mode) == "R2" and values.is_on(bypass):
            why = "R2 records routes in the very pass that the bypass leaves out"
            yield Conflict((mode, bypass), why)


def _replay_of_no_routes(values: Values) -> Iterator[Conflict]:
    recorded = _ARR + "rollout.enable_rollout_routing_replay"
    for engine in ("megatron", "veomni"):
        mode = f"{_ARR}actor.{engine}.router_replay.mode"
        used = values.word(_ARR + "actor.strategy") == engine
        if used and values.word(mode) == "R3" and values.is_off(recorded):
            why = "R3 replays the routes of the rollout, which returns them with it only"
            instead, outcome = f"{recorded}=True", "stops at the first update"
            keys = (recorded, mode)
            yield Conflict(keys, why, missing=True, instead=instead, outcome=outcome)


def _loops_without_messages(values: Values) -> Iterator[Conflict]:
    """An agent loop begins with the messages, which the dataset of verl leaves out by default."""
    mode, name = _ROLLOUT + "mode", _ROLLOUT + "name"
    loop, loops = _ROLLOUT + "agent.default_agent_loop", _ROLLOUT + "agent.agent_loop_config_path"
    is_verls = values.is_unset(loops) and values.word(loop) in (None, *_LOOPS)
    is_met = values.word(mode) == "async" and values.word(name) in ("vllm", "sglang")
    if is_met and is_verls and not values.is_unknown(loop, loops):
        yield from _no_messages(values, (mode,), "an agent loop")


def _turns_without_messages(values: Values) -> Iterator[Conflict]:
    mode, turns = _ROLLOUT + "mode", _ROLLOUT + "multi_turn.enable"
    is_met = values.word(_ROLLOUT + "name") == "sglang" and not values.is_unknown(mode)
    if is_met and values.is_on(turns) and values.word(mode) != "async":
        yield from _no_messages(values, (turns,), "a rollout of several turns")


def _no_messages(values: Values, keys: tuple[str, ...], what: str) -> Iterator[Conflict]:
    """A dataset of somebody's own may have them anyway."""
    own = "data.custom_cls.path"
    if values.is_off(_MESSAGES) and values.is_unset(own) and not values.is_unknown(own):
        why = f"{what} begins with the messages of a prompt, which the dataset has with it only"
        instead, outcome = f"{_MESSAGES}=True", "stops at the first batch"
        keys = (_MESSAGES, *keys)
        yield Conflict(keys, why, missing=True, instead=instead, outcome=outcome)


def _megatron_without_bridge(values: Values) -> Iterator[Conflict]:
    used = [(_ARR + "actor.", _ARR + "actor.strategy")]
    used += [(_ARR + "ref.", _ARR + "ref.strategy")] * roles.needs_reference(values)
    used += [("critic.", "critic.strategy")] * roles.needs_critic(values)
    for role, strategy in used:
        bridge = role + _BRIDGE
        if values.word(strategy) == _MEGATRON and values.is_set(bridge) and values.is_off(bridge):
            yield Conflict((bridge,), "the Megatron engine builds a model by a bridge only")


def _reward_model_without_path(values: Values) -> Iterator[Conflict]:
    path, switch = _REWARD_MODEL + "model_path", _REWARD_MODEL + "enable"
    if values.is_on(switch) and values.is_unset(path):
        yield Conflict((path, switch), "an enabled reward model is loaded from there", missing=True)


def _without_engine(values: Values) -> Iterator[Conflict]:
    name = _ARR + "rollout.name"
    if values.is_mandatory(name):
        why = "the engine of the rollout has no default"
        yield Conflict((name,), why, missing=True, anyhow=True)


def _reward_model_without_engine(values: Values) -> Iterator[Conflict]:
    name, switch = _REWARD_MODEL + "rollout.name", _REWARD_MODEL + "enable"
    if values.is_on(switch) and values.is_mandatory(name):
        why = "an enabled reward model is served by an engine, which has no default"
        yield Conflict((name, switch), why, missing=True)


def _filter_without_metric(values: Values) -> Iterator[Conflict]:
    metric, switch = _FILTER + "metric", _FILTER + "enable"
    if values.is_on(switch) and values.is_unset(metric):
        yield Conflict((metric, switch), "groups are filtered by it", missing=True)


def _filter_before_reward(values: Values) -> Iterator[Conflict]:
    pool, model = _REWARD_MODEL + "enable_resource_pool", _REWARD_MODEL + "enable"
    switch = _FILTER + "enable"
    if values.is_on(switch) and values.is_on(model) and values.is_off(pool):
        why = "groups are filtered by rewards that a model without GPUs of its own computes later"
        yield Conflict((pool, model, switch), why, missing=True)


def _pool_without_gpus(values: Values) -> Iterator[Conflict]:
    yield from _without_gpus(values, _REWARD_MODEL, "enable_resource_pool")


def _teacher_without_gpus(values: Values) -> Iterator[Conflict]:
    yield from _without_gpus(values, _DISTILLATION, "enabled")


def _without_gpus(values: Values, node: str, switch: str) -> Iterator[Conflict]:
    for name in ("nnodes", "n_gpus_per_node"):
        if values.is_on(node + switch) and values.is_at_most_zero(node + name):
            why = f"'{node}{switch}' sets up GPUs of its own, and 0 are no GPUs"
            yield Conflict((node + name, node + switch), why, missing=True)


def _teacher_with_temperature(values: Values) -> Iterator[Conflict]:
    """The teacher of the default config takes the rollout's temperature; an added one has 1."""
    key = f"{_TEACHERS}.{_FIRST_TEACHER}.inference.temperature"
    alone = values.names(_TEACHERS) == (_FIRST_TEACHER,)
    if alone and values.is_on(_DISTILLATION + "enabled") and values.differs(key, 1):
        why = "a teacher scores at a temperature of 1 only, and this one has another"
        keys = (_TEMPERATURE, key, _DISTILLATION + "enabled")
        yield Conflict(keys, why, outcome="stops at the first batch")


def _teacher_of_no_weights(values: Values) -> Iterator[Conflict]:
    """An added teacher has the default of the class, for an engine that a trainer feeds."""
    if not values.is_on(_DISTILLATION + "enabled"):
        return
    teachers = values.names(_TEACHERS)
    added = [name for name in teachers if name != _FIRST_TEACHER]
    for name in added or teachers:
        path = f"{_TEACHERS}.{name}.inference.load_format"
        if values.word(path) == "dummy" or (added and values.is_absent(path)):
            why = "without 'auto' a teacher's engine loads no weights"
            outcome = "distils from random ones"
            keys = (path, f"{_TEACHERS}.{name}.model_path")
            yield Conflict(keys, why, missing=True, outcome=outcome, goes_on=True)


def _server_of_no_weights(values: Values) -> Iterator[Conflict]:
    if values.word(_LOAD_FORMAT) == "dummy":
        why = "without 'auto' the engine loads no weights, and no trainer sends it any"
        outcome = "answers with random ones"
        yield Conflict((_LOAD_FORMAT,), why, missing=True, outcome=outcome, goes_on=True)


def _critic_of_another_engine(values: Values) -> Iterator[Conflict]:
    """The critic's workers come with the actor's, also where no critic is trained."""
    keys = (_ARR + "actor.strategy", "critic.strategy")
    actor, critic = (values.word(key) for key in keys)
    is_megatron = _MEGATRON in (actor, critic)
    if is_megatron and actor != critic and None not in (actor, critic):
        yield Conflict(keys, "the critic takes its workers from the actor's engine")


def _turns_without_tools(values: Values) -> Iterator[Conflict]:
    switch, tools, partner = (_TURNS + n for n in ("enable", "tool_config_path", _PARTNER))
    if values.is_on(switch) and values.is_unset(tools) and values.is_unset(partner):
        why = "several turns need a tool, or from 0.4.1 on an interaction"
        yield Conflict((tools, switch), why, missing=True)


def _turns_of_another_estimator(values: Values) -> Iterator[Conflict]:
    switch, estimator = _TURNS + "enable", values.word(roles.ESTIMATOR)
    if values.is_on(switch) and estimator not in (None, "grpo"):
        why = f"several turns are taken with 'grpo' only, not with '{estimator}'"
        yield Conflict((switch, roles.ESTIMATOR), why)


def _many_greedy_samples(values: Values) -> Iterator[Conflict]:
    yield from _greedy_samples(values, "data.n_samples", "rollout.temperature")


def _many_greedy_responses(values: Values) -> Iterator[Conflict]:
    yield from _greedy_samples(values, _ARR + "rollout.n", _TEMPERATURE)


def _greedy_samples(values: Values, count: str, temperature: str) -> Iterator[Conflict]:
    samples = values.number(count)
    if values.is_at_most_zero(temperature) and samples and samples > 1:
        why = f"at a temperature of 0 there is one answer, and {samples} are asked for"
        yield Conflict((count, temperature), why)


_DATASET = ("verl/utils/dataset/rl_dataset.py",)
_SERVERS = (
    "verl/workers/rollout/vllm_rollout/vllm_async_server.py",
    "verl/workers/rollout/sglang_rollout/async_sglang_server.py",
)

CHECKS = (
    Check(_reference_cut_by_count, ("verl/workers/engine_workers.py",), since="0.8.0"),
    Check(_separate_rollout, ("verl/trainer/ppo/v1/trainer_separate_async.py",), since="0.9.0"),
    Check(
        _separate_reward_model, ("verl/trainer/ppo/v1/trainer_separate_async.py",), since="0.9.0"
    ),
    Check(
        _resume_without_step,
        ("verl/trainer/ppo/v1/trainer_base.py", "verl/trainer/ppo/ray_trainer.py"),
        since="0.3.0.post1",
    ),
    Check(_manager_without_module, ("verl/workers/config/reward.py",), since="0.7.1"),
    Check(
        _megatron_without_bridge,
        ("verl/workers/engine/megatron/transformer_impl.py",),
        since="0.8.0",
    ),
    Check(
        _replay_of_no_routes,
        (
            "verl/workers/engine/megatron/transformer_impl.py",
            "verl/workers/engine/veomni/transformer_impl.py",
        ),
        since="0.9.0",
        training_only=True,
    ),
    Check(
        _loops_without_messages,
        ("verl/experimental/agent_loop/agent_loop.py", *_DATASET),
        since="0.5.0",
        last="0.6.1",
        programs=("verl.trainer.main_ppo",),
    ),
    Check(
        _turns_without_messages,
        ("verl/workers/rollout/sglang_rollout/sglang_rollout.py", *_DATASET),
        since="0.4.0",
        last="0.6.1",
    ),
    Check(_replay_in_bypass, ("verl/utils/config.py",), since="0.9.1"),
    Check(
        _reward_model_without_path,
        ("verl/experimental/reward_loop/reward_model.py",),
        since="0.7.1",
    ),
    Check(_without_engine, ("verl/workers/config/rollout.py",), since="0.6.0"),
    Check(
        _reward_model_without_engine,
        ("verl/experimental/reward_loop/reward_model.py",),
        since="0.7.1",
    ),
    Check(_filter_without_metric, ("verl/trainer/ppo/v1/trainer_base.py",), since="0.9.0"),
    Check(_filter_before_reward, ("verl/trainer/ppo/v1/trainer_base.py",), since="0.9.1"),
    Check(_pool_without_gpus, ("verl/trainer/ppo/v1/trainer_base.py",), since="0.7.1"),
    Check(_teacher_without_gpus, ("verl/trainer/ppo/v1/trainer_base.py",), since="0.8.0"),
    Check(
        _teacher_with_temperature,
        ("verl/experimental/teacher_loop/teacher_manager.py",),
        since="0.8.0",
        last="0.8.0",
    ),
    Check(
        _critic_of_another_engine,
        ("verl/trainer/main_ppo.py",),
        since="0.2",
        last="0.5.0",
        refusal=("strategy", "critic"),
    ),
    Check(
        _turns_without_tools,
        ("verl/trainer/ppo/ray_trainer.py",),
        since="0.4.0",
        last="0.4.1",
        refusal=("tool_config_path", "multi_turn"),
    ),
    Check(
        _turns_of_another_estimator,
        ("verl/trainer/ppo/ray_trainer.py",),
        since="0.4.0",
        last="0.4.1",
        refusal=("adv_estimator", "GRPO"),
    ),
    Check(
        _many_greedy_samples,
        ("verl/trainer/main_generation.py",),
        since="0.1",
        last="0.7.0",
        programs=("verl.trainer.main_generation",),
    ),
    Check(
        _many_greedy_responses,
        ("verl/trainer/main_generation_server.py",),
        since="0.6.0",
        programs=("verl.trainer.main_generation_server",),
    ),
    Check(
        _teacher_of_no_weights,
        ("verl/workers/config/distillation.py", *_SERVERS),
        since="0.9.1",
    ),
    Check(
        _server_of_no_weights,
        ("verl/trainer/main_generation_server.py", *_SERVERS),
        since="0.9.1",
        programs=("verl.trainer.main_generation_server",),
    ),
)
