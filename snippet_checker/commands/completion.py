"""`snippet-checker completion`."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence

import shtab

from snippet_checker import output, rules
from snippet_checker.statuses import CLEAN
from snippet_checker.verl.release import load, newest, releases

_FILES = {"PATH": shtab.FILE, "NAME": shtab.FILE, "FILE": shtab.FILE, "FOLDER": shtab.DIRECTORY}
"""What stands for a file, by how the help calls it."""


def run(arguments: argparse.Namespace) -> int:
    """Print the script that completes the command line in a shell."""
    for action in _actions(arguments.parser):
        metavar = action.metavar
        if not isinstance(metavar, str):
            continue
        if metavar in _FILES:
            action.complete = _FILES[metavar]  # type: ignore[attr-defined]
        elif words := _words(metavar):
            action.choices = words
    output.write_as_is(shtab.complete(arguments.parser, arguments.shell))
    return CLEAN


def _words(metavar: str) -> Sequence[str]:
    """The words that may stand where the help has a name, if those are known."""
    if metavar in ("RELEASE", "A", "B"):
        return releases()
    if metavar == "RULE":
        return sorted(rules.all_rules())
    if metavar == "MODULE|CONFIG":
        return load(newest()).modules
    return ()


def _actions(parser: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    """Every argument of a command and of those below it."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for inner in action.choices.values():
                yield from _actions(inner)
        else:
            yield action
