"""Advantages, losses and corrections that lack what they are computed from, or have no effect."""

from __future__ import annotations

from collections.abc import Iterator

from snippet_checker.judge.conflicts import roles
from snippet_checker.judge.conflicts.checks import MAIN_PPO, Check, Conflict, Values

_ARR = "actor_rollout_ref."
_ACTOR, _ROLLOUT = _ARR + "actor.", _ARR + "rollout."
_ANSWERS, _LOG_PROBS = _ROLLOUT + "n", _ROLLOUT + "calculate_log_probs"
_LOSS = _ACTOR + "policy_loss."
_LOSS_MODE = _LOSS + "loss_mode"
_CORRECTION = "algorithm.rollout_correction."
_BYPASS = _CORRECTION + "bypass_mode"
_KL, _IN_REWARD = "algorithm.kl_ctrl.", "algorithm.use_kl_in_reward"
_SQUARES = _ACTOR + "calculate_sum_pi_squared"
_FILTER = "algorithm.filter_groups."
_FSDP = ("fsdp", "fsdp2")
_FIRST_BATCH, _FIRST_UPDATE = "stops at the first batch", "stops at the first update"
_OF_GROUPS = ("grpo", "rloo", "opo", "reinforce_plus_plus_baseline")
"""Estimators that compare the answers to a prompt with each other."""
_TOKEN_BASELINES = ("optimal_token_baseline", "tir_optimal_token_baseline")
_POSITIVE = {"clip_cov": "clip_cov_ratio", "kl_cov": "kl_cov_ratio"}
"""The loss whose number has to be above 0."""


def _group_of_one(values: Values) -> Iterator[Conflict]:
    """A student that learns from its teacher alone gets no rewards."""
    estimator = values.word(roles.ESTIMATOR)
    rewarded = "distillation.distillation_loss.use_task_rewards"
    is_taught = values.is_on("distillation.enabled") and values.is_off(rewarded)
    if estimator in _OF_GROUPS and values.number(_ANSWERS) == 1 and not is_taught:
        why = f"'{estimator}' compares the answers to a prompt, and there is one"
        outcome = "takes its reward for the advantage, without a baseline"
        keys = (_ANSWERS, roles.ESTIMATOR)
        yield Conflict(keys, why, missing=True, outcome=outcome, goes_on=True, doubtful=True)


def _one_answer_of_two(values: Values) -> Iterator[Conflict]:
    if values.word(roles.ESTIMATOR) == "grpo_passk" and values.number(_ANSWERS) == 1:
        why = "'grpo_passk' takes the best and the second best answer, and there is one"
        yield Conflict((_ANSWERS, roles.ESTIMATOR), why, missing=True, outcome=_FIRST_BATCH)


def _baseline_without_squares(values: Values) -> Iterator[Conflict]:
    estimator = values.word(roles.ESTIMATOR)
    is_old = roles.has_old_trainer(values)
    if estimator in _TOKEN_BASELINES and is_old and values.is_off(_SQUARES):
        why = f"'{estimator}' needs the squares of the probabilities"
        keys, instead = (_SQUARES, roles.ESTIMATOR), f"{_SQUARES}=True"
        yield Conflict(keys, why, missing=True, instead=instead, outcome=_FIRST_BATCH)


def _baseline_of_old_trainer(values: Values) -> Iterator[Conflict]:
    estimator = values.word(roles.ESTIMATOR)
    if estimator in _TOKEN_BASELINES and roles.has_new_trainer(values):
        why = f"the new trainer does not hand '{estimator}' the squares of the probabilities"
        keys, instead = ("trainer.use_v1", roles.ESTIMATOR), "trainer.use_v1=False"
        yield Conflict(keys, why, missing=True, instead=instead, outcome=_FIRST_BATCH)


def _squares_of_fused_kernels(values: Values) -> Iterator[Conflict]:
    fused = _ARR + "model.use_fused_kernels"
    if values.is_on(_SQUARES) and values.is_on(fused) and roles.has_old_trainer(values):
        why = "fused kernels do not make the logits from which the squares are computed"
        yield Conflict((_SQUARES, fused), why, outcome=_FIRST_BATCH)


def _rewards_without_names(values: Values) -> Iterator[Conflict]:
    key = "algorithm.gdpo_reward_keys"
    if values.word(roles.ESTIMATOR) == "gdpo" and values.is_unset(key):
        why = "'gdpo' normalizes several rewards, which are named there"
        yield Conflict((key, roles.ESTIMATOR), why, missing=True, outcome=_FIRST_BATCH)


def _adaptive_without_horizon(values: Values) -> Iterator[Conflict]:
    kind, horizon = _KL + "type", _KL + "horizon"
    is_used = values.is_on(_IN_REWARD) and values.word(kind) == "adaptive"
    if is_used and values.is_at_most_zero(horizon):
        yield Conflict((kind, horizon), "an adaptive KL penalty adapts within so many samples")


def _clipping_at_one(values: Values) -> Iterator[Conflict]:
    key = _ACTOR + "clip_ratio_c"
    is_plain = not values.is_unknown(_LOSS_MODE) and values.word(_LOSS_MODE) in (None, "vanilla")
    if is_plain and values.is_below(key, 1.0000001) and values.is_off(_BYPASS):
        why = "the loss takes more than 1 only"
        yield Conflict((key,), why, anyhow=True, outcome=_FIRST_UPDATE)


def _loss_without_its_ratio(values: Values) -> Iterator[Conflict]:
    mode = values.word(_LOSS_MODE) or ""
    if mode in _POSITIVE and values.is_at_most_zero(_LOSS + _POSITIVE[mode]):
        keys, why = (_LOSS_MODE, _LOSS + _POSITIVE[mode]), f"'{mode}' takes more than 0 only"
        yield Conflict(keys, why, outcome=_FIRST_UPDATE)


def _penalty_of_dro(values: Values) -> Iterator[Conflict]:
    key = _LOSS + "dro_beta"
    is_none = values.is_unset(key) or values.is_at_most_zero(key)
    if values.word(_LOSS_MODE) == "dro" and is_none:
        why = "'dro' weights its penalty with it, which is above 0"
        yield Conflict((key, _LOSS_MODE), why, missing=True, outcome=_FIRST_UPDATE)


def _no_clipping_of_gradients(values: Values) -> Iterator[Conflict]:
    has_workers = values.word("trainer.use_legacy_worker_impl") != "disable"
    if has_workers and not values.is_unknown("trainer.use_legacy_worker_impl"):
        yield from _unclipped(values, _ACTOR + "grad_clip")


def _no_clipping_by_engine(values: Values) -> Iterator[Conflict]:
    if values.is_unset(_ACTOR + "optim.grad_clip"):
        yield from _unclipped(values, _ACTOR + "optim.clip_grad")


def _unclipped(values: Values, key: str) -> Iterator[Conflict]:
    if values.word(_ACTOR + "strategy") in _FSDP and values.is_null(key):
        why = "gradients are always clipped; a great number leaves them as they are"
        yield Conflict((key,), why, anyhow=True, outcome=_FIRST_UPDATE)


def _bypass_without_log_probs(values: Values) -> Iterator[Conflict]:
    if values.is_on(_BYPASS) and values.is_off(_LOG_PROBS):
        why = "the bypass takes the log-probabilities of the rollout"
        keys, instead = (_LOG_PROBS, _BYPASS), f"{_LOG_PROBS}=True"
        yield Conflict(keys, why, missing=True, instead=instead, outcome=_FIRST_BATCH)


def _correction_without_log_probs(values: Values) -> Iterator[Conflict]:
    used = [_CORRECTION + name for name in ("rollout_is", "rollout_rs")]
    is_used = any(values.word(key) is not None for key in used)
    if is_used and values.is_off(_BYPASS) and values.is_off(_LOG_PROBS):
        why = "the correction compares with the log-probabilities of the rollout"
        keys, instead = (_LOG_PROBS, *used), f"{_LOG_PROBS}=True"
        outcome = "corrects nothing"
        yield Conflict(keys, why, missing=True, instead=instead, outcome=outcome, goes_on=True)


def _rejection_without_threshold(values: Values) -> Iterator[Conflict]:
    kind, threshold = _CORRECTION + "rollout_rs", _CORRECTION + "rollout_rs_threshold"
    is_met = values.is_on(_LOG_PROBS) and values.word(kind) is not None
    if is_met and values.is_unset(threshold):
        why = "samples are rejected beyond it"
        yield Conflict((threshold, kind), why, missing=True, outcome=_FIRST_BATCH)


def _filter_of_another_trainer(values: Values) -> Iterator[Conflict]:
    switch = _FILTER + "enable"
    if values.is_on(switch) and roles.has_old_trainer(values):
        why = "this trainer does not read it; that of the recipe for DAPO does"
        if not values.is_absent("trainer.use_v1"):
            why = "only the trainer of 'trainer.use_v1=True' filters groups"
        keys = ("trainer.use_v1", switch)
        outcome = "filters nothing"
        yield Conflict(keys, why, anyhow=True, outcome=outcome, goes_on=True, unread=switch)


_CORE = ("verl/trainer/ppo/core_algos.py",)
_TRAINER = ("verl/trainer/ppo/ray_trainer.py",)
_HELPER = ("verl/trainer/ppo/rollout_corr_helper.py",)

CHECKS = (
    Check(_group_of_one, _CORE, since="0.3.0.post1", training_only=True),
    Check(_one_answer_of_two, _CORE, since="0.4.0", training_only=True),
    Check(
        _baseline_without_squares, _TRAINER, since="0.7.1", training_only=True, programs=MAIN_PPO
    ),
    Check(
        _baseline_of_old_trainer,
        ("verl/trainer/ppo/v1/trainer_base.py",),
        since="0.9.0",
        training_only=True,
    ),
    Check(
        _squares_of_fused_kernels,
        ("verl/workers/engine/fsdp/transformer_impl.py",),
        since="0.8.0",
        training_only=True,
        programs=MAIN_PPO,
    ),
    Check(_rewards_without_names, _CORE, since="0.7.1", training_only=True),
    Check(_adaptive_without_horizon, _CORE, since="0.4.0", training_only=True),
    Check(_clipping_at_one, _CORE, since="0.4.0", training_only=True),
    Check(_loss_without_its_ratio, _CORE, since="0.4.1", training_only=True),
    Check(_penalty_of_dro, _CORE, since="0.9.0", training_only=True),
    Check(
        _no_clipping_of_gradients,
        ("verl/workers/actor/dp_actor.py",),
        since="0.3.0.post1",
        last="0.7.1",
        training_only=True,
    ),
    Check(
        _no_clipping_by_engine,
        ("verl/workers/engine/fsdp/transformer_impl.py",),
        since="0.8.0",
        training_only=True,
    ),
    Check(_bypass_without_log_probs, _HELPER, since="0.6.1", training_only=True),
    Check(_correction_without_log_probs, _TRAINER, since="0.6.1", training_only=True),
    Check(_rejection_without_threshold, _HELPER, since="0.6.1", training_only=True),
    Check(
        _filter_of_another_trainer,
        _TRAINER,
        since="0.3.0.post1",
        training_only=True,
        programs=MAIN_PPO,
    ),
)
