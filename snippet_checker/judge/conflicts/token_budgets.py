"""Budgets of tokens that the longest sequence does not fit into.

With dynamic batching a micro-batch holds so many tokens; verl's `rearrange_micro_batches` asserts
that its longest sequence has no more. Up to 0.7.1 sequences are padded to the longest prompt and
response, so the first batch fails; later the first batch fails that has such a sequence.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from msgspec import Struct

from snippet_checker.judge.conflicts import roles
from snippet_checker.judge.conflicts.checks import ConfigValues, Conflict

_ARR = "actor_rollout_ref."
_ACTOR, _ROLLOUT, _REF, _CRITIC = _ARR + "actor.", _ARR + "rollout.", _ARR + "ref.", "critic."
_LENGTHS = (_ROLLOUT + "prompt_length", _ROLLOUT + "response_length")
_SAMPLE_LENGTHS = ("data.max_prompt_length", "data.max_response_length")


class _Budget(Struct, frozen=True):
    """Tokens a GPU, the switch that makes them count, and whose GPUs share a sequence."""

    tokens: str
    switch: str
    shared_by: tuple[str, ...]
    is_used: Callable[[ConfigValues], bool] = lambda _: True


def _recomputes_log_probs(values: ConfigValues) -> bool:
    return values.is_off("algorithm.rollout_correction.bypass_mode")


_EVERYWHERE = (
    _Budget(_ACTOR + "ppo_max_token_len_per_gpu", _ACTOR + "use_dynamic_bsz", (_ACTOR,)),
    _Budget(
        _ROLLOUT + "log_prob_max_token_len_per_gpu",
        _ROLLOUT + "log_prob_use_dynamic_bsz",
        (_ACTOR,),
        _recomputes_log_probs,
    ),
    _Budget(
        _REF + "log_prob_max_token_len_per_gpu",
        _REF + "log_prob_use_dynamic_bsz",
        (_ACTOR, _REF),
        roles.has_reference_of_its_own,
    ),
)
_WITH_OLD_CRITIC = tuple(
    _Budget(_CRITIC + name, _CRITIC + "use_dynamic_bsz", (_CRITIC,), roles.needs_critic)
    for name in ("ppo_max_token_len_per_gpu", "forward_max_token_len_per_gpu")
)


def too_small_for_sequence(values: ConfigValues) -> Iterator[Conflict]:
    # vLLM ends a response where the sequence gets as long as the model allows.
    longest = values.number(_ROLLOUT + "max_model_len")
    if longest is not None or not values.is_unknown(_ROLLOUT + "max_model_len"):
        yield from _overrun(values, _EVERYWHERE, longest)


def too_small_for_padded(values: ConfigValues) -> Iterator[Conflict]:
    yield from _overrun(values, (*_EVERYWHERE, *_WITH_OLD_CRITIC))


def too_small_for_sample(values: ConfigValues) -> Iterator[Conflict]:
    """Of SFT, whose samples are cut at their longest length, or refused beyond it."""
    longest_key, size, tokens_key = (
        "data.max_length",
        "engine.ulysses_sequence_parallel_size",
        "data.max_token_len_per_gpu",
    )
    longest, sharing, tokens = map(values.number, (longest_key, size, tokens_key))
    if tokens is not None and sharing and longest and 0 <= tokens * sharing < longest:
        why = f"a sample may have {longest} tokens, and a micro-batch takes {tokens * sharing}"
        yield Conflict((longest_key, size, tokens_key), why)


def _overrun(
    values: ConfigValues, budgets: tuple[_Budget, ...], longest: int | None = None
) -> Iterator[Conflict]:
    """One conflict for all budgets: most of them follow another one.

    No sequence has more tokens than `longest`.
    """
    prompt, response = (values.number(key) for key in _LENGTHS)
    if prompt is None or response is None:
        return
    rooms = {b.tokens: room for b in budgets if (room := _room(values, b)) is not None}
    tokens = min(prompt + response, longest or prompt + response)
    too_small = {key: room for key, room in rooms.items() if room < tokens}
    if too_small:
        why = f"the longest prompt and response ({tokens} tokens) do not fit"
        why += f" into a micro-batch of {min(too_small.values())}"
        yield Conflict((*_LENGTHS, *_SAMPLE_LENGTHS, *too_small), why)


def _room(values: ConfigValues, budget: _Budget) -> int | None:
    """The tokens of a micro-batch over the GPUs that share it; None if unused or unknown."""
    tokens, sharing = values.number(budget.tokens), _sharing(values, budget)
    if not (values.is_on(budget.switch) and budget.is_used(values)):
        return None
    return tokens * sharing if tokens is not None and tokens >= 0 and sharing else None


def _sharing(values: ConfigValues, budget: _Budget) -> int | None:
    """How many GPUs share a sequence; None where that is not known."""
    engine = values.word(_ACTOR + "strategy")
    if engine == "megatron" and values.is_off(_ACTOR + "megatron.dynamic_context_parallel"):
        names: tuple[str, ...] = ("megatron.context_parallel_size",)
    elif engine in ("fsdp", "fsdp2"):
        size = "ulysses_sequence_parallel_size"
        names = (size, f"fsdp_config.{size}", f"fsdp.{size}")
    else:
        return None
    keys = [node + name for node in budget.shared_by for name in names]
    if values.is_unknown(*keys):
        return None
    return max(1, *(values.number(key) or 1 for key in keys))
