"""What the bench measured: tables, bars, and the rows behind them, from docs/measurements."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.addnodes import download_reference
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util.docutils import SphinxDirective, SphinxRole

from gpu_bench import declared, rows
from gpu_bench.declared import Experiment, Run, Variant
from verl_docs import tables
from verl_docs.diagrams import svg, visit_framed
from verl_docs.interface import _
from verl_docs.keys import ref_link
from verl_docs.printed import Interactive
from verl_docs.tables import literal

FOLDER = "measurements"
_LABEL, _BAR, _VALUE, _ROW = 300, 300, 70, 30  # parts of the picture
_LONGEST = 36  # characters that a bar's name has room for; others go by their number

Row = Mapping[str, Any]
_WHOLE, _TENTHS, _HUNDREDTHS = "{:,.0f}", "{:.1f}", "{:.2f}"


@dataclass(frozen=True, slots=True)
class Column:
    """A figure of a sample: its name, and how it is written."""

    measure: str
    name: str
    style: str


def columns(run: Run) -> list[Column]:
    """What a table says of each run, the speed first."""
    gib = _("GiB, {what}")
    if run.program == "verl.trainer.sft_trainer":
        return [
            Column("tokens_per_s", _("Tokens/s"), _WHOLE),
            Column("between_s", _("Seconds a step"), _TENTHS),
            Column("update_peak_gib", gib.format(what=_("update")), _TENTHS),
            Column("mfu", "MFU", _HUNDREDTHS),
        ]
    found = {
        "engine": [
            Column("tokens_per_s", _("Tokens/s"), _WHOLE),
            Column("seconds", _("Seconds"), _TENTHS),
            Column("tail_s", _("of these for the last tenth"), _TENTHS),
        ],
        "update": [
            Column("tokens_per_s", _("Tokens/s"), _WHOLE),
            Column("update_peak_gib", gib.format(what=_("update")), _TENTHS),
            Column("log_prob_tokens_per_s", _("Tokens/s, log-probabilities"), _WHOLE),
            Column("log_prob_peak_gib", gib.format(what=_("log-probabilities")), _TENTHS),
        ],
        "program": [
            Column("tokens_per_s", _("Tokens/s"), _WHOLE),
            Column("step_s", _("Seconds a step"), _TENTHS),
            Column("gen_s", "timing_s/gen", _TENTHS),
            Column("log_prob_s", "timing_s/old_log_prob", _TENTHS),
            Column("update_s", "timing_s/update_actor", _TENTHS),
            Column("weights_s", "timing_s/update_weights", _TENTHS),
        ],
    }
    return found[run.kind]


def read(env: BuildEnvironment) -> list[dict[str, Any]]:
    """All rows; the page depends on their files."""
    files = sorted(Path(env.srcdir, FOLDER).glob("*.jsonl"))
    for file in [*files, declared.FILE]:
        env.note_dependency(str(file))
    return _read(tuple((file, file.stat().st_mtime_ns) for file in files))


@cache
def _read(files: tuple[tuple[Path, int], ...]) -> list[dict[str, Any]]:
    """The rows of files of these times: hundreds of places ask for them."""
    return rows.read(file for file, _time in files)


def compared(experiment: Experiment, known: list[dict[str, Any]]) -> list[Row]:
    """The rows that a table, its bars and a sentence about them compare."""
    return rows.comparable(known, (variant.run.digest for variant in experiment.variants))


def measured(experiment: Experiment, known: list[Row]) -> list[Variant]:
    """The variants that have a figure."""
    found = (v for v in experiment.variants if rows.figure(known, v.run.digest, "tokens_per_s"))
    return [*found]


def cards(known: list[Row]) -> str:
    """On which GPU these rows were measured."""
    names = {gpu.partition(",")[0] for row in known for gpu in row["environment"]["gpus"]}
    return _("Measured on: {card}").format(card=", ".join(sorted(names)))


def label_of(run: str) -> str:
    return f"run-{run}"


def run_link(run: str, changed: Iterable[str], env: BuildEnvironment) -> nodes.Node:
    """A link to the rows of a run, by how it differs."""
    link = ref_link(label_of(run), env.current_document.docname, " ")
    words = tables.joined(map(literal, changed), ", ") or [nodes.Text(_("as the base"))]
    link.children = [nodes.inline("", "", *words)]
    return link


def short(change: str) -> str:
    """An override with the last part of its key alone."""
    key, sign, value = change.lstrip("+").partition("=")
    return key.rpartition(".")[2] + sign + value


def changes(variant: Variant, experiment: Experiment) -> list[str]:
    """How a variant differs; for the base, what the others have in place of it."""
    if variant.changes:
        return [*map(short, variant.changes)]
    others = {change.partition("=")[0] for each in experiment.variants for change in each.changes}
    return [short(each) for each in variant.run.overrides if each.partition("=")[0] in others]


class MeasuredDirective(SphinxDirective):
    """Bars and a table of an experiment; each first cell leads to the command and the rows."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        try:
            [experiment] = declared.chosen(declared.experiments(), self.arguments)
        except declared.Undeclared as trouble:
            raise self.error(str(trouble)) from None
        known = compared(experiment, read(self.env))
        found = measured(experiment, known)
        if found[:1] != [experiment.variants[0]]:
            raise self.error(f"{experiment.name} was not measured")
        shown = columns(found[0].run)
        others = [column.name for column in shown[1:]]
        table = tables.table(
            [_("No."), _("Setting"), shown[0].name, _("Change"), _("Spread"), *others],
            [6, 30, 10, 9, 9, *(10 for _name in others)],
            [
                self._row(number, found, shown, known, changes(variant, experiment))
                for number, variant in enumerate(found)
            ],
            "measured",
        )
        under = nodes.paragraph("", cards(known), translatable=False, classes=["measured-on"])
        if len(found) == 1:
            return [table, under]
        return [bars.of(experiment, known), table, under]

    def _row(
        self,
        number: int,
        found: list[Variant],
        shown: list[Column],
        known: list[Row],
        changed: list[str],
    ) -> nodes.row:
        digest = found[number].run.digest
        cells: list[list[nodes.Node]] = [[nodes.Text(f"{number + 1}")]]
        cells.append([run_link(digest, changed, self.env)])
        for column in shown:
            figure = rows.figure(known, digest, column.measure)
            cells.append([nodes.Text(column.style.format(figure.median) if figure else "")])
        # How sure the speed is stands beside it.
        speed, base = (rows.figure(known, d, "tokens_per_s") for d in (digest, found[0].run.digest))
        assert speed is not None
        assert base is not None
        compared = number and found[number].base == found[0].base
        change = f"{speed.median / base.median - 1:+.0%}" if compared else ""
        cells[3:3] = [[nodes.Text(change)], [nodes.Text(f"{speed.spread:.1%}")]]
        return tables.row(cells)


class bars(Interactive):  # noqa: N801 - docutils names nodes like this
    """Tokens a second of each variant; elsewhere than on a page, the table says it."""

    @classmethod
    def of(cls, experiment: Experiment, known: list[Row]) -> bars:
        values = []
        variants = measured(experiment, known)
        changed = [changes(variant, experiment) for variant in variants]
        for number, variant in enumerate(variants):
            figure = rows.figure(known, variant.run.digest, "tokens_per_s")
            assert figure is not None
            name = shortened(changed[number], changed) or _("as the base")
            # Words are not set as code: they are translated.
            style = "code" if changed[number] else ""
            name = f"{number + 1}  {name}"
            values.append((name, figure.median, figure.least, figure.most, style))
        return cls("", values=values, unit=_("Tokens/s"))

    def svg(self) -> str:
        values = self["values"]
        most = max(value[3] for value in values)
        parts = []
        for number, (name, median, least, highest, style) in enumerate(values):
            y = number * _ROW
            parts += [
                svg.text(0, y + 18, name, _LABEL - 10, style=style),
                svg.box(
                    _LABEL, y + 4, _BAR * median / most, _ROW - 10, tone="a" if number else "b"
                ),
                svg.line(
                    _LABEL + _BAR * least / most, y + 13, _LABEL + _BAR * highest / most, y + 13
                ),
                svg.text(_LABEL + _BAR + 10, y + 18, _WHOLE.format(median), _VALUE),
            ]
        said = "; ".join(f"{name} {_WHOLE.format(median)}" for name, median, *_rest in values)
        alt = f"{self['unit']}: {said}."
        return svg.picture(_LABEL + _BAR + _VALUE + 10, len(values) * _ROW, alt, parts)


def shortened(changed: list[str], every: list[list[str]]) -> str:
    """The overrides of a bar; of too many, the one that fewest other bars have.

    A key that is too long is cut. The table below the bars has them all.
    """
    whole = ", ".join(changed)
    if len(whole) <= _LONGEST:
        return whole
    fitting = [each for each in changed if len(_cut(each)) <= _LONGEST - 2]
    rarest = min(fitting, key=lambda each: sum(each in them for them in every), default="")
    return f"{_cut(rarest)} …".strip() if len(changed) > 1 else _cut(rarest)


def _cut(change: str) -> str:
    key, sign, value = change.partition("=")
    room = _LONGEST - len(f"… …{sign}{value}")
    return change if len(key) <= room + 1 else f"{key[:room]}…{sign}{value}"


class RowsDirective(SphinxDirective):
    """For each run that was measured: its command, and its rows as they were written."""

    def run(self) -> list[nodes.Node]:
        known = read(self.env)
        return [
            self._files(),
            *self._sections(known),
        ]

    def _files(self) -> nodes.paragraph:
        """Where the files of rows can be had; a translated role would lose them."""
        files = sorted(Path(self.env.srcdir, FOLDER).glob("*.jsonl"))
        links = [
            download_reference("", "", literal(f.name), reftarget=f"/{FOLDER}/{f.name}")
            for f in files
        ]
        return nodes.paragraph("", "", *tables.joined(links, ", "), translatable=False)

    def _sections(self, known: list[dict[str, Any]]) -> list[nodes.Node]:
        return [
            self._section(run.digest, run.command, [r for r in known if r["digest"] == run.digest])
            for run in declared.runs(declared.experiments())
            if any(row["digest"] == run.digest for row in known)
        ]

    def _section(self, digest: str, command: str, own: list[dict[str, Any]]) -> nodes.section:
        name = label_of(digest)
        made = tables.section(
            literal(digest),
            nodes.literal_block(command, command, language="shell"),
            *(_block(row) for row in own),
            ids=[name],
            names=[name],
        )
        self.state.document.note_explicit_target(made)
        return made


def _block(row: Row) -> nodes.literal_block:
    """A row without what stands above it and what all rows of a session share."""
    kept = {k: v for k, v in row.items() if k not in ("run", "command", "environment", "digest")}
    lines = ",\n".join(_lines(kept))
    text = f"{{\n{lines}\n}}"
    # Not coloured: of 80,000 elements of the page, 68,000 would be for colours of numbers.
    return nodes.literal_block(text, text, language="text")


def _lines(kept: Row) -> Iterator[str]:
    for key, value in kept.items():
        if key == "samples":
            samples = ",\n".join(f"    {json.dumps(sample)}" for sample in value)
            yield f'  "samples": [\n{samples}\n  ]' if samples else '  "samples": []'
        else:
            yield f"  {json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}"


class TimesRole(SphinxRole):
    """How many times as fast a variant is as the first: `experiment number` or with a measure."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        try:
            return [nodes.Text(self._times())], []
        except (LookupError, ValueError, declared.Undeclared) as error:
            message = self.inliner.reporter.error(f"{self.text}: {error}", line=self.lineno)
            return [self.inliner.problematic(self.rawtext, self.rawtext, message)], [message]

    def _times(self) -> str:
        name, number, *rest = self.text.split()
        [experiment] = declared.chosen(declared.experiments(), [name])
        known = compared(experiment, read(self.env))
        first, other = (
            rows.figure(known, experiment.variants[n].run.digest, (rest or ["tokens_per_s"])[0])
            for n in (0, int(number) - 1)
        )
        if first is None or other is None:
            raise LookupError("it was not measured")
        return f"{other.median / first.median:.2f}"


def setup(app: Sphinx) -> None:
    app.add_node(bars, html=(visit_framed, None))
