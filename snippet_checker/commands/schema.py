"""`snippet-checker schema list`, `show`, `diff`, `export`, `add` and `unread`."""

from __future__ import annotations

import argparse
from itertools import chain

from snippet_checker import output
from snippet_checker.errors import UserError
from snippet_checker.judge import review
from snippet_checker.reports import history as history_report
from snippet_checker.reports import history_json, schema_export
from snippet_checker.reports import review as review_report
from snippet_checker.reports.json import escape, written
from snippet_checker.statuses import CLEAN, NOT_CHECKED
from snippet_checker.suggest.candidates import suggest
from snippet_checker.verl import descriptions, history
from snippet_checker.verl.release import load, newest, releases


def list_(arguments: argparse.Namespace) -> int:
    names = releases() if arguments.verl is None else sorted(load(arguments.verl).keys)
    output.write(names)
    return CLEAN


def show(arguments: argparse.Namespace) -> int:
    key, release = arguments.key, load(newest())
    keys = release.glob(key) if "*" in key else release.expand(key)
    keys = (key,) if history.of_key(key) else keys
    if not keys:
        best = suggest(key, release)
        hint = f"; did you mean {' or '.join(best)}?" if best else ""
        raise UserError(f"no release of verl has the key '{key}'{hint}")
    if arguments.format == "json":
        _write(history_json.shown(keys))
        return CLEAN
    first, *others = (_about(name) for name in keys)
    output.write(chain(first, *(["", *lines] for lines in others)))
    return CLEAN


def _about(key: str) -> list[str]:
    """A key, what it is for, and its history."""
    name, *lines = history_report.show(key)
    text = descriptions.of_key(key, newest())
    return [name, *([f"  {text}"] if text is not None else []), *lines]


def diff(arguments: argparse.Namespace) -> int:
    if arguments.format == "json":
        _write(history_json.compared(arguments.old, arguments.new))
        return CLEAN
    output.write(history_report.diff(arguments.old, arguments.new))
    return CLEAN


def export(arguments: argparse.Namespace) -> int:
    """Print the schema of a program: its keys, or a JSON Schema of its config."""
    release = load(arguments.verl or newest())
    primary = release.entry(arguments.entry)
    if primary is None:
        known = ", ".join(release.modules)
        raise UserError(f"verl {release.name} has no program '{arguments.entry}'; it has {known}")
    make = schema_export.json_schema if arguments.format == "json-schema" else schema_export.keys
    _write(make(release, primary))
    return CLEAN


def _write(data: object) -> None:
    """Print plain data, or types that become such, as JSON."""
    output.write(written(data), escape)


def unread(arguments: argparse.Namespace) -> int:
    release = load(arguments.release or newest())
    output.write(review_report.lines(review.review_items(release), release.name))
    return CLEAN


def add(arguments: argparse.Namespace) -> int:
    from snippet_checker.snapshot_builder import add as adding
    from snippet_checker.snapshot_builder.config_files import SnapshotError
    from snippet_checker.snapshot_builder.wheel import WheelError

    try:
        added = adding.add(arguments.release, arguments.wheel, arguments.to)
    except (adding.AddError, WheelError) as error:
        raise UserError(str(error)) from None
    except SnapshotError as error:
        for line in error.lines:
            output.complain(line)
        output.complain(
            f"verl {arguments.release} was not added: without these facts, what is said about it "
            "would be wrong; nothing was written"
        )
        return NOT_CHECKED
    known = "new" if added.is_new else "as recorded"
    output.write([f"{added.wheel.name}: SHA-256 {added.wheel.sha256} ({known})"])
    release = load(str(added.path))
    if added.before is not None:
        output.write(["", *history_report.diff(added.before, str(added.path))])
    output.write(
        ["", *review_report.lines(review.review_items(release), release.name, added.change)]
    )
    output.write(["", f"{added.path}: the schema of verl {release.name}"])
    return CLEAN
