"""What verl refuses of distillation: teachers that do not fit their GPUs, losses, lengths."""

from __future__ import annotations

from collections.abc import Iterator

from snippet_checker.judge.conflicts.checks import Check, Conflict, Values

_NODE = "distillation."
_ENABLED, _LOSS = _NODE + "enabled", _NODE + "distillation_loss."
_TEACHERS, _FIRST = _NODE + "teacher_models", "teacher_model"
_POOL = (_NODE + "n_gpus_per_node", _NODE + "nnodes")
_SIZES = ("tensor_model_parallel_size", "data_parallel_size", "pipeline_model_parallel_size")
_OF_TOKENS = ("forward_kl_topk",)


def _teachers(values: Values) -> tuple[str, ...]:
    """The teachers that count: those that are added put the default one aside."""
    names = values.names(_TEACHERS)
    return tuple(name for name in names if name != _FIRST) or names


def _without_model(values: Values) -> Iterator[Conflict]:
    for name in _teachers(values) if values.is_on(_ENABLED) else ():
        path = f"{_TEACHERS}.{name}.model_path"
        if values.is_unset(path):
            yield Conflict((path, _ENABLED), "a teacher is loaded from there", missing=True)


def _without_name(values: Values) -> Iterator[Conflict]:
    names = values.names(_TEACHERS)
    if values.is_on(_ENABLED) and len(names) > 1:
        for name in _teachers(values):
            node = f"{_TEACHERS}.{name}."
            if values.is_unset(node + "key"):
                why = "the samples of one of several teachers are told by its key"
                yield Conflict((node + "key", node + "model_path"), why, missing=True)


def _teacher_does_not_fit(values: Values) -> Iterator[Conflict]:
    if not values.is_on(_ENABLED) or values.names(_TEACHERS) != (_FIRST,):
        return
    sizes = [f"{_TEACHERS}.{_FIRST}.inference.{size}" for size in _SIZES]
    gpus = values.product(*_POOL)
    size = values.product(*(key for key in sizes if not values.is_absent(key)))
    if gpus and size and gpus % size:
        why = f"the {gpus} GPUs for the teacher are no multiple of its parallel sizes ({size})"
        yield Conflict((*_POOL, *sizes), why)


def _direct_loss_of_samples(values: Values) -> Iterator[Conflict]:
    mode, switch = _LOSS + "loss_mode", _LOSS + "use_policy_gradient"
    is_direct = values.is_off(switch) and not values.is_absent(switch)
    if values.is_on(_ENABLED) and is_direct and values.word(mode) == "k1":
        why = "the gradient of 'k1' does not depend on the teacher, unless it is a policy gradient"
        yield Conflict((switch, mode), why)


def _other_policy_loss(values: Values) -> Iterator[Conflict]:
    mode = _LOSS + "policy_loss_mode"
    if values.is_on(_ENABLED) and values.word(mode) not in (None, "vanilla"):
        yield Conflict((_ENABLED, mode), "there is 'vanilla' only", instead="vanilla")


def _no_room_for_student(values: Values) -> Iterator[Conflict]:
    for name in _teachers(values) if values.is_on(_ENABLED) else ():
        node = f"{_TEACHERS}.{name}.inference."
        lengths = (node + "prompt_length", node + "response_length")
        prompt, response = (values.number(key) for key in lengths)
        longest = values.number(node + "max_model_len")
        if prompt and response and longest and prompt + response + 1 > longest:
            why = f"a teacher reads the student's prompt and response ({prompt + response}) and"
            why += f" writes one token, and its engine takes {longest}"
            keys = ("data.max_prompt_length", "data.max_response_length")
            yield Conflict((*keys, *lengths, node + "max_model_len"), why)


def _fewer_log_probs_than_tokens(values: Values) -> Iterator[Conflict]:
    count, mode = _LOSS + "topk", values.word(_LOSS + "loss_mode")
    if not values.is_on(_ENABLED) or mode not in _OF_TOKENS:
        return
    if values.is_null(count):
        yield Conflict((count, _LOSS + "loss_mode"), f"'{mode}' compares so many tokens")
    for name in _teachers(values):
        node = f"{_TEACHERS}.{name}.inference."
        most = node + "engine_kwargs.vllm.max_logprobs"
        wanted, given = values.number(count), values.number(most)
        is_vllm = values.word(node + "name") == "vllm"
        if is_vllm and wanted and given is not None and given < wanted:
            why = f"{wanted} tokens are compared, and vLLM gives the probabilities of {given}"
            yield Conflict((count, most), why)


_CONFIG = ("verl/workers/config/distillation.py",)

CHECKS = (
    Check(_without_model, _CONFIG, since="0.8.0"),
    Check(_without_name, _CONFIG, since="0.9.0"),
    Check(_teacher_does_not_fit, _CONFIG, since="0.8.0"),
    Check(_direct_loss_of_samples, _CONFIG, since="0.8.0"),
    Check(_other_policy_loss, _CONFIG, since="0.8.0"),
    Check(_no_room_for_student, _CONFIG, since="0.8.0"),
    Check(_fewer_log_probs_than_tokens, _CONFIG, since="0.8.0"),
)
