"""Which model fits on which GPU: the plan's form, asked for every model and card."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import quote

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

from verl_docs.calculators.form import Preset, Values
from verl_docs.calculators.model import FITS, FULL, LORA, NODE, ON_CPU, WITH_OFFLOAD
from verl_docs.calculators.plan import PLAN
from verl_docs.calculators.presets import CARDS, MODELS
from verl_docs.interface import _
from verl_docs.tables import row, table

NODES = (1, 2, 4, 8, 16)


@dataclass(frozen=True, slots=True)
class Cell:
    """A model on a card: the verdict on one node, and the fewest nodes on which it runs well.

    `nodes` is None where none of `NODES` do.
    """

    asked: Values
    verdict: int
    nodes: int | None

    @classmethod
    def of(cls, model: Preset, card: Preset, training: int) -> Cell:
        asked = {**PLAN.defaults(), **model.values, **card.values, "training": training}
        well = (n for n in NODES if _verdict(asked, n) in (FITS, WITH_OFFLOAD))
        return cls(asked, _verdict(asked, 1), next(well, None))

    @property
    def values(self) -> Values:
        """One node where that does, in whatever way; else as many as it takes."""
        count = 1 if self.verdict <= ON_CPU else self.nodes or 1
        return {**self.asked, "gpus": NODE * count}

    @property
    def settings(self) -> list[str]:
        return PLAN.settings(self.values)

    @property
    def host(self) -> float:
        return PLAN.compute(self.values)["host"]

    @property
    def address(self) -> str:
        """What stands behind the hash of the form's address to fill it in so."""
        defaults = PLAN.defaults()
        told = (f"{n}:{v:g}" for n, v in self.values.items() if v != defaults[n])
        return f"plan={quote(','.join(told), safe=':,')}"

    def said(self) -> str:
        parts = [str(_(WORDS[self.verdict]))] if self.verdict in WORDS else []
        if self.verdict not in (FITS, WITH_OFFLOAD) and self.nodes is not None:
            parts.append(_("{} GPUs").format(NODE * self.nodes))
        return _(" or ").join(parts) or _("no")


def N_(text: str) -> str:  # noqa: N802 - the usual name for what is translated later
    return text


WORDS = {FITS: N_("fits"), WITH_OFFLOAD: N_("with offload"), ON_CPU: N_("optimizer on CPU")}


def _verdict(values: Values, count: int) -> int:
    return int(PLAN.compute({**values, "gpus": NODE * count})["verdict"])


def cells() -> Iterator[tuple[Preset, int, list[Cell]]]:
    """For each model, trained as a whole and with LoRA, a cell a card."""
    for model in MODELS:
        for training in (FULL, LORA):
            yield model, training, [Cell.of(model, card, training) for card in CARDS]


class FitsDirective(SphinxDirective):
    """The table of models and cards, and below it the settings of each cell."""

    def run(self) -> list[nodes.Node]:
        trained = {FULL: _("all weights"), LORA: "LoRA"}
        rows: list[nodes.row] = []
        blocks: list[nodes.Node] = []
        for model, training, found in cells():
            shown = [[self._shown(cell)] for cell in found]
            rows.append(row([[nodes.Text(model.name)], [nodes.Text(trained[training])], *shown]))
            blocks += self._settings(f"{model.name}, {trained[training]}", found)
        cards = [card.name.partition(" (")[0] for card in CARDS]
        headings = [_("Model"), _("Trained"), *cards]
        return [table(headings, [18, 12, *[12] * len(cards)], rows, "fits"), *blocks]

    def _shown(self, cell: Cell) -> nodes.Node:
        text = cell.said()
        kind = "no" if not cell.settings else "fits" if cell.verdict == FITS else "partly"
        link = nodes.reference("", text, refuri=f"#{cell.address}", internal=True)
        return nodes.inline("", "", link, classes=[f"fits-{kind}"])

    def _settings(self, title: str, found: list[Cell]) -> Iterator[nodes.Node]:
        """What each cell sets, once for cards that set the same."""
        alike: dict[str, list[str]] = {}
        for cell, card in zip(found, CARDS, strict=True):
            if cell.settings:
                host = _("{} GiB of CPU memory a node").format(f"{cell.host:,.0f}")
                alike.setdefault(" \\\n".join(cell.settings), []).append(f"{card.name}, {host}")
        if not alike:
            return
        yield nodes.raw("", f"<details><summary>{title}</summary>", format="html")
        for text, cards in alike.items():
            strong = nodes.strong("", f"{title}: {'; '.join(cards)}")
            yield nodes.paragraph("", "", strong, translatable=False)
            block = nodes.literal_block(text, text)
            block["language"] = "text"
            yield block
        yield nodes.raw("", "</details>", format="html")
