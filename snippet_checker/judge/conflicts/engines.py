"""What the engines that generate refuse, and the servers around them: values, sizes, options."""

from __future__ import annotations

from collections.abc import Iterator

from snippet_checker.judge.conflicts.checks import ConfigValues, Conflict

_ROLLOUT = "actor_rollout_ref.rollout."
_NAME = _ROLLOUT + "name"
_TENSOR, _DATA = _ROLLOUT + "tensor_model_parallel_size", _ROLLOUT + "data_parallel_size"
_GPUS_OF_RUN, _GPUS = "trainer.n_gpus_per_node", _ROLLOUT + "n_gpus_per_node"
_BATCHED, _SEQUENCES = _ROLLOUT + "max_num_batched_tokens", _ROLLOUT + "max_num_seqs"
_ENGINES_OWN = _ROLLOUT + "engine_kwargs."
_SPLIT = _ROLLOUT + "disaggregation."
_LONGEST, _CHUNKED = _ROLLOUT + "max_model_len", _ROLLOUT + "enable_chunked_prefill"
_LENGTHS = (_ROLLOUT + "prompt_length", _ROLLOUT + "response_length")
_SAMPLE_LENGTHS = ("data.max_prompt_length", "data.max_response_length")
_ENGINES = {"vllm": "vLLM", "sglang": "SGLang"}
_KNOWN = ("hf", "sglang", "trtllm", "vllm")
_DTYPES = ("auto", "bfloat16", "float", "float16", "float32", "half")
_MEANT = {"bf16": "bfloat16", "fp16": "float16", "fp32": "float32"}
OF_REQUESTS = (
    "frequency_penalty",
    "logprobs",
    "max_tokens",
    "min_p",
    "min_tokens",
    "presence_penalty",
    "prompt_logprobs",
    "repetition_penalty",
    "return_token_ids",
    "stop",
    "stop_token_ids",
    "temperature",
    "top_k",
    "top_p",
)
"""Of vLLM's SamplingParams and its requests; EngineArgs of 0.24 has none of them."""


def unknown_dtype(values: ConfigValues) -> Iterator[Conflict]:
    key, engine = _ROLLOUT + "dtype", values.word(_NAME)
    dtype = values.word(key)
    if engine in _ENGINES and dtype is not None and dtype not in _DTYPES:
        why = f"{_ENGINES[engine]} does not take '{dtype}', but {', '.join(_DTYPES)}"
        yield Conflict((key,), why, anyhow=True, instead=_MEANT.get(dtype))


def chunks_too_small(values: ConfigValues) -> Iterator[Conflict]:
    prompt, response = (values.number(key) for key in _LENGTHS)
    longest, batched = values.number(_LONGEST), values.number(_BATCHED)
    keys: tuple[str, ...] = (_CHUNKED, _LONGEST, _BATCHED)
    if not longest and prompt and response:
        longest, keys = prompt + response, (_CHUNKED, _BATCHED, *_LENGTHS, *_SAMPLE_LENGTHS)
    if batched and longest and batched < longest and not values.is_unknown(_LONGEST):
        yield Conflict(keys, _too_small(batched, longest))


def chunks_of_generation_too_small(values: ConfigValues) -> Iterator[Conflict]:
    """The program that only generates has its rollout at the root."""
    names = ("prompt_length", "response_length", "max_num_batched_tokens")
    prompt, response, batched = (values.number(f"rollout.{name}") for name in names)
    if prompt and response and batched and not values.is_unknown("rollout.max_model_len"):
        longest = values.number("rollout.max_model_len") or prompt + response
        if batched < longest:
            keys = tuple(f"rollout.{name}" for name in names)
            yield Conflict(keys, _too_small(batched, longest))


def _too_small(batched: int, longest: int) -> str:
    return (
        f"with chunked prefill the engine needs a batch of {longest} tokens, as many as the longest"
        f" sequence has, and this one has {batched}"
    )


def fewer_tokens_than_sequences(values: ConfigValues) -> Iterator[Conflict]:
    """Fewer tokens in a batch of the engine than it may hold sequences."""
    batched, sequences = values.number(_BATCHED), values.number(_SEQUENCES)
    is_said_twice = {"max_num_batched_tokens", "max_num_seqs"} & {
        *values.names(_ENGINES_OWN + "vllm")
    }
    if not is_said_twice and batched and sequences and batched < sequences:
        why = f"vLLM batches at least as many tokens ({batched}) as sequences ({sequences})"
        yield Conflict((_BATCHED, _SEQUENCES), why)


def split_rollout(values: ConfigValues) -> Iterator[Conflict]:
    switch, engine = _SPLIT + "enabled", values.word(_NAME)
    if engine not in (None, "sglang", "vllm"):
        why = f"'{engine}' does not split prefill from decode"
        yield Conflict((_NAME, switch), why)
        return
    prefill, decode = _SPLIT + "prefill_replicas", _SPLIT + "decode_replicas"
    if values.is_above(prefill, 1) or values.is_at_most_zero(prefill):
        yield Conflict((switch, prefill), "there is 1 server for prefill")
    if values.is_at_most_zero(decode):
        yield Conflict((switch, decode), "decode needs a server")
    if values.is_above(_DATA, 1):
        yield Conflict((switch, _DATA), "servers that are split have no data parallelism")
    tensor, own = _TENSOR, _SPLIT + "decode_tensor_model_parallel_size"
    of_decode = tensor if values.is_null(own) else own
    first, second = values.product(tensor, prefill), values.product(of_decode, decode)
    gpus = values.number(_GPUS)
    if first and second and gpus and first + second > gpus:
        why = f"prefill and decode take {first + second} GPUs of one node, which has {gpus}"
        yield Conflict((_GPUS_OF_RUN, _GPUS, switch, prefill, decode, own, tensor), why)


def model_shorter_than_sequence(values: ConfigValues) -> Iterator[Conflict]:
    prompt, response, longest = (values.number(key) for key in (*_LENGTHS, _LONGEST))
    if prompt and response and longest and longest < prompt + response:
        why = f"the longest prompt and response have {prompt + response} tokens, and the engine"
        why += f" takes {longest}"
        yield Conflict((_LONGEST, *_LENGTHS, *_SAMPLE_LENGTHS), why)


def settings_of_no_engine(values: ConfigValues) -> Iterator[Conflict]:
    engine = values.word(_NAME)
    for name in values.names(_ENGINES_OWN.rstrip(".")) if engine in _KNOWN else ():
        settings = tuple(f"{_ENGINES_OWN}{name}.{key}" for key in values.names(_ENGINES_OWN + name))
        if name not in (*_KNOWN, engine) and settings:
            why = f"an engine gets those below its own name, '{_ENGINES_OWN}{engine}'"
            yield Conflict((_NAME, *settings), why)


def sampling_of_server(values: ConfigValues) -> Iterator[Conflict]:
    for name in values.names(_ENGINES_OWN + "vllm"):
        if name in OF_REQUESTS:
            why = f"'{name}' is an option of each request, and none of vLLM's server"
            yield Conflict((_NAME, f"{_ENGINES_OWN}vllm.{name}"), why)
