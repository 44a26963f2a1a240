"""Measure what a token costs on a GPU and print the tables that docs/guide/batch-sizes.md cites.

    python3 tools/measure_memory.py

It needs a CUDA GPU with about 40 GB free, PyTorch, Transformers and a C compiler for
torch.compile; nothing of verl. Every figure is a slope: how much the peak of PyTorch's allocator
grows when there are more tokens, divided by those tokens. So weights and gradients, which do not
grow, stay out of it.

The model is a Qwen2 of random bf16 weights on one GPU, without FSDP, in one packed row, under
autocast, with gradient checkpointing and SDPA's flash kernel. Without its head, the measured step
holds the model's output and the gradient of it; an update of verl has freed both by the time it
is back in the layers, so that row is 4·h too high on purpose. The head is that of verl's FSDP
engine (verl/workers/engine/fsdp/transformer_impl.py): logits, division by the temperature,
entropy, log-probabilities. In place of flash-attn's cross entropy stands a function that keeps
the same tensors.
"""

from __future__ import annotations

import gc
import importlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

DEVICE = "cuda"
_BODY_TOKENS = (2048, 8192, 16384)  # the first run only warms up
_HEAD_TOKENS = (2048, 4096, 8192)
_FEW, _MANY = 2, 6  # layers whose difference gives the cost of one
_ROWS = 256  # of the logits at a time, in the stand-in for flash-attn's kernel

# Holds the inputs of so many tokens and returns the step to measure.
Prepare = Callable[[int], Callable[[], object]]


@dataclass(frozen=True, slots=True)
class Shape:
    """What the formulas of the page take from a model: h, f, k and V."""

    name: str
    hidden: int
    inner: int
    heads: int
    kv_heads: int
    vocabulary: int

    @property
    def kv(self) -> int:
        """KV heads times head size."""
        return self.kv_heads * self.hidden // self.heads

    @property
    def layer_input(self) -> int:
        """Bytes per token that a layer keeps until its backward pass."""
        return 2 * self.hidden

    @property
    def layer(self) -> int:
        """Bytes per token of the layer that is computed again and differentiated, 4·h included."""
        return 26 * self.hidden + 4 * self.kv + 12 * self.inner

    @property
    def layer_forward(self) -> int:
        """Bytes per token of a layer without gradients."""
        return 8 * self.hidden + 6 * self.inner

    def update(self, layers: int) -> int:
        """Bytes per token of an update without entropy, at temperature 1."""
        head = 2 * self.vocabulary + 10 * self.hidden
        return layers * self.layer_input + max(self.layer, head)


QWEN = Shape("Qwen2.5-7B", 3584, 18944, 28, 4, 152064)
LLAMA = Shape("Llama 3 8B", 4096, 14336, 32, 8, 128256)


def main() -> None:
    """Print both tables."""
    torch, transformers = _load("torch"), _load("transformers")
    card = torch.cuda.get_device_name()
    print(f"{card}, PyTorch {torch.__version__}, Transformers {transformers.__version__}\n")
    print("| Shape | Bytes per token | Measured | Formula |\n| --- | --- | --- | --- |")
    for shape in (QWEN, LLAMA):
        for part, measured, formula in bodies(shape):
            print(f"| {shape.name} | {part} | {measured:,.0f} | {formula:,} |", flush=True)
    print("\n| Entropy | Temperature | Update | Passes without gradients |")
    print("| --- | --- | --- | --- |")
    for entropy in ("no", "compiled", "not compiled"):
        for temperature in (1.0, 0.7):
            update, forward = (
                head(QWEN, entropy, temperature, train=train) for train in (True, False)
            )
            print(f"| {entropy} | {temperature} | {update:.2f} | {forward:.2f} |", flush=True)


def bodies(shape: Shape) -> list[tuple[str, float, int]]:
    """The parts of a model: their names, bytes per token as measured, and by the formulas."""
    few = growth(layers_only(shape, _FEW), _BODY_TOKENS)
    per_layer = (growth(layers_only(shape, _MANY), _BODY_TOKENS) - few) / (_MANY - _FEW)
    forward = growth(layers_only(shape, _FEW, train=False), _BODY_TOKENS)
    update = growth(whole_model(shape, 4), _BODY_TOKENS)
    return [
        ("input of a layer", per_layer, shape.layer_input),
        ("one layer in the update", few - _FEW * per_layer, shape.layer),
        ("one layer without gradients", forward, shape.layer_forward),
        ("update of four layers with the head", update, shape.update(4)),
    ]


def growth(prepare: Prepare, tokens: tuple[int, int, int]) -> float:
    """How many bytes the peak grows for a token."""
    warm, few, many = tokens
    peak(prepare(warm))
    lower = peak(prepare(few))
    return (peak(prepare(many)) - lower) / (many - few)


def peak(step: Callable[[], object]) -> int:
    """The most bytes that a step holds at a time, on top of what was there before."""
    cuda = _load("torch").cuda
    gc.collect()
    cuda.empty_cache()
    cuda.synchronize()
    cuda.reset_peak_memory_stats()
    before: int = cuda.memory_allocated()
    result = step()
    cuda.synchronize()
    most: int = cuda.max_memory_allocated()
    del result
    return most - before


def layers_only(shape: Shape, layers: int, *, train: bool = True) -> Prepare:
    """A model without its head: forward and backward, or forward alone."""
    torch = _load("torch")
    # The head is not used; a small one saves memory.
    model = _model(shape, layers, vocabulary=1024).train(train)

    def prepare(tokens: int) -> Callable[[], object]:
        inputs = _inputs(tokens, 1024)

        def step() -> object:
            with torch.set_grad_enabled(train), torch.autocast(DEVICE, torch.bfloat16):
                hidden = model.model(**inputs, use_cache=False)[0]
            if train:
                hidden.backward(torch.ones_like(hidden))
            return hidden

        return step

    return prepare


def whole_model(shape: Shape, layers: int) -> Prepare:
    """A model with its head: an update without entropy, at temperature 1."""
    torch = _load("torch")
    model = _model(shape, layers, vocabulary=shape.vocabulary)
    log_probs = _cross_entropy(inplace=True)

    def prepare(tokens: int) -> Callable[[], object]:
        inputs = _inputs(tokens, shape.vocabulary)

        def loss() -> Any:
            with torch.autocast(DEVICE, torch.bfloat16):
                logits = model(**inputs, use_cache=False).logits.squeeze(0)
                return log_probs(logits, inputs["input_ids"][0]).sum()

        def step() -> object:
            result = loss()
            result.backward()
            return result

        return step

    return prepare


def head(shape: Shape, entropy: str, temperature: float, *, train: bool) -> float:
    """The c of the page: bytes per token and entry of the vocabulary."""
    torch = _load("torch")
    weight = (torch.randn(shape.vocabulary, shape.hidden, device=DEVICE) * 0.02).bfloat16()
    weight.requires_grad_()
    weight.grad = torch.zeros_like(weight)
    # With entropy, verl does not let the gradient overwrite the logits.
    log_probs = _cross_entropy(inplace=entropy == "no")
    entropies = _entropy()
    if entropy == "compiled":
        entropies = torch.compile(entropies, dynamic=True)

    def prepare(tokens: int) -> Callable[[], object]:
        hidden = torch.randn(tokens, shape.hidden, device=DEVICE).bfloat16().requires_grad_(train)
        labels = torch.randint(0, shape.vocabulary, (tokens,), device=DEVICE)

        def outputs() -> list[Any]:
            with torch.autocast(DEVICE, torch.bfloat16):
                # verl's model output holds these until the loss is computed.
                raw = torch.nn.functional.linear(hidden, weight)
                logits = raw
                if temperature != 1:
                    divisor = torch.full((tokens, 1), temperature, device=DEVICE)
                    logits = raw / divisor.clamp(min=1e-8).to(raw.dtype)
                found = [] if entropy == "no" else [entropies(logits)]
                found.append(log_probs(logits, labels))
                return [sum(each.sum() for each in found)] if train else found

        def step() -> object:
            with torch.set_grad_enabled(train):
                results = outputs()
            if train:
                results[0].backward()
            return results

        return step

    return growth(prepare, _HEAD_TOKENS) / shape.vocabulary


def _load(name: str) -> Any:
    """A package that only the machine with the GPU needs."""
    return importlib.import_module(name)


def _model(shape: Shape, layers: int, *, vocabulary: int) -> Any:
    torch, transformers = _load("torch"), _load("transformers")
    config = transformers.Qwen2Config(
        hidden_size=shape.hidden,
        intermediate_size=shape.inner,
        num_attention_heads=shape.heads,
        num_key_value_heads=shape.kv_heads,
        num_hidden_layers=layers,
        vocab_size=vocabulary,
        tie_word_embeddings=False,
        use_cache=False,
        max_position_embeddings=65536,
    )
    config._attn_implementation = "sdpa"
    with torch.device(DEVICE):
        model = transformers.Qwen2ForCausalLM(config).to(torch.bfloat16)
    model.gradient_checkpointing_enable(gradient_checkpointing_kwargs={"use_reentrant": False})
    for parameter in model.parameters():
        parameter.grad = torch.zeros_like(parameter)  # there before, so not in the growth
    return model.train()


def _inputs(tokens: int, vocabulary: int) -> dict[str, Any]:
    torch = _load("torch")
    return {
        "input_ids": torch.randint(0, vocabulary, (1, tokens), device=DEVICE),
        "position_ids": torch.arange(tokens, device=DEVICE)[None],
        "attention_mask": None,
    }


def _entropy() -> Callable[[Any], Any]:
    torch = _load("torch")

    def entropy(logits: Any) -> Any:
        probabilities = torch.softmax(logits, dim=-1)
        return torch.logsumexp(logits, dim=-1) - torch.sum(probabilities * logits, dim=-1)

    return entropy


def _cross_entropy(*, inplace: bool) -> Callable[[Any, Any], Any]:
    """A stand-in for flash-attn's kernel: it keeps the logits and one number per token."""
    torch = _load("torch")

    def forward(ctx: Any, logits: Any, labels: Any) -> Any:
        parts = [torch.logsumexp(rows.float(), -1) for rows in logits.split(_ROWS)]
        total = torch.cat(parts)
        ctx.save_for_backward(logits, total, labels)
        return logits.gather(1, labels[:, None])[:, 0].float() - total

    def backward(ctx: Any, gradient: Any) -> Any:
        logits, total, labels = ctx.saved_tensors
        result = logits if inplace else torch.empty_like(logits)
        for start in range(0, len(logits), _ROWS):
            rows = slice(start, start + _ROWS)
            part = -torch.exp(logits[rows].float() - total[rows, None])
            part[torch.arange(len(part), device=part.device), labels[rows]] += 1
            result[rows] = (part * gradient[rows, None]).to(result.dtype)
        return result, None

    methods = {"forward": staticmethod(forward), "backward": staticmethod(backward)}
    function: Any = type("LogProbs", (torch.autograd.Function,), methods)
    apply: Callable[[Any, Any], Any] = function.apply
    return apply


if __name__ == "__main__":
    main()
