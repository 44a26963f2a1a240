"""How long a step of a recipe may take: each part, and what its figure rests on."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from pathlib import Path

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

from gpu_bench import declared
from verl_docs import measured, step_model, tables
from verl_docs.estimated import settings
from verl_docs.interface import _
from verl_docs.keys import ref_link
from verl_docs.step_model import BANDWIDTH, CARD, FILLED, PEAK, Fit, Held, Job, Model

_UNIT = "\N{NO-BREAK SPACE}s"
_ROLLOUT = "actor_rollout_ref.rollout."
_TEACHER = "distillation.teacher_models.teacher_model."
_OFFLOAD = "actor_rollout_ref.actor.fsdp_config.offload_policy"
_OFFLOADED = "recipe-tight-memory"
"""The experiment whose first run has the state on the CPU."""


class Basis(Enum):
    """What a figure rests on."""

    FITTED = "fitted"
    SCALED = "scaled"
    ONE_ROW = "one row"
    BOUND = "bound"
    ABSENT = "absent"


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a step; `beside` others it adds nothing to their sum."""

    name: str
    seconds: float
    basis: Basis
    beside: bool = False


@dataclass(frozen=True, slots=True)
class Step:
    """The parts of a recipe's step in their order."""

    gpus: int
    tokens: float
    parts: tuple[Part, ...]

    @property
    def total(self) -> float:
        return sum(part.seconds for part in self.parts if not part.beside)

    @property
    def is_bound(self) -> bool:
        return any(part.basis is Basis.BOUND and not part.beside for part in self.parts)

    @property
    def is_fitted(self) -> bool:
        """Whether the range of the runs that were held out says something about the sum."""
        sure = (Basis.FITTED, Basis.SCALED)
        return all(part.basis in sure for part in self.parts if not part.beside)


def of_script(script: Path, known: Sequence[measured.Row]) -> Step:
    """A step of a recipe, by what its script asks for."""
    own = settings(shlex.split(script.read_text("utf-8"), comments=True))
    fit = Fit.of(step_model.on_card(known))
    if "data.max_length" in own:
        return _supervised(own, fit)
    gpus = int(own["trainer.nnodes"]) * int(own["trainer.n_gpus_per_node"])
    model = step_model.of_name(own["actor_rollout_ref.model.path"])
    job = step_model.of_settings(own, model, gpus)
    if own.get("model_engine") == "megatron":
        return Step(gpus, job.tokens, (*_bounds(job),))
    teacher = [*_teacher(own, job)]
    told = offloaded(job, fit, known) if own.get(_OFFLOAD) == "True" else _fitted(job, fit)
    adapter = "actor_rollout_ref.model.lora_rank" in own
    parts = [
        replace(part, seconds=0, basis=Basis.ABSENT) if adapter and part.name == "weights" else part
        for part in told
    ]
    if "data.image_key" in own:
        parts.append(Part("encoder", 0, Basis.ABSENT))
    return Step(gpus, job.tokens, (*parts, *teacher))


def _fitted(job: Job, fit: Fit) -> Iterator[Part]:
    yield Part("generation", fit.seconds("generation", job), Basis.FITTED)
    forward = fit.seconds("forward", job)
    yield Part("forward", forward, Basis.FITTED)
    if job.others:
        yield Part("others", job.others * forward, Basis.FITTED)
    yield Part("update", job.updates * fit.seconds("update", job), Basis.FITTED)
    yield Part("weights", fit.seconds("weights", job), Basis.SCALED)


def offloaded(job: Job, fit: Fit, known: Sequence[measured.Row]) -> Iterator[Part]:
    """What the state on the CPU costs in addition is what one run took beyond its estimate.

    It counts for each parameter of a GPU: once a pass, and in an update once an optimizer step.
    """
    row = _offloaded_row(known)
    done = step_model.of_row(row)

    def extra(name: str, times: float) -> float:
        more = step_model.measured(row, name) - fit.seconds(name, done)
        share = job.model.parameters / job.gpus * done.gpus / done.model.parameters
        return more * share * times

    more = {
        "forward": extra("forward", 1),
        "others": extra("forward", job.others),
        "update": extra("update", job.updates * job.minis / done.minis),
    }
    for part in _fitted(job, fit):
        if part.name in more:
            part = replace(part, seconds=part.seconds + more[part.name], basis=Basis.ONE_ROW)
        yield part


def _offloaded_row(known: Sequence[measured.Row]) -> measured.Row:
    [experiment] = declared.chosen(declared.experiments(), [_OFFLOADED])
    digest = experiment.variants[0].run.digest
    for row in known:
        if row["digest"] == digest and row["status"] == "ok":
            return row
    raise LookupError(f"{_OFFLOADED} was not measured")


def _bounds(job: Job) -> Iterator[Part]:
    """The least that the card's bandwidth and arithmetic allow.

    As long as an engine is full, each iteration reads all experts; after that, those of one token.
    """
    model = job.model
    share = job.responses * job.engine / job.gpus
    full = share * job.answer / min(job.at_once, share)
    read = 2 * model.parameters * full + 2 * model.active * (job.longest - job.answer)
    read += share * job.answer * job.length * model.cache
    computed = 2 * model.active * job.tokens / job.gpus / PEAK
    written = 2 * model.active * job.responses * job.answer / job.gpus / PEAK
    yield Part("generation", max(read / job.engine / BANDWIDTH, written), Basis.BOUND)
    yield Part("forward", computed, Basis.BOUND)
    # A layer is computed once more on the way back, which costs twice a way forth.
    yield Part("update", 4 * computed, Basis.BOUND)
    yield Part("weights", 0, Basis.ABSENT)


def _teacher(own: Mapping[str, str], job: Job) -> Iterator[Part]:
    """The teacher reads each sequence on GPUs of its own, while others are written."""
    if own.get("distillation.enabled") == "True":
        model: Model = step_model.of_name(own[_TEACHER + "model_path"])
        gpus = int(own["distillation.nnodes"]) * int(own["distillation.n_gpus_per_node"])
        least = 2 * model.active * job.tokens / gpus / PEAK
        yield Part("teacher", least, Basis.BOUND, beside=True)


def _supervised(own: Mapping[str, str], fit: Fit) -> Step:
    gpus = int(own["--nproc_per_node"])
    job = Job(
        step_model.of_name(own["model.path"]),
        gpus,
        responses=int(own["data.train_batch_size"]),
        prompt=0,
        answer=int(own["data.max_length"]) * FILLED,
        longest=int(own["data.max_length"]),
        budget=int(own["data.max_token_len_per_gpu"]),
        loop=False,
    )
    return Step(gpus, job.tokens, (Part("update", fit.seconds("update", job), Basis.FITTED),))


def _named(name: str) -> str:
    return {
        "generation": _("Generation"),
        "forward": _("Old log-probabilities"),
        "others": _("Reference model, values"),
        "update": _("Updates"),
        "weights": _("Weight sync"),
        "teacher": _("Teacher, while responses come in"),
        "encoder": _("Vision encoder"),
    }[name]


def _based(basis: Basis) -> str:
    return {
        Basis.FITTED: _("fitted to measured runs"),
        Basis.SCALED: _("scaled by the bytes of the weights; measured with a 1.5B model alone"),
        Basis.ONE_ROW: _("the same, and what one measured run adds"),
        Basis.BOUND: _("least time by the card's data sheet; nothing like it was measured"),
        Basis.ABSENT: _("nothing measured to start from; not in the sum"),
    }[basis]


def _of_sum(step: Step) -> str:
    if step.is_bound or not step.is_fitted:
        return _("the sum")
    return _("the sum; the range is that of measured runs around their estimates")


def _seconds(value: float) -> str:
    return f"{value:,.1f}" + _UNIT if value < 10 else f"{value:,.0f}" + _UNIT


def _told(part: Part) -> str:
    if part.basis is Basis.ABSENT:
        return "–"
    return ("≥\N{NO-BREAK SPACE}" if part.basis is Basis.BOUND else "") + _seconds(part.seconds)


def _sum(step: Step, reach: tuple[float, float]) -> str:
    """The range that the runs which were held out had around their estimates, where it applies."""
    if step.is_bound:
        return "≥\N{NO-BREAK SPACE}" + _seconds(step.total)
    if not step.is_fitted:
        return "≈\N{NO-BREAK SPACE}" + _seconds(step.total)
    least, most = (_seconds(step.total * each).removesuffix(_UNIT) for each in reach)
    return f"{least}–{most}{_UNIT}"


def _beside(estimated: float, measured: float) -> str:
    return f"{estimated:.1f}\N{NO-BREAK SPACE}/\N{NO-BREAK SPACE}{measured:.1f}"


def _off(share: float) -> str:
    """A signed share in percent, as the pages write it."""
    number = f"{100 * share:+.0f}".replace("-", "\N{MINUS SIGN}")
    return f"{number}\N{NO-BREAK SPACE}%"


class StepsDirective(SphinxDirective):
    """Estimated seconds of a step.

    With the name of one recipe, its parts and what each rests on; with several, a line for each;
    with `measured`, the whole steps that were measured beside what a fit without them says.
    """

    required_arguments = 1
    final_argument_whitespace = True

    def run(self) -> list[nodes.Node]:
        names = self.arguments[0].split()
        try:
            known = measured.read(self.env)
            if names == ["measured"]:
                return [self._held(known)]
            if len(names) == 1:
                return [self._parts(self._step(names[0], known), step_model.spread(known))]
            return [self._overview(names, known)]
        except (LookupError, OSError, StopIteration) as error:
            raise self.error(str(error)) from None

    def _step(self, name: str, known: Sequence[measured.Row]) -> Step:
        _relative, script = self.env.relfn2path(f"{name}.sh")
        self.env.note_dependency(script)
        return of_script(Path(script), known)

    def _parts(self, step: Step, reach: tuple[float, float]) -> nodes.table:
        lines = [(_named(part.name), _told(part), _based(part.basis)) for part in step.parts]
        lines.append((_("A step"), _sum(step, reach), _of_sum(step)))
        return tables.table(
            [_("Part"), _("Estimate"), _("What it rests on")],
            [25, 15, 60],
            [tables.row([[nodes.Text(cell)] for cell in line]) for line in lines],
            "step-estimates",
        )

    def _overview(self, names: Sequence[str], known: Sequence[measured.Row]) -> nodes.table:
        reach = step_model.spread(known)
        shown = ("generation", "forward", "others", "update", "weights")
        heads = [_("Recipe"), "GPU", _("Million tokens"), *map(_named, shown), _("A step")]
        lines = []
        for name in names:
            step = self._step(name, known)
            by_name = {part.name: _told(part) for part in step.parts}
            link = ref_link(f"recipe-{name}", self.env.current_document.docname)
            cells = [f"{step.gpus}", f"{step.tokens / 1e6:.2f}"]
            cells += [by_name.get(each, "") for each in shown]
            cells.append(_sum(step, reach))
            lines.append(tables.row([[link], *([nodes.Text(cell)] for cell in cells)]))
        return tables.table(heads, [20, 6] + [11] * (len(heads) - 2), lines, "step-estimates")

    def _held(self, known: Sequence[measured.Row]) -> nodes.table:
        found = sorted(step_model.held_out(known), key=lambda each: each.card != CARD)
        if not found:
            raise LookupError("no whole step was measured")
        shown = ("generation", "forward", "update")
        heads = [_("Run"), "GPU", *map(_named, shown), _("A step"), _("Error")]
        return tables.table(
            heads,
            [26, 8, 14, 14, 14, 14, 8],
            [self._held_row(each, (*shown, "step")) for each in found],
            "step-estimates",
        )

    def _held_row(self, held: Held, shown: Sequence[str]) -> nodes.row:
        changed = dict.fromkeys((held.variant.base, *map(measured.short, held.variant.changes)))
        link = measured.run_link(held.variant.run.digest, changed, self.env)
        card = held.card.removeprefix("NVIDIA ").partition(" ")[0]
        cells = [card]
        cells += [_beside(held.estimated[name], held.measured[name]) for name in shown]
        cells.append(_off(1 / held.ratio - 1))
        return tables.row([[link], *([nodes.Text(cell)] for cell in cells)])
