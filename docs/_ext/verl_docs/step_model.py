"""What the parts of a step take on one kind of card, fitted to the runs that were measured there.

Each part is a sum of a few quantities that the settings give, such as the weights that the engine
reads, each with a factor that is not negative. `held_out` says how far off such a sum is for a run
that was not among those of the fit, and for the runs of another card.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from gpu_bench import declared
from gpu_bench.declared import Variant, Workload
from verl_docs.calculators import model as formulas
from verl_docs.calculators import presets
from verl_docs.estimated import Shape, drawn_for, settings, shape, training_gpus

CARD = "NVIDIA H100 80GB HBM3"
# What NVIDIA says of this card: bytes a second of its memory, and operations in bf16.
BANDWIDTH, PEAK = 3.35e12, 989e12
FILLED = 0.25  # of the most tokens that a prompt, a response or a conversation may have
_ROLLOUT = "actor_rollout_ref.rollout."
_ACTOR = "actor_rollout_ref.actor."
_FSDP = _ACTOR + "fsdp_config."
_MODEL = "actor_rollout_ref.model."
PPO = "verl.trainer.main_ppo"
# Settings that change what a token costs: their runs are no measure of the others.
_SPECIAL = (
    *(_MODEL + key for key in ("use_liger", "use_fused_kernels", "enable_gradient_checkpointing")),
    *(_MODEL + key for key in ("enable_activation_offload", "use_remove_padding")),
    *(_FSDP + key for key in ("offload_policy", "optimizer_offload", "model_dtype")),
    *(_FSDP + key for key in ("use_no_sync_for_gradient_accumulation", "reshard_after_forward")),
    *(_ACTOR + key for key in ("calculate_entropy", "optim.optimizer")),
    *(_ROLLOUT + key for key in ("enforce_eager", "quantization", "nnodes")),
    *("data.image_key", "model_engine"),
)

Row = Mapping[str, Any]
Terms = tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Model:
    """`active` are the parameters that one token uses, `cache` the bytes of its keys and values."""

    parameters: float
    active: float
    layers: int
    hidden: int
    cache: float


def of_shape(own: Shape) -> Model:
    return Model(own.total, own.total, own.layers, own.hidden, 4 * own.layers * own.kv)


def of_name(path: str) -> Model:
    """A model that the calculators know, by the last part of its path; of images, its text part."""
    name = path.rpartition("/")[2].removesuffix("-Instruct").replace("-VL-", "-")
    for preset in presets.MODELS:
        if preset.name == name:
            v = preset.values
            inactive = v["layers"] * 3 * (v["experts"] - v["active"]) * v["hidden"]
            whole = formulas.whole(v)
            return Model(
                whole,
                whole - inactive * v["feed_forward"],
                int(v["layers"]),
                int(v["hidden"]),
                4 * v["layers"] * v["kv_heads"] * v["head_size"],
            )
    raise LookupError(f"the shape of {name} is not known; add it to the presets")


@dataclass(frozen=True, slots=True)
class Job:
    """What a step does; without `loop`, a part of it alone in a process of its own."""

    model: Model
    gpus: int
    responses: int
    prompt: float
    answer: float
    longest: float
    """Tokens of the longest response."""
    engine: int = 1
    """GPUs of an engine."""
    at_once: int = 256
    """Responses that an engine takes at a time."""
    minis: float = 1
    """Optimizer steps."""
    budget: float = 16384
    forward_budget: float = 16384
    others: int = 0
    """Passes without gradients beside the one for old log-probabilities."""
    updates: int = 1
    loop: bool = True

    @property
    def length(self) -> float:
        return self.prompt + self.answer

    @property
    def tokens(self) -> float:
        return self.responses * self.length


def generation(job: Job) -> Terms:
    """Iterations of an engine, the bytes that it reads, its tokens in a loop, its arithmetic."""
    share = job.responses * job.engine / job.gpus
    tokens = share * job.answer
    rounds = tokens / min(job.at_once, share) + job.longest - job.answer
    read = 2 * job.model.parameters * rounds + tokens * job.length * job.model.cache
    return (
        rounds,
        read / job.engine,
        tokens * job.loop,
        tokens * job.model.parameters / job.engine,
    )


def forward(job: Job) -> Terms:
    return _training(job, job.forward_budget, 1)


def update(job: Job) -> Terms:
    return (*_training(job, job.budget, job.minis), float(job.loop))


def weights(job: Job) -> Terms:
    """The bytes that each engine gets."""
    return (2 * job.model.parameters,)


def _training(job: Job, budget: float, minis: float) -> Terms:
    """Operations of a forward pass on a GPU, layers that are run, tokens in a loop.

    Attention counts by the length of the sequence that a token stands in: on average twice the
    mean where lengths are uneven, as those of the bench are, and the mean where they are even.
    """
    share = job.tokens / job.gpus
    length = min(2 * job.length, job.prompt + job.longest)
    operations = 2 * job.model.parameters + 2 * job.model.layers * job.model.hidden * length
    batches = minis * math.ceil(share / minis / budget)
    return share * operations, float(batches * job.model.layers), share * job.loop


def of_settings(own: Mapping[str, str], model: Model, gpus: int) -> Job:
    """The work of a step, with prompts and responses at a part of their limits."""
    budget = own.get(_ACTOR + "ppo_max_token_len_per_gpu", "16384")
    size = int(own["data.train_batch_size"])
    critic = own["algorithm.adv_estimator"] == "gae"
    reference = "True" in (own.get(_ACTOR + "use_kl_loss"), own.get("algorithm.use_kl_in_reward"))
    longest = int(own["data.max_response_length"])
    return Job(
        model=model,
        gpus=gpus,
        responses=size * int(own.get(_ROLLOUT + "n", "1")),
        prompt=int(own["data.max_prompt_length"]) * FILLED,
        answer=longest * FILLED,
        longest=longest,
        engine=int(own.get(_ROLLOUT + "tensor_model_parallel_size", "2"))
        * int(own.get(_ROLLOUT + "data_parallel_size", "1")),
        at_once=int(own.get(_ROLLOUT + "max_num_seqs", "256"))
        * int(own.get(_ROLLOUT + "data_parallel_size", "1")),
        minis=size / int(own[_ACTOR + "ppo_mini_batch_size"]),
        budget=int(budget),
        forward_budget=int(own.get(_ROLLOUT + "log_prob_max_token_len_per_gpu", budget)),
        others=reference + critic,
        updates=1 + critic,
    )


def of_row(row: Row) -> Job:
    """The work of a run that was measured: its lengths are those that it had."""
    run = row["run"]
    own = settings(run["overrides"])
    job = of_settings(own, of_shape(shape(own)), training_gpus(run))
    if run["kind"] == "program":
        answer = _median(row, "response_mean")
        prompt = _median(row, "tokens") / job.responses - answer
        return replace(job, prompt=prompt, answer=answer, longest=_median(row, "response_max"))
    drawn = drawn_for(own, Workload(**run["workload"]))
    return replace(
        job,
        prompt=statistics.fmean(drawn.prompts),
        answer=statistics.fmean(drawn.responses),
        longest=max(drawn.responses),
        loop=False,
    )


def _median(row: Row, measure: str) -> float:
    """Of the steps that have it: a critic may learn for some steps before the actor does."""
    found = [each[measure] for each in row["samples"] if each.get(measure) is not None]
    return float(statistics.median(found))


@dataclass(frozen=True, slots=True)
class Phase:
    """A part of a step: its quantities, and by which figure of which kinds of runs it is known."""

    terms: Callable[[Job], Terms]
    figures: Mapping[str, str]
    adapters: bool = True
    """Whether a run with LoRA counts."""


PHASES = {
    "generation": Phase(generation, {"engine": "seconds", "program": "gen_s"}),
    "forward": Phase(forward, {"update": "log_prob_s", "program": "log_prob_s"}),
    "update": Phase(update, {"update": "update_s", "program": "update_s"}),
    "weights": Phase(weights, {"program": "weights_s"}, adapters=False),
}


def usable(row: Row, phase: Phase) -> bool:
    """Whether a row is a measure of a phase in an ordinary run."""
    run, own = row["run"], settings(row["run"]["overrides"])
    kind = run["kind"]
    if row["status"] != "ok" or run["program"] != PPO or kind not in phase.figures:
        return False
    if own[_ROLLOUT + "name"] != "vllm":
        return False
    # Alone, a small model with adapters was slower than in full: the page of measurements has it.
    if _MODEL + "lora_rank" in own and (kind == "update" or not phase.adapters):
        return False
    attention = own.get(_MODEL + "override_config.attn_implementation", "flash_attention_2")
    fixed = own.get(_ACTOR + "use_dynamic_bsz") != "True"
    passes = not (phase.terms is forward and "algorithm.rollout_correction.bypass_mode" in own)
    return passes and not (
        any(key in own for key in _SPECIAL) or fixed or attention != "flash_attention_2"
    )


def measured(row: Row, name: str) -> float:
    """Seconds that a phase took in a run."""
    return _median(row, PHASES[name].figures[row["run"]["kind"]])


@dataclass(frozen=True, slots=True)
class Point:
    """What a row says of a phase."""

    digest: str
    terms: Terms
    seconds: float


@dataclass(frozen=True)
class Fit:
    """What the rows of a card say of each phase, and the factors that follow from it."""

    points: Mapping[str, tuple[Point, ...]]

    @classmethod
    def of(cls, known: Iterable[Row]) -> Fit:
        rows = [*known]
        return cls({name: (*_points(rows, name),) for name in PHASES})

    def without(self, digest: str) -> Fit:
        return Fit(
            {
                name: tuple(point for point in found if point.digest != digest)
                for name, found in self.points.items()
            }
        )

    @cached_property
    def factors(self) -> Mapping[str, Terms]:
        if not all(self.points.values()):
            raise LookupError("no row says how long a part of a step takes")
        return {
            name: solved([point.terms for point in found], [point.seconds for point in found])
            for name, found in self.points.items()
        }

    def seconds(self, name: str, job: Job) -> float:
        pairs = zip(self.factors[name], PHASES[name].terms(job), strict=True)
        return sum(factor * term for factor, term in pairs)

    def step(self, job: Job) -> float:
        """The whole step; the critic's update is taken for one of the actor."""
        return (
            self.seconds("generation", job)
            + self.seconds("forward", job) * (1 + job.others)
            + self.seconds("update", job) * job.updates
            + self.seconds("weights", job)
        )


def _points(known: Iterable[Row], name: str) -> Iterator[Point]:
    phase = PHASES[name]
    for row in known:
        if usable(row, phase):
            yield Point(row["digest"], phase.terms(of_row(row)), measured(row, name))


def solved(terms: Sequence[Terms], seconds: Sequence[float]) -> Terms:
    """The factors, none negative, with the least squares of the relative errors."""
    scaled = [[each / time for each in own] for own, time in zip(terms, seconds, strict=True)]
    left = [column for column in range(len(terms[0])) if any(own[column] for own in scaled)]
    while True:
        found = _least_squares([[own[column] for column in left] for own in scaled])
        if min(found) >= 0:
            break
        del left[found.index(min(found))]
    by_column = dict(zip(left, found, strict=True))
    return tuple(by_column.get(column, 0.0) for column in range(len(terms[0])))


def _least_squares(rows: Sequence[Sequence[float]]) -> list[float]:
    """Factors that bring each row as near to 1 as can be: the normal equations, eliminated."""
    size = len(rows[0])
    # Quantities are as different as layers and bytes: each counts in units of its own.
    units = [max(abs(row[column]) for row in rows) for column in range(size)]
    unified = [[each / unit for each, unit in zip(row, units, strict=True)] for row in rows]
    matrix = [
        [sum(row[i] * row[j] for row in unified) for j in range(size)]
        + [sum(row[i] for row in unified)]
        for i in range(size)
    ]
    for i in range(size):
        best = max(range(i, size), key=lambda number: abs(matrix[number][i]))
        matrix[i], matrix[best] = matrix[best], matrix[i]
        matrix[i] = [each / matrix[i][i] for each in matrix[i]]
        for other in range(size):
            if other != i:
                factor = matrix[other][i]
                matrix[other] = [
                    a - factor * b for a, b in zip(matrix[other], matrix[i], strict=True)
                ]
    return [row[-1] / unit for row, unit in zip(matrix, units, strict=True)]


def on_card(known: Iterable[Row], card: str = CARD) -> tuple[Row, ...]:
    return tuple(row for row in known if row["environment"]["gpus"][0].startswith(card))


@dataclass(frozen=True, slots=True)
class Held:
    """A whole step that was measured, beside what a fit without it says."""

    variant: Variant
    card: str
    estimated: Mapping[str, float]
    measured: Mapping[str, float]

    @property
    def ratio(self) -> float:
        return self.measured["step"] / self.estimated["step"]


def held_out(known: Sequence[Row]) -> Iterator[Held]:
    """Each whole step, on the card and on others, by the fit of the card without the same run."""
    whole = Fit.of(on_card(known))
    seen: set[tuple[str, str]] = set()
    for experiment in declared.experiments():
        for variant in experiment.variants:
            digest = variant.run.digest
            for row in known:
                card = row["environment"]["gpus"][0].partition(",")[0]
                if row["digest"] == digest and (digest, card) not in seen and _whole_step(row):
                    seen.add((digest, card))
                    yield _held(variant, card, whole.without(digest), known)


def _whole_step(row: Row) -> bool:
    return row["run"]["kind"] == "program" and usable(row, PHASES["forward"])


def _held(variant: Variant, card: str, fit: Fit, known: Sequence[Row]) -> Held:
    """Of several rows of a run, what each of them is estimated at and measured, in the median."""
    digest = variant.run.digest
    own = [row for row in on_card(known, card) if row["digest"] == digest and row["status"] == "ok"]
    jobs = [of_row(row) for row in own]
    shown = [name for name in PHASES if name != "weights"]
    return Held(
        variant,
        card,
        {
            **{name: statistics.median(fit.seconds(name, job) for job in jobs) for name in shown},
            "step": statistics.median(fit.step(job) for job in jobs),
        },
        {
            **{name: statistics.median(measured(row, name) for row in own) for name in shown},
            "step": statistics.median(_median(row, "step_s") for row in own),
        },
    )


def spread(known: Sequence[Row]) -> tuple[float, float]:
    """How much shorter and longer than its estimate a step of the card was, at the most."""
    ratios = [each.ratio for each in held_out(known) if each.card == CARD]
    return min(ratios), max(ratios)
