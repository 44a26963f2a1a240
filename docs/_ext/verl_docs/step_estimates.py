"""How long a step of a recipe may take, from the measured speeds of its parts.

Each part has one measured speed, of a 7B model on one H100; other models take as much longer as
they have more parameters. What the sum leaves out shows in the runs that were measured whole.
"""

from __future__ import annotations

import shlex
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

from gpu_bench import declared, rows
from gpu_bench.declared import Variant
from verl_docs import measured, tables
from verl_docs.estimated import settings, shape
from verl_docs.interface import _
from verl_docs.keys import ref_link
from verl_docs.tables import literal

CARD = "NVIDIA H100 80GB HBM3"
MODEL = 7.62e9  # parameters of the model whose parts were measured
# The runs whose speeds are taken: an update and a pass without gradients, and generation.
TRAINING = ("fsdp-7b", 1)
GENERATION = ("max-num-seqs", 0)
# Parameters by the name of a model; the page "Recipes" has the same table.
PARAMETERS = {
    "Qwen2.5-1.5B": 1.54e9,
    "Qwen2.5-7B": 7.62e9,
    "Qwen2.5-14B": 14.8e9,
    "Qwen2.5-32B": 32.8e9,
}
FILLED = 0.25  # of the most tokens that a prompt, a response or a conversation may have
_ROLLOUT = "actor_rollout_ref.rollout."
_ACTOR = "actor_rollout_ref.actor."


@dataclass(frozen=True, slots=True)
class Speeds:
    """Tokens a second on one GPU, with a model of `MODEL` parameters."""

    generation: float
    forward: float
    update: float


@dataclass(frozen=True, slots=True)
class Work:
    """What a step does: tokens of the prompts and of what is generated, passes, updates."""

    parameters: float
    gpus: int
    prompts: float
    generated: float
    forwards: int = 1
    updates: int = 1


@dataclass(frozen=True, slots=True)
class Parts:
    """Seconds of a step by its parts."""

    generation: float
    forwards: float
    updates: float

    @property
    def total(self) -> float:
        return self.generation + self.forwards + self.updates


def speeds(known: Sequence[measured.Row]) -> Speeds:
    """The measured speeds; raises LookupError where a row is missing."""
    own = _on_card(known)
    runs = {
        each.name: [variant.run for variant in each.variants] for each in declared.experiments()
    }

    def speed(run: tuple[str, int], measure: str) -> float:
        name, number = run
        figure = rows.figure(own, runs[name][number].digest, measure)
        if figure is None:
            raise LookupError(f"no row on {CARD} for {name}, run {number + 1}")
        return figure.median

    return Speeds(
        generation=speed(GENERATION, "tokens_per_s"),
        forward=speed(TRAINING, "log_prob_tokens_per_s"),
        update=speed(TRAINING, "tokens_per_s"),
    )


def _on_card(known: Sequence[measured.Row]) -> list[measured.Row]:
    return [row for row in known if row["environment"]["gpus"][0].startswith(CARD)]


def parts(work: Work, own: Speeds) -> Parts:
    """The seconds of each part, if nothing waits for anything."""
    slower = work.parameters / MODEL / work.gpus
    tokens = work.prompts + work.generated
    return Parts(
        generation=work.generated * slower / own.generation,
        forwards=work.forwards * tokens * slower / own.forward,
        updates=work.updates * tokens * slower / own.update,
    )


def of_script(script: Path) -> Work:
    """What a step of a recipe does, with every prompt and response filled to `FILLED`."""
    own = settings(shlex.split(script.read_text("utf-8"), comments=True))
    if "data.max_length" in own:
        gpus = int(own["--nproc_per_node"])
        size = int(own["data.train_batch_size"]) * int(own["data.max_length"]) * FILLED
        return Work(_parameters(own["model.path"]), gpus, size, 0, forwards=0)
    gpus = int(own["trainer.nnodes"]) * int(own["trainer.n_gpus_per_node"])
    return _work(
        own,
        _parameters(own["actor_rollout_ref.model.path"]),
        gpus,
        int(own["data.max_prompt_length"]) * FILLED,
        int(own["data.max_response_length"]) * FILLED,
    )


def of_row(row: measured.Row) -> tuple[Work, float]:
    """What a step of a measured run did, and its seconds; medians of its steps."""
    own = settings(row["run"]["overrides"])
    responses = int(own["data.train_batch_size"]) * int(own[_ROLLOUT + "n"])
    samples = row["samples"]
    answers = statistics.median(each["response_mean"] for each in samples)
    whole = statistics.median(each["tokens"] for each in samples) / responses
    model = shape(own).total
    work = _work(own, model, row["run"]["gpus"], whole - answers, answers)
    return work, statistics.median(each["step_s"] for each in samples)


def _work(
    own: Mapping[str, str], parameters: float, gpus: int, prompt: float, answer: float
) -> Work:
    responses = int(own["data.train_batch_size"]) * int(own.get(_ROLLOUT + "n", "1"))
    critic = own["algorithm.adv_estimator"] == "gae"
    reference = "True" in (
        own.get(_ACTOR + "use_kl_loss"),
        own.get("algorithm.use_kl_in_reward"),
    )
    return Work(
        parameters,
        gpus,
        prompts=responses * prompt,
        generated=responses * answer,
        forwards=1 + reference + critic,
        updates=1 + critic,
    )


def _parameters(path: str) -> float:
    name = path.rpartition("/")[2].removesuffix("-Instruct")
    if name not in PARAMETERS:
        raise LookupError(f"the parameters of {name} are not known; add them to PARAMETERS")
    return PARAMETERS[name]


class StepsDirective(SphinxDirective):
    """Estimated seconds of a step: of the recipes named, beside the page.

    With `measured` in place of names, of the reduced recipes, beside what they took.
    """

    required_arguments = 1
    final_argument_whitespace = True

    def run(self) -> list[nodes.Node]:
        try:
            return [self._table(measured.read(self.env), self.arguments[0].split())]
        except (LookupError, OSError) as error:
            raise self.error(str(error)) from None

    def _table(self, known: Sequence[measured.Row], names: Sequence[str]) -> nodes.table:
        own = speeds(known)
        heads = [_("Recipe"), "GPU", _("Million tokens"), _("Generation")]
        heads += [_("Other passes"), _("Updates"), _("Sum")]
        if names == ["measured"]:
            lines = [self._measured(variant, row, own) for variant, row in reduced(known)]
            heads.append(_("Measured"))
        else:
            lines = [_speeds(own), *(self._recipe(name, own) for name in names)]
        return tables.table(heads, [20, 7] + [12] * (len(heads) - 2), lines, "step-estimates")

    def _recipe(self, name: str, own: Speeds) -> nodes.row:
        _relative, script = self.env.relfn2path(f"{name}.sh")
        self.env.note_dependency(script)
        docname = self.env.current_document.docname
        work = of_script(Path(script))
        return _row(ref_link(f"recipe-{name}", docname), work, parts(work, own))

    def _measured(self, variant: Variant, row: measured.Row, own: Speeds) -> nodes.row:
        work, seconds = of_row(row)
        label = measured.label_of(row["digest"])
        link = ref_link(label, self.env.current_document.docname, " ")
        link.children = [nodes.inline("", "", literal(variant.base))]
        return _row(link, work, parts(work, own), seconds)


def _speeds(own: Speeds) -> nodes.row:
    """The line of the speeds that the others are made of."""
    told = ["1", "", *(f"{each:,.0f}" for each in (own.generation, own.forward, own.update)), ""]
    return tables.row([[nodes.Text(each)] for each in (_("Measured: tokens/s"), *told)])


def _row(name: nodes.Node, work: Work, found: Parts, seconds: float | None = None) -> nodes.row:
    told = [found.generation, found.forwards, found.updates, found.total]
    figures = [f"{work.gpus}", f"{(work.prompts + work.generated) / 1e6:.2f}"]
    figures += [f"{each:,.1f} s" if each < 10 else f"{each:,.0f} s" for each in told]
    if seconds is not None:
        figures.append(f"{seconds:.1f} s")
    return tables.row([[name], *([nodes.Text(figure)] for figure in figures)])


def reduced(known: Sequence[measured.Row]) -> list[tuple[Variant, measured.Row]]:
    """The reduced recipes that were measured on the card of the speeds, each with its last row."""
    found = {row["digest"]: row for row in _on_card(known) if row["status"] == "ok"}
    by_name = {each.name: each for each in declared.experiments()}
    first = [*by_name["recipes"].variants, *by_name["recipes-critic-lora"].variants]
    first.append(by_name["high-throughput"].variants[0])
    return [(each, found[each.run.digest]) for each in first if each.run.digest in found]
