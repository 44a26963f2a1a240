"""Sizes that do not suit a model that is known by its name.

The shapes are those of the models' own `config.json` on Hugging Face. A model that was trained
further keeps its number of heads, and mostly its name; its longest sequence may be another.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from snippet_checker.judge.conflicts.checks import ConfigValues, Conflict

_ARR = "actor_rollout_ref."
_ROLLOUT = _ARR + "rollout."
_PATH = _ARR + "model.path"
_OVERRIDES = (_ARR + "model.override_config", _ARR + "model.override_config.model_config")
_LENGTHS = (_ROLLOUT + "prompt_length", _ROLLOUT + "response_length")
_SAMPLE_LENGTHS = ("data.max_prompt_length", "data.max_response_length")


class _Heads(Struct, frozen=True):
    """Heads of attention, and those for keys and values."""

    queries: int
    keys: int


_SHAPES = {
    "qwen2-0.5b": _Heads(14, 2),
    "qwen2-1.5b": _Heads(12, 2),
    "qwen2-7b": _Heads(28, 4),
    "qwen2-72b": _Heads(64, 8),
    "qwen2-vl-2b": _Heads(12, 2),
    "qwen2-vl-7b": _Heads(28, 4),
    "qwen2.5-0.5b": _Heads(14, 2),
    "qwen2.5-1.5b": _Heads(12, 2),
    "qwen2.5-3b": _Heads(16, 2),
    "qwen2.5-7b": _Heads(28, 4),
    "qwen2.5-14b": _Heads(40, 8),
    "qwen2.5-32b": _Heads(40, 8),
    "qwen2.5-72b": _Heads(64, 8),
    "qwen2.5-coder-0.5b": _Heads(14, 2),
    "qwen2.5-coder-1.5b": _Heads(12, 2),
    "qwen2.5-coder-3b": _Heads(16, 2),
    "qwen2.5-coder-7b": _Heads(28, 4),
    "qwen2.5-coder-14b": _Heads(40, 8),
    "qwen2.5-coder-32b": _Heads(40, 8),
    "qwen2.5-math-1.5b": _Heads(12, 2),
    "qwen2.5-math-7b": _Heads(28, 4),
    "qwen2.5-math-72b": _Heads(64, 8),
    "qwen2.5-vl-3b": _Heads(16, 2),
    "qwen2.5-vl-7b": _Heads(28, 4),
    "qwen2.5-vl-32b": _Heads(40, 8),
    "qwen2.5-vl-72b": _Heads(64, 8),
    "qwen3-0.6b": _Heads(16, 8),
    "qwen3-1.7b": _Heads(16, 8),
    "qwen3-4b": _Heads(32, 8),
    "qwen3-8b": _Heads(32, 8),
    "qwen3-14b": _Heads(40, 8),
    "qwen3-32b": _Heads(64, 8),
    "qwen3-30b-a3b": _Heads(32, 4),
    "qwen3-235b-a22b": _Heads(64, 4),
    "deepseek-r1-distill-qwen-1.5b": _Heads(12, 2),
    "deepseek-r1-distill-qwen-7b": _Heads(28, 4),
    "deepseek-r1-distill-qwen-14b": _Heads(40, 8),
    "deepseek-r1-distill-qwen-32b": _Heads(40, 8),
    "deepseek-r1-distill-llama-8b": _Heads(32, 8),
    "deepseek-r1-distill-llama-70b": _Heads(64, 8),
    "deepseek-llm-7b": _Heads(32, 32),
    "llama-3.1-8b": _Heads(32, 8),
    "llama-3.1-70b": _Heads(64, 8),
    "llama-3.2-1b": _Heads(32, 8),
    "llama-3.2-3b": _Heads(24, 8),
    "llama-3.3-70b": _Heads(64, 8),
}
_SHORT = 4096
_POSITIONS = {
    "qwen/qwen2.5-math-1.5b": 4096,
    "qwen/qwen2.5-math-1.5b-instruct": 4096,
    "qwen/qwen2.5-math-7b": 4096,
    "qwen/qwen2.5-math-7b-instruct": 4096,
    "qwen/qwen2.5-0.5b-instruct": 32768,
    "qwen/qwen2.5-1.5b-instruct": 32768,
    "qwen/qwen2.5-3b-instruct": 32768,
    "qwen/qwen2.5-7b-instruct": 32768,
    "qwen/qwen2.5-14b-instruct": 32768,
    "qwen/qwen2.5-32b-instruct": 32768,
    "deepseek-ai/deepseek-llm-7b-chat": 4096,
}
"""The longest sequence of models by their whole names: a folder may hold another config."""
_NOT_PACKED = {
    "gemma-2-": "gemma2",
    "phi-3": "phi3",
    "qwen2-vl-": "qwen2_vl",
    "qwen2.5-vl-": "qwen2_5_vl",
}
"""Kinds of models by the beginnings of their names."""
_PUBLISHED = re.compile(r"[A-Za-z0-9][\w-]*/[\w.-]+")
_NAME = re.compile(r"(?:meta-)?([a-z0-9.]+(?:-[a-z0-9.]+)*)")


def _shape(values: ConfigValues) -> tuple[str, _Heads] | None:
    """The name of a model that is known, and its shape; None for any other."""
    name = values.last_name(_PATH)
    if name is None or "$" in name:
        return None
    found = _NAME.match(name.lower())
    parts = found[1].split("-") if found else []
    for end in range(len(parts), 1, -1):
        shape = _SHAPES.get("-".join(parts[:end]))
        if shape is not None:
            return name, shape
    return None


def heads_not_split(values: ConfigValues, size: str) -> Iterator[Conflict]:
    known, parts = _shape(values), values.number(size)
    if known and parts and parts > 1 and known[1].queries % parts:
        name, heads = known
        why = f"{name} has {heads.queries} heads of attention, which {parts} GPUs cannot share"
        yield Conflict((_PATH, size), why)


def heads_of_sequences(values: ConfigValues, size: str) -> Iterator[Conflict]:
    """GPUs that share sequences have some heads of each kind, or some GPUs the same for keys."""
    known, parts = _shape(values), values.number(size)
    if not (known and parts and parts > 1):
        return
    name, heads = known
    if heads.queries % parts:
        yield from heads_not_split(values, size)
    elif heads.keys % parts and parts % heads.keys:
        why = f"{name} has {heads.keys} heads for keys and values, which {parts} GPUs cannot share"
        yield Conflict((_PATH, size), why)


def packed_without_support(values: ConfigValues, node: str) -> Iterator[Conflict]:
    """The first releases pack for a few kinds of models only."""
    path, packing = node + "model.path", node + "model.use_remove_padding"
    name = (values.last_name(path) or "").lower()
    kind = next((one for start, one in _NOT_PACKED.items() if name.startswith(start)), None)
    if values.is_on(packing) and kind is not None:
        yield Conflict((path, packing), f"'{name}' is of a kind that is not packed", unlisted=kind)


def _positions(values: ConfigValues) -> tuple[str, int, bool] | None:
    """The model's name, its longest sequence, and whether it may be longer by now.

    The one that is short is often given a longer one, in the config of a folder of one's own. What
    somebody else published under such a name is another model.
    """
    path, name = values.word(_PATH) or "", values.last_name(_PATH)
    if name is None or any(values.names(key) for key in _OVERRIDES):
        return None
    positions = _POSITIONS.get(path.lower())
    if positions is not None:
        return path, positions, False
    if _PUBLISHED.fullmatch(path) is not None:
        return None
    positions = _POSITIONS.get(f"qwen/{name.lower()}")
    return (name, positions, True) if positions == _SHORT else None


def sequence_beyond_positions(values: ConfigValues) -> Iterator[Conflict]:
    known, (prompt, response) = _positions(values), map(values.number, _LENGTHS)
    if known and prompt and response and prompt + response > known[1]:
        why = f"{known[0]} takes {known[1]} tokens, and the longest prompt and response have"
        why += f" {prompt + response}; 'override_config.max_position_embeddings' may say more"
        keys = (_PATH, *_LENGTHS, *_SAMPLE_LENGTHS)
        yield Conflict(keys, why, doubtful=known[2])


def engine_beyond_positions(values: ConfigValues) -> Iterator[Conflict]:
    known, longest = _positions(values), values.number(_ROLLOUT + "max_model_len")
    if known and longest and longest > known[1]:
        why = f"{known[0]} takes {known[1]} tokens"
        yield Conflict((_PATH, _ROLLOUT + "max_model_len"), why, doubtful=known[2])
