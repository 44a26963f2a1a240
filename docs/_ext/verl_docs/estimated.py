"""What the formulas of the guide say of runs that were measured, and how far they are off.

The formulas are those of the pages Memory and Batch sizes (updates), and Rollout generation
(KV cache). They are written here once more, in Python, so that a page can hold them against rows.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

from gpu_bench import declared, lengths, rows, update
from gpu_bench.declared import Run, Variant, Workload
from gpu_bench.inputs import SHAPES
from verl_docs import measured, tables
from verl_docs.interface import _
from verl_docs.tables import literal

_GIB = 1024**3
_ACTOR = "actor_rollout_ref.actor."
_FSDP = _ACTOR + "fsdp_config."
_FUSED = _ACTOR + "optim.override_optimizer_config.fused"
_MODEL = "actor_rollout_ref.model."
_ROLLOUT = "actor_rollout_ref.rollout."
# Settings whose memory the formula for an update does not count.
_OUTSIDE = (
    *(_MODEL + key for key in ("lora_rank", "use_liger", "use_fused_kernels")),
    *(_MODEL + key for key in ("use_remove_padding", "enable_gradient_checkpointing")),
    *(_MODEL + key for key in ("enable_activation_offload",)),
    *(_FSDP + key for key in ("entropy_from_logits_with_chunking",)),
    *(_FSDP + key for key in ("use_no_sync_for_gradient_accumulation",)),
)
_STATE = {"AdamW8bit": (10, 6)}  # bytes per parameter with weights in fp32 and in bf16


@dataclass(frozen=True, slots=True)
class Shape:
    """The symbols of the guide: parameters of a layer, of a gathered unit outside, of all."""

    layers: int
    hidden: int
    inner: int
    kv: int
    vocabulary: int
    tied: bool

    @property
    def layer(self) -> int:
        h, f, k = self.hidden, self.inner, self.kv
        return 2 * h * h + h + 2 * (h * k + k) + 3 * h * f + 2 * h

    def unit(self, *, fsdp2: bool = False) -> int:
        return self.vocabulary * self.hidden * (1 if self.tied or fsdp2 else 2)

    @property
    def total(self) -> int:
        return self.layers * self.layer + self.unit() + self.hidden

    def token(self, c: int) -> int:
        """Bytes per token of a micro-batch in an update."""
        h, f, k = self.hidden, self.inner, self.kv
        return 2 * h * self.layers + max(26 * h + 4 * k + 12 * f, c * self.vocabulary + 10 * h)


@dataclass(frozen=True, slots=True)
class Estimate:
    estimated: float
    measured: float

    @property
    def error(self) -> float:
        return self.estimated / self.measured - 1


def shape(settings: Mapping[str, str]) -> Shape:
    config = SHAPES[settings[_MODEL + "path"].rpartition("/")[2]]
    heads = config["hidden_size"] // config["num_attention_heads"]
    return Shape(
        layers=config["num_hidden_layers"],
        hidden=config["hidden_size"],
        inner=config["intermediate_size"],
        kv=config["num_key_value_heads"] * heads,
        vocabulary=config.get("vocab_size", 151936),
        tied=config["tie_word_embeddings"],
    )


def settings_of(run: Run) -> dict[str, str]:
    return settings(run.overrides)


def settings(words: Iterable[str]) -> dict[str, str]:
    """The overrides and options among the words of a command."""
    pairs = (word.lstrip("+").partition("=") for word in words)
    return {key: value for key, sign, value in pairs if sign}


def drawn_for(own: Mapping[str, str], workload: Workload) -> lengths.Lengths:
    """The prompts and responses of a step."""
    return lengths.draw(
        int(own["data.train_batch_size"]),
        int(own[_ROLLOUT + "n"]),
        int(own["data.max_prompt_length"]),
        int(own["data.max_response_length"]),
        median=workload.median,
        shape=workload.lengths,
    )


def training_gpus(run: Mapping[str, Any]) -> int:
    """The GPUs of a run that train: a teacher has others."""
    own = settings(run["overrides"])
    return int(own["trainer.n_gpus_per_node"] if run["kind"] == "program" else run["gpus"])


def of_update(run: Run) -> float | None:
    """GiB at the peak of an update; nothing where the formula does not apply."""
    own = settings_of(run)
    attention = own.get(_MODEL + "override_config.attn_implementation")
    if _is_outside(own) or attention != "flash_attention_2":
        return None
    model, bf16 = shape(own), own.get(_FSDP + "model_dtype") == "bf16"
    optimizer = own.get(_ACTOR + "optim.optimizer", "AdamW")
    state = _STATE.get(optimizer, (16, 8))[bf16] * model.total / run.gpus
    unit = model.unit(fsdp2=own.get(_ACTOR + "strategy") == "fsdp2")
    working = 4 * unit + 12 * model.layer + _tokens(run, own) * model.token(_c(own))
    if own.get(_FSDP + "reshard_after_forward") == "False":
        state += 2 * (model.total - model.unit())
    stepping = (2 if bf16 else 4) * model.total / run.gpus if _copies(own) else 0
    return (state + max(working, 8 * unit, stepping)) / _GIB


@dataclass(frozen=True, slots=True)
class Part:
    """What the GPUs that share sequences train in a step."""

    tokens: float
    samples: float
    shared: int
    equal: bool
    """Whether all responses have one length."""

    @classmethod
    def of(cls, step: Mapping[str, float], answers: int, gpus: int, shared: int) -> Part:
        equal = step["response_mean"] == step["response_max"]
        return cls(step["tokens"] / gpus * shared, answers / gpus * shared, shared, equal)

    def largest(self, minis: float, budget: int) -> float:
        """Tokens of the largest micro-batch on one GPU, if each mini-batch holds as much.

        verl 0.9.1 takes the fewest micro-batches that keep to the budget. It balances their
        tokens, so samples of different lengths fill them evenly; equal ones may leave a rest.
        """
        tokens, samples = self.tokens / minis, self.samples / minis
        if self.equal:
            whole = budget * self.shared // (tokens / samples)
            samples_each = math.ceil(samples / math.ceil(samples / whole))
            return samples_each * tokens / samples / self.shared
        return tokens / math.ceil(tokens / (budget * self.shared)) / self.shared


def of_loop(row: Mapping[str, Any]) -> float | None:
    """GiB at the peak of a whole step of GRPO: of an update, or of a pass without gradients.

    verl fills the micro-batches of a budget evenly; the largest one of all steps counts.
    A micro-batch holds whole samples, which shows where all are of one length.
    """
    run: Mapping[str, Any] = row["run"]
    own = settings(run["overrides"])
    if _MODEL + "lora_rank" in own or own["algorithm.adv_estimator"] != "grpo":
        return None
    if _is_outside(own) or own[_MODEL + "path"].rpartition("/")[2] not in SHAPES:
        return None
    model, gpus = shape(own), training_gpus(run)
    minis = int(own["data.train_batch_size"]) / int(own[_ACTOR + "ppo_mini_batch_size"])
    budget = int(own[_ACTOR + "ppo_max_token_len_per_gpu"])
    passing = int(own.get(_ROLLOUT + "log_prob_max_token_len_per_gpu", budget))
    shared = int(own.get(_FSDP + "ulysses_sequence_parallel_size", "1"))
    answers = int(own["data.train_batch_size"]) * int(own[_ROLLOUT + "n"])
    parts = [Part.of(sample, answers, gpus, shared) for sample in row["samples"]]
    unit = model.unit(fsdp2=own.get(_ACTOR + "strategy") == "fsdp2")
    tokens = max(part.largest(minis, budget) for part in parts)
    working = 4 * unit + 12 * model.layer + tokens * model.token(_c(own))
    share = model.total / gpus
    update = 16 * share + max(working, 8 * unit, 4 * share if _copies(own) else 0)
    bare = 2 * (model.vocabulary + model.hidden)
    forward = 12 * share + 4 * unit + max(part.largest(1, passing) for part in parts) * bare
    return max(update, forward) / _GIB


def _is_outside(own: Mapping[str, str]) -> bool:
    on_the_cpu = own.get(_FSDP + "offload_policy", "False") != "False"
    return on_the_cpu or any(key in own for key in _OUTSIDE)


def _copies(own: Mapping[str, str]) -> bool:
    """Whether the optimizer's step copies the weights: AdamW does, unless it is fused."""
    optimizer = own.get(_ACTOR + "optim.optimizer", "AdamW")
    return optimizer == "AdamW" and own.get(_FUSED) != "True"


def _c(own: Mapping[str, str]) -> int:
    """Bytes of the logits per token and vocabulary entry, at a temperature of 1."""
    if own.get(_ACTOR + "calculate_entropy") != "True":
        return 2
    return 26 if own.get(_FSDP + "use_torch_compile") == "False" else 6


def _tokens(run: Run, own: Mapping[str, str]) -> float:
    """Tokens of the largest micro-batch on the first GPU; verl fills those of a budget evenly."""
    drawn = drawn_for(own, run.workload)
    shared = int(own.get(_FSDP + "ulysses_sequence_parallel_size", "1"))
    part = update.own(drawn, 0, run.gpus, shared)
    whole = [sum(pair) for pair in zip(part.prompts, part.responses, strict=True)]
    if own[_ACTOR + "use_dynamic_bsz"] == "True":
        budget = int(own[_ACTOR + "ppo_max_token_len_per_gpu"]) * shared
        return max(sum(whole) / math.ceil(sum(whole) / budget), *whole) / shared
    size = int(own[_ACTOR + "ppo_micro_batch_size_per_gpu"])
    sums = (sum(whole[first : first + size]) for first in range(0, len(whole), size))
    return max(sums) / shared


def of_cache(run: Run, card: float) -> float:
    """Tokens in a KV cache on GPUs of so many GiB, if nothing but weights is there."""
    own = settings_of(run)
    model, parallel = shape(own), int(own[_ROLLOUT + "tensor_model_parallel_size"])
    outside = model.unit()
    small = own.get(_ROLLOUT + "quantization") == "fp8"  # embedding and head stay in bf16
    weights = (2 - small) * (model.total - outside) + 2 * outside
    room = float(own[_ROLLOUT + "gpu_memory_utilization"]) * card * _GIB - weights / parallel
    return room / (2 * model.layers * model.kv * 2 / parallel)


def updates(known: Sequence[measured.Row]) -> Iterator[tuple[Variant, Estimate]]:
    """Each run once whose update the formula covers."""
    for variant in _variants("update"):
        estimate = of_update(variant.run)
        found = rows.figure(known, variant.run.digest, "update_peak_gib")
        if estimate and found:
            yield variant, Estimate(estimate, found.median)


def caches(known: Sequence[measured.Row]) -> Iterator[tuple[Variant, Estimate]]:
    """Each run once that says how large its cache was."""
    for variant in _variants("engine"):
        for row in known:
            cache = (
                row.get("once", {}).get("cache") if row["digest"] == variant.run.digest else None
            )
            if cache:
                asked = float(settings_of(variant.run)[_ROLLOUT + "gpu_memory_utilization"])
                card = cache["requested_gib"] / asked
                yield variant, Estimate(of_cache(variant.run, card), cache["kv_tokens"])
                break


def loops(known: Sequence[measured.Row]) -> Iterator[tuple[Variant, Estimate]]:
    """Each whole step once that the formulas cover, with the highest peak of its first row."""
    for variant in _variants("program"):
        for row in known:
            told = row["digest"] == variant.run.digest and row["status"] == "ok"
            if told and variant.run.program == "verl.trainer.main_ppo":
                estimate = of_loop(row)
                if estimate:
                    peaks = [sample["update_peak_gib"] for sample in row["samples"]]
                    yield variant, Estimate(estimate, max(peaks))
                break


def _variants(kind: str) -> Iterator[Variant]:
    found: dict[str, Variant] = {}
    for experiment in declared.experiments():
        for variant in experiment.variants:
            if variant.run.kind == kind:
                found.setdefault(variant.run.digest, variant)
    yield from found.values()


class EstimatesDirective(SphinxDirective):
    """A table of estimates beside what was measured: of `updates`, `loops` or `caches`."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        kinds: dict[str, Any] = {
            "updates": (updates, _("GiB, estimate"), _("GiB, measured"), "{:.1f}"),
            "loops": (loops, _("GiB, estimate"), _("GiB, measured"), "{:.1f}"),
            "caches": (caches, _("Tokens, estimate"), _("Tokens, measured"), "{:,.0f}"),
        }
        if self.arguments[0] not in kinds:
            raise self.error(f"estimates are of {', '.join(kinds)}")
        found, estimated, told, style = kinds[self.arguments[0]]
        lines = [*found(measured.read(self.env))]
        if not lines:
            raise self.error(f"no {self.arguments[0]} were measured")
        return [
            tables.table(
                [_("Model"), _("GPUs"), _("Setting"), estimated, told, _("Error")],
                [14, 7, 40, 12, 12, 10],
                [
                    tables.row(
                        [
                            [literal(settings_of(variant.run)[_MODEL + "path"].rpartition("/")[2])],
                            [nodes.Text(f"{training_gpus(asdict(variant.run))}")],
                            [self._link(variant)],
                            [nodes.Text(style.format(each.estimated))],
                            [nodes.Text(style.format(each.measured))],
                            [nodes.Text(f"{each.error:+.1%}")],
                        ]
                    )
                    for variant, each in lines
                ],
                "measured",
            )
        ]

    def _link(self, variant: Variant) -> nodes.Node:
        changed = [*map(measured.short, variant.changes)]
        if variant.base.startswith("recipe-"):  # several bases stand in one table
            changed = [*dict.fromkeys((variant.base, *(c for c in changed if "base=" not in c)))]
        return measured.run_link(variant.run.digest, changed, self.env)
