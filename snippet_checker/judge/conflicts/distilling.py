"""What verl refuses of distillation: teachers that do not fit their GPUs, losses, lengths."""

from __future__ import annotations

from collections.abc import Iterator

from snippet_checker.judge.conflicts.checks import ConfigValues, Conflict

_NODE = "distillation."
_ENABLED = _NODE + "enabled"
_TEACHERS, _FIRST = _NODE + "teacher_models", "teacher_model"
_POOL = (_NODE + "n_gpus_per_node", _NODE + "nnodes")
_SIZES = ("tensor_model_parallel_size", "data_parallel_size", "pipeline_model_parallel_size")


def _teachers(values: ConfigValues) -> tuple[str, ...]:
    """The teachers that count: those that are added put the default one aside."""
    names = values.names(_TEACHERS)
    return tuple(name for name in names if name != _FIRST) or names


def without_model(values: ConfigValues) -> Iterator[Conflict]:
    for name in _teachers(values):
        path = f"{_TEACHERS}.{name}.model_path"
        if values.is_unset(path):
            yield Conflict((path, _ENABLED), "a teacher is loaded from there", missing=True)


def without_name(values: ConfigValues) -> Iterator[Conflict]:
    names = values.names(_TEACHERS)
    if len(names) > 1:
        for name in _teachers(values):
            node = f"{_TEACHERS}.{name}."
            if values.is_unset(node + "key"):
                why = "the samples of one of several teachers are told by its key"
                yield Conflict((node + "key", node + "model_path"), why, missing=True)


def teacher_does_not_fit(values: ConfigValues) -> Iterator[Conflict]:
    if values.names(_TEACHERS) != (_FIRST,):
        return
    sizes = [f"{_TEACHERS}.{_FIRST}.inference.{size}" for size in _SIZES]
    gpus = values.product(*_POOL)
    size = values.product(*(key for key in sizes if not values.is_absent(key)))
    if gpus and size and gpus % size:
        why = f"the {gpus} GPUs for the teacher are no multiple of its parallel sizes ({size})"
        yield Conflict((*_POOL, *sizes), why)


def no_room_for_student(values: ConfigValues) -> Iterator[Conflict]:
    for name in _teachers(values):
        node = f"{_TEACHERS}.{name}.inference."
        lengths = (node + "prompt_length", node + "response_length")
        prompt, response = (values.number(key) for key in lengths)
        longest = values.number(node + "max_model_len")
        if prompt and response and longest and prompt + response + 1 > longest:
            why = f"a teacher reads the student's prompt and response ({prompt + response}) and"
            why += f" writes one token, and its engine takes {longest}"
            keys = ("data.max_prompt_length", "data.max_response_length")
            yield Conflict((*keys, *lengths, node + "max_model_len"), why)


def fewer_log_probs_than_tokens(values: ConfigValues) -> Iterator[Conflict]:
    count = _NODE + "distillation_loss.topk"
    for name in _teachers(values):
        node = f"{_TEACHERS}.{name}.inference."
        most = node + "engine_kwargs.vllm.max_logprobs"
        wanted, given = values.number(count), values.number(most)
        is_vllm = values.word(node + "name") == "vllm"
        if is_vllm and wanted and given is not None and given < wanted:
            why = f"{wanted} tokens are compared, and vLLM gives the probabilities of {given}"
            yield Conflict((count, most), why)


def teacher_of_no_weights(values: ConfigValues) -> Iterator[Conflict]:
    """An added teacher has the default of the class, for an engine that a trainer feeds."""
    for name in _teachers(values):
        path = f"{_TEACHERS}.{name}.inference.load_format"
        is_left_out = name != _FIRST and values.is_absent(path)
        if values.word(path) == "dummy" or is_left_out:
            why = "without 'auto' a teacher's engine loads no weights"
            yield Conflict((path, f"{_TEACHERS}.{name}.model_path"), why, missing=True)
