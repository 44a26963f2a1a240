"""Measure verl's settings on GPUs: see experiments.toml for what is asked.

    cd tools
    python3 -m gpu_bench list [--missing --known FILE]
    python3 -m gpu_bench inputs FOLDER [EXPERIMENT…]
    python3 -m gpu_bench run --inputs FOLDER --out rows.jsonl [--known FILE] [EXPERIMENT…]
    python3 -m gpu_bench commands [EXPERIMENT…]

It needs one CUDA GPU with 80 GB or more (two for some experiments), verl 0.9.1 with vLLM, and
flash-attn. A run that has a row is not made again, so an interrupted session goes on where it was;
nor is one with a row in a file of `--known`, so that the rest is what was never measured.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from gpu_bench import declared, inputs, rows
from gpu_bench.session import Plan, session


def main() -> int:
    options = _options()
    try:
        found = declared.chosen(declared.experiments(), getattr(options, "experiment", []))
    except declared.Undeclared as trouble:
        print(trouble, file=sys.stderr)
        return 2
    if options.do == "list":
        _list(found, rows.read(options.known), missing=options.missing)
    elif options.do == "commands":
        for run in declared.runs(found):
            print(f"# {run.digest}\n{run.command}\n")
    elif options.do == "inputs":
        weights = options.weights
        if weights is None:
            weights = inputs.needed(declared.runs(found))
        inputs.make(options.folder, weights, options.device)
    else:
        return 1 if session(_due(options, found), _plan(options, found)) else 0
    return 0


def _due(options: argparse.Namespace, found: list[declared.Experiment]) -> list[declared.Run]:
    due = declared.runs(found)
    if options.only:
        due = [run for run in due if run.digest in options.only]
    part, parts = options.part
    return due[part - 1 :: parts]


def _plan(options: argparse.Namespace, found: list[declared.Experiment]) -> Plan:
    return Plan(
        inputs=options.inputs,
        out=options.out,
        gpus=tuple(options.gpus),
        repetitions=options.repetitions,
        warmup=options.warmup,
        samples=options.samples,
        limit=options.limit,
        until=options.until,
        preload=None if options.preload is None else tuple(options.preload.split(",")),
        known=tuple(options.known),
        extents=declared.extents(found),
    )


def _list(
    found: list[declared.Experiment], known: list[dict[str, object]], *, missing: bool
) -> None:
    for experiment in found:
        shown = []
        for variant in experiment.variants:
            digest = variant.run.digest
            count = rows.done(known, digest, experiment.extent.samples)
            if not (missing and count):
                gpus = f", {variant.run.gpus} GPUs" if variant.run.gpus > 1 else ""
                shown.append(f"  {digest} {variant.label} ({count} rows{gpus})")
        if shown:
            print(f"{experiment.name}: {experiment.question}", *shown, sep="\n")


def _options() -> argparse.Namespace:
    summary = (__doc__ or "").partition("\n")[0]
    parser = argparse.ArgumentParser(prog="gpu_bench", description=summary)
    what = parser.add_subparsers(dest="do", required=True)
    listing = what.add_parser("list", help="the experiments, their runs, and which have rows")
    listing.add_argument("--missing", action="store_true", help="only runs without a row")
    shown = what.add_parser("commands", help="the command that each run stands for")
    made = what.add_parser("inputs", help="make models of random weights, prompts and a reward")
    made.add_argument("folder", type=Path)
    made.add_argument("--device", default="cuda", help="where the weights are drawn")
    made.add_argument(
        "--weights",
        nargs="*",
        choices=[*inputs.SHAPES, *inputs.OTHERS],
        metavar="MODEL",
        help="models that get weights (default: those that the experiments read)",
    )
    run = what.add_parser("run", help="make the runs that have no row yet")
    run.add_argument("--inputs", type=Path, required=True, metavar="FOLDER")
    run.add_argument("--out", type=Path, required=True, metavar="FILE", help="the file of rows")
    run.add_argument("--gpus", type=_numbers, default=[0], metavar="0,1")
    run.add_argument("--only", nargs="*", default=[], metavar="RUN", help="only runs of this name")
    run.add_argument("--part", type=_part, default=(1, 1), metavar="1/2", help="every second run")
    run.add_argument("--repetitions", type=int, default=1, help="rows that each run gets")
    run.add_argument("--warmup", type=int, default=1, help="samples that are thrown away")
    run.add_argument("--samples", type=int, default=3)
    run.add_argument("--limit", type=float, default=900, help="seconds that one run may take")
    run.add_argument(
        "--until",
        type=float,
        default=float("inf"),
        help="seconds after which no run starts, and the one that runs ends with what it has",
    )
    run.add_argument(
        "--preload",
        metavar="MODULE,…",
        help="import these once and fork each run from there; they must not use the GPU",
    )
    for parser_of in (listing, run):
        parser_of.add_argument("--known", type=Path, action="append", default=[], metavar="FILE")
    for parser_of in (listing, shown, made, run):
        parser_of.add_argument("experiment", nargs="*")
    return parser.parse_args()


def _numbers(text: str) -> list[int]:
    return [int(word) for word in text.split(",")]


def _part(text: str) -> tuple[int, int]:
    part, _, parts = text.partition("/")
    return int(part), int(parts)


if __name__ == "__main__":
    sys.exit(main())
