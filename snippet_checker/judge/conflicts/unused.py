"""Settings that count with another one only, which nobody set.

verl goes on without them, and says nothing. Where the command itself sets the other one, it is a
switch, and what belongs to it is left beside it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from msgspec import Struct

from snippet_checker.judge.conflicts import roles
from snippet_checker.judge.conflicts.checks import MAIN_PPO, Check, Conflict, Values

_ARR = "actor_rollout_ref."
_ACTOR, _ROLLOUT, _MODEL = _ARR + "actor.", _ARR + "rollout.", _ARR + "model."
_VALIDATION = _ROLLOUT + "val_kwargs."
_TURNS = _ROLLOUT + "multi_turn."


class _Switch(Struct, frozen=True):
    """One setting that is off by default, what it switches, and how that is written."""

    name: str
    key: str
    used: tuple[str, ...]
    why: str
    on: str = "True"
    outcome: str = "ignores them"
    is_met: Callable[[Values], bool] = lambda values: True

    def find(self) -> Callable[[Values], Iterator[Conflict]]:
        def find(values: Values) -> Iterator[Conflict]:
            is_off = values.is_off(self.key) or values.number(self.key) == 0
            used = tuple(key for key in self.used if not _says_nothing(values, key))
            if is_off and not values.is_unknown(self.key) and used and self.is_met(values):
                instead = f"{self.key}={self.on}" if self.on else None
                yield Conflict(
                    (self.key, *used),
                    self.why,
                    missing=True,
                    instead=instead,
                    outcome=self.outcome,
                    goes_on=True,
                    only_unsaid=True,
                    doubtful=True,
                )

        find.__name__ = f"_{self.name}"
        return find


def _says_nothing(values: Values, key: str) -> bool:
    return values.is_unset(key) or values.figure(key) == 0 or values.is_off(key)


def _is_synchronous(values: Values) -> bool:
    """Whether the worker itself generates: only the later engines have servers."""
    mode = _ROLLOUT + "mode"
    return not values.is_unknown(mode) and values.word(mode) != "async"


def _has_no_adapter(values: Values) -> bool:
    adapter, rank = _MODEL + "lora_adapter_path", _MODEL + "lora.rank"
    is_none = values.is_unset(adapter) and not values.is_unknown(adapter, rank)
    return is_none and not values.number(rank)


def _weighs_kl_anew(values: Values) -> bool:
    """Many scripts repeat the default from the time when the penalty was always there."""
    node = "algorithm.kl_ctrl."
    is_adaptive = values.word(node + "type") == "adaptive"
    return values.differs(node + "kl_coef", 0.001) or is_adaptive


def _batches_by_count(values: Values) -> bool:
    return values.is_off(_ACTOR + "use_dynamic_bsz")


def _ratios_of_defaults(values: Values) -> Iterator[Conflict]:
    both, low, high = (
        _ACTOR + name for name in ("clip_ratio", "clip_ratio_low", "clip_ratio_high")
    )
    ratio = values.figure(both)
    bounds = (values.figure(low), values.figure(high))
    if ratio is not None and None not in bounds and ratio not in bounds:
        why = "the loss clips at 'clip_ratio_low' and 'clip_ratio_high', which have defaults"
        yield Conflict(
            (low, both),
            why,
            missing=True,
            instead=f"{low}={ratio:g} {high}={ratio:g}",
            outcome=f"ignores '{both}'",
            goes_on=True,
            only_unsaid=True,
        )


def _path_of_automatic_resuming(values: Values) -> Iterator[Conflict]:
    mode, path = "trainer.resume_mode", "trainer.resume_from_path"
    if values.word(mode) == "auto" and values.word(path):
        why = "a run is resumed from there in the mode 'resume_path'"
        instead, outcome = f"{mode}=resume_path", "resumes the last step in its own folder, if any"
        yield Conflict(
            (mode, path), why, missing=True, instead=instead, outcome=outcome, goes_on=True
        )


def _offloading_of_fsdp2(values: Values) -> Iterator[Conflict]:
    policy, strategy = _ACTOR + "fsdp_config.offload_policy", _ACTOR + "strategy"
    if values.is_on(policy) and values.word(strategy) == "fsdp":
        why, instead = "only 'fsdp2' reads it", f"{strategy}=fsdp2"
        yield Conflict(
            (strategy, policy),
            why,
            missing=True,
            instead=instead,
            outcome="ignores it",
            goes_on=True,
        )


def _prefetching_of_fsdp1(values: Values) -> Iterator[Conflict]:
    prefetch, strategy = _ACTOR + "fsdp_config.forward_prefetch", _ACTOR + "strategy"
    if values.is_on(prefetch) and values.word(strategy) == "fsdp2":
        why = "only 'fsdp' reads it"
        yield Conflict((prefetch, strategy), why, outcome="ignores it", goes_on=True, doubtful=True)


def _turns_of_another_engine(values: Values) -> Iterator[Conflict]:
    switch, name = _TURNS + "enable", _ROLLOUT + "name"
    if values.is_on(switch) and values.word(name) == "vllm" and _is_synchronous(values):
        why = "vLLM takes several turns with 'rollout.mode=async' only"
        keys, instead = (_ROLLOUT + "mode", switch, name), f"{_ROLLOUT}mode=async"
        outcome = "takes one turn"
        yield Conflict(keys, why, missing=True, instead=instead, outcome=outcome, goes_on=True)


_CORE = ("verl/trainer/ppo/core_algos.py",)
_TRAINER = ("verl/trainer/ppo/ray_trainer.py",)
_SPMD = ("verl/workers/rollout/vllm_rollout/vllm_rollout_spmd.py",)
_REWARD = ("verl/trainer/ppo/reward.py",)

_KL_LOSS = _Switch(
    "weight_of_no_kl_loss",
    _ACTOR + "use_kl_loss",
    (_ACTOR + "kl_loss_coef", _ACTOR + "kl_loss_type"),
    "its weight and its kind count with it only",
)
_KL_IN_REWARD = _Switch(
    "weight_of_no_kl_in_reward",
    "algorithm.use_kl_in_reward",
    (
        *(f"algorithm.kl_ctrl.{name}" for name in ("kl_coef", "type", "horizon", "target_kl")),
        "algorithm.kl_penalty",
    ),
    "the settings of the KL penalty in the rewards count with it only",
    is_met=_weighs_kl_anew,
)
_ADAPTER = _Switch(
    "shape_of_no_adapter",
    _MODEL + "lora_rank",
    (_MODEL + "lora_alpha", _MODEL + "target_modules", _MODEL + "exclude_modules"),
    "without a rank there is no LoRA",
    on="",
    outcome="trains all weights",
    is_met=_has_no_adapter,
)
_BUDGET = _Switch(
    "budget_of_no_dynamic_batches",
    _ACTOR + "use_dynamic_bsz",
    (_ACTOR + "ppo_max_token_len_per_gpu",),
    "batches have a budget of tokens with it only",
    outcome="ignores the budget",
    is_met=_batches_by_count,
)
_NO_PATH, _NOT_LOADED = "there is no file to load it from", "takes verl's own"
_OLD_FUNCTION, _NEW_FUNCTION, _DATASET = (
    _Switch(
        f"name_without_path_of_{what}",
        f"{node}.path",
        (f"{node}.name",),
        _NO_PATH,
        on="",
        outcome=_NOT_LOADED,
    )
    for what, node in (
        ("function", "custom_reward_function"),
        ("function", "reward.custom_reward_function"),
        ("dataset", "data.custom_cls"),
    )
)
_REWARD_MODEL = _Switch(
    "path_of_no_reward_model",
    "reward.reward_model.enable",
    ("reward.reward_model.model_path",),
    "a reward model is started with it only",
    outcome="asks no model",
)
_OLD_REWARD_MODEL = _Switch(
    "path_of_no_old_reward_model",
    "reward_model.enable",
    ("reward_model.model.path",),
    "a reward model is started with it only",
    outcome="asks no model",
)
_METRIC = _Switch(
    "metric_of_no_filter",
    "algorithm.filter_groups.enable",
    ("algorithm.filter_groups.metric",),
    "groups are filtered with it only",
    outcome="filters nothing",
    is_met=roles.has_new_trainer,
)
_TEACHER = _Switch(
    "teacher_of_no_distillation",
    "distillation.enabled",
    ("distillation.teacher_models.teacher_model.model_path",),
    "a teacher is started with it only",
    outcome="asks no teacher",
)
_THRESHOLD = _Switch(
    "threshold_of_no_weights",
    "algorithm.rollout_correction.rollout_is",
    ("algorithm.rollout_correction.rollout_is_threshold",),
    "there are no weights to cut without a level",
    on="token",
    outcome="ignores it",
)
_PREFERENCES = _Switch(
    "settings_of_no_preferences",
    "algorithm.use_pf_ppo",
    ("algorithm.pf_ppo.reweight_method", "algorithm.pf_ppo.weight_pow"),
    "samples are reweighted with it only",
)
_SAMPLING = _Switch(
    "temperature_of_no_sampling",
    _VALIDATION + "do_sample",
    (_VALIDATION + "temperature", _VALIDATION + "n"),
    "validation samples with it only",
    outcome="validates with the likeliest tokens",
    is_met=lambda v: _is_synchronous(v) and _samples_more(v),
)
_TOOLS = _Switch(
    "tools_of_no_turns",
    _TURNS + "enable",
    (_TURNS + "tool_config_path", _TURNS + "interaction_config_path"),
    "tools and interactions are used in several turns only",
    outcome="takes one turn",
    is_met=lambda v: _is_synchronous(v) and v.word(_ROLLOUT + "name") == "sglang",
)


def _samples_more(values: Values) -> bool:
    count, temperature = _VALIDATION + "n", _VALIDATION + "temperature"
    return values.is_above(count, 1) or values.is_above(temperature, 0)


CHECKS = (
    Check(_KL_LOSS.find(), _TRAINER, since="0.3.0.post1", training_only=True),
    Check(_KL_IN_REWARD.find(), _TRAINER, since="0.4.0", training_only=True),
    Check(
        _ADAPTER.find(),
        ("verl/workers/fsdp_workers.py",),
        since="0.4.0",
        last="0.7.1",
        training_only=True,
    ),
    Check(_ADAPTER.find(), ("verl/workers/config/model.py",), since="0.8.0", training_only=True),
    Check(
        _BUDGET.find(),
        ("verl/trainer/config/ppo_trainer.yaml",),
        since="0.3.0.post1",
        training_only=True,
    ),
    Check(_OLD_FUNCTION.find(), _REWARD, since="0.4.0", last="0.7.0", training_only=True),
    Check(_NEW_FUNCTION.find(), _REWARD, since="0.7.1", training_only=True),
    Check(_DATASET.find(), ("verl/trainer/main_ppo.py",), since="0.4.0", training_only=True),
    Check(
        _OLD_REWARD_MODEL.find(),
        ("verl/trainer/main_ppo.py",),
        since="0.3.0.post1",
        last="0.7.0",
        training_only=True,
    ),
    Check(
        _REWARD_MODEL.find(),
        ("verl/experimental/reward_loop/reward_loop.py",),
        since="0.7.1",
        training_only=True,
    ),
    Check(
        _METRIC.find(),
        ("verl/trainer/ppo/v1/trainer_base.py",),
        since="0.9.0",
        training_only=True,
    ),
    Check(
        _TEACHER.find(), ("verl/workers/config/distillation.py",), since="0.8.0", training_only=True
    ),
    Check(
        _THRESHOLD.find(),
        ("verl/trainer/ppo/rollout_corr_helper.py",),
        since="0.6.1",
        training_only=True,
    ),
    Check(_PREFERENCES.find(), _TRAINER, since="0.4.0", training_only=True, programs=MAIN_PPO),
    Check(_SAMPLING.find(), _SPMD, since="0.3.0.post1", last="0.6.1", training_only=True),
    Check(
        _TOOLS.find(),
        ("verl/workers/rollout/sglang_rollout/sglang_rollout.py",),
        since="0.5.0",
        last="0.6.1",
        training_only=True,
    ),
    Check(_turns_of_another_engine, _SPMD, since="0.5.0", last="0.6.1", training_only=True),
    Check(_ratios_of_defaults, _CORE, since="0.4.0", training_only=True),
    Check(
        _path_of_automatic_resuming,
        _TRAINER,
        since="0.3.0.post1",
        training_only=True,
        programs=MAIN_PPO,
    ),
    Check(
        _offloading_of_fsdp2,
        ("verl/workers/fsdp_workers.py",),
        since="0.4.0",
        last="0.7.1",
        training_only=True,
    ),
    Check(
        _offloading_of_fsdp2,
        ("verl/workers/engine/fsdp/transformer_impl.py",),
        since="0.8.0",
        training_only=True,
    ),
    Check(
        _prefetching_of_fsdp1,
        ("verl/workers/fsdp_workers.py",),
        since="0.4.0",
        last="0.7.1",
        training_only=True,
    ),
)
