"""What trainers refuse at their start or in their first step, and what they leave aside."""

from __future__ import annotations

from collections.abc import Iterator

from snippet_checker.judge.conflicts.checks import ConfigValues, Conflict
from snippet_checker.verl.values import is_placeholder

_HDFS, _RESUME = "trainer.default_hdfs_dir", "trainer.resume_mode"
_RESUME_PATH, _STEP_FOLDER = "trainer.resume_from_path", "global_step_"
_OF_ADAMW = (
    "amsgrad",
    "betas",
    "capturable",
    "differentiable",
    "eps",
    "foreach",
    "fused",
    "lr",
    "maximize",
    "weight_decay",
)
"""The arguments of `torch.optim.AdamW`, the same from PyTorch 2.0 to 2.14."""


def resumed_from_hdfs(values: ConfigValues) -> Iterator[Conflict]:
    folder, mode = values.word(_HDFS), values.word(_RESUME)
    if folder in (None, "None") or is_placeholder(folder) or mode in (None, "disable"):
        return  # where a word for nothing is meant, that is told apart from this
    why = "runs cannot be resumed from HDFS, unless 'trainer.resume_mode=disable'"
    yield Conflict((_HDFS, _RESUME), why, anyhow=True)


def overlong_answers(values: ConfigValues, node: str) -> Iterator[Conflict]:
    switch, length = node + "overlong_buffer_cfg.enable", node + "overlong_buffer_cfg.len"
    longest, buffer = values.number(node + "max_resp_len"), values.number(length)
    if values.is_unset(node + "max_resp_len"):
        why = "overlong answers are counted from there"
        yield Conflict((node + "max_resp_len", switch), why, missing=True)
    elif longest is not None and buffer is not None and longest < buffer:
        why = f"the buffer ({buffer}) is longer than the longest answer ({longest})"
        yield Conflict((switch, length, node + "max_resp_len"), why)
    elif values.is_at_most_zero(length):
        yield Conflict((switch, length), "an enabled buffer has more than 0 tokens")


def arguments_of_naive_manager(values: ConfigValues) -> Iterator[Conflict]:
    manager, node = "reward_model.reward_manager", "reward_model.reward_kwargs"
    names = values.names(node)
    if names:
        keys = (manager, *(f"{node}.{name}" for name in names))
        keys += (f"{node}.overlong_buffer_cfg.enable", f"{node}.overlong_buffer_cfg.len")
        why = f"the manager 'naive' takes no '{names[0]}'"
        yield Conflict(keys, why, missing=True, unlisted=names[0])


def resume_without_step(values: ConfigValues) -> Iterator[Conflict]:
    path = values.word(_RESUME_PATH)
    if path is not None and _STEP_FOLDER not in path and not _is_readers_own(path):
        why = f"a run is resumed from a folder of one step, '…/{_STEP_FOLDER}N'"
        yield Conflict((_RESUME_PATH, _RESUME), why)


def _is_readers_own(path: str) -> bool:
    """Whether a document leaves the path to the reader."""
    return "path/to" in path or "${" in path or is_placeholder(path)


def ratios_of_defaults(values: ConfigValues) -> Iterator[Conflict]:
    both, low, high = (
        f"actor_rollout_ref.actor.{name}"
        for name in ("clip_ratio", "clip_ratio_low", "clip_ratio_high")
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
            only_unsaid=True,
        )


def adamw(values: ConfigValues, node: str) -> Iterator[Conflict]:
    """What PyTorch's AdamW refuses, which verl builds with numbers and arguments of the config."""
    betas = values.numbers(node + "betas")
    if betas is not None and len(betas) < 2:
        why = f"AdamW takes two, and this is {len(betas)}"
        yield Conflict((node + "betas",), why, anyhow=True)
    elif betas is not None and not all(0 <= beta < 1 for beta in betas[:2]):
        yield Conflict((node + "betas",), "AdamW takes 0 or more, and less than 1", anyhow=True)
    if (values.figure(node + "weight_decay") or 0) < 0:
        yield Conflict((node + "weight_decay",), "AdamW takes 0 or more", anyhow=True)
    for name in values.names(node + "override_optimizer_config"):
        if name not in _OF_ADAMW:
            why = f"AdamW has no argument '{name}', but {', '.join(_OF_ADAMW)}"
            yield Conflict((f"{node}override_optimizer_config.{name}",), why, anyhow=True)
