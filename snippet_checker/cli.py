"""The `snippet-checker` command."""

from __future__ import annotations

import argparse
import gc
import os
import re
import sys
from collections.abc import Callable, Sequence
from itertools import pairwise
from pkgutil import resolve_name

from snippet_checker import commands, output, signals
from snippet_checker.command_line import COMMANDS, did_you_mean, parser
from snippet_checker.errors import DataError, UserError
from snippet_checker.statuses import BY_SIGNAL, NOT_CHECKED, READER_LEFT, USAGE

_NO_VALUE = re.compile(r"--[a-z-]+=")
# Releases and what is read of documents stay: to search them for garbage as often as Python does
# takes a tenth of the time of a check.
_LESS_OFTEN = (50_000, 20, 20)
_OF_NO_COMMAND = ("-h", "--help", "--version")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit status."""
    gc.set_threshold(*_LESS_OFTEN)
    output.keep_streams_apart()
    try:
        with signals.as_exceptions():
            return _run(arguments)
    except UserError as error:
        output.complain(str(error))
        return USAGE
    except DataError as error:
        output.complain(str(error))
    except output.OutputClosed:
        return READER_LEFT
    except output.OutputError as error:
        output.complain(f"the report cannot be written: {error}")
    except KeyboardInterrupt as interrupt:
        number, name = signals.signal_of(interrupt)
        output.complain(name)
        return BY_SIGNAL + number
    except Exception as error:  # what is nobody's but ours is a line, too
        from snippet_checker.runner import internal_error

        output.complain(f"{internal_error(error)}; please report it")
    return NOT_CHECKED


def _run(arguments: Sequence[str] | None) -> int:
    given = [*(sys.argv[1:] if arguments is None else arguments)]
    if not given:
        output.write_as_is(parser().format_help())
        return USAGE
    _refuse_empty(given)
    try:
        options = parser().parse_args(_with_command(given))
    except SystemExit as end:  # with --help, say, or where the arguments are wrong
        return end.code if isinstance(end.code, int) else USAGE
    run: Callable[[argparse.Namespace], int] = resolve_name(f"{commands.__name__}.{options.run}")
    return run(options)


def _refuse_empty(arguments: Sequence[str]) -> None:
    """Raise UserError at an empty argument: what a variable in CI leaves that nobody has set."""
    for before, argument in pairwise(["", *arguments]):
        if not argument:
            place = f"the argument behind '{before}'" if before else "the first argument"
            raise UserError(f"{place} is empty; is a variable not set?")
        if _NO_VALUE.fullmatch(argument):
            raise UserError(f"'{argument}' has no value; is a variable not set?")


def _with_command(arguments: list[str]) -> list[str]:
    """The arguments with a command: `check`, unless one is named; exits at a wrong one."""
    first = arguments[0]
    if first in (*COMMANDS, *_OF_NO_COMMAND):
        return arguments
    is_option = first.startswith("-") and first != "-"
    if is_option and any(word in COMMANDS for word in arguments):
        return arguments  # a command's options stand before it: argparse says so
    if is_option or first == "-" or os.path.lexists(first):
        return ["check", *arguments]
    hint = did_you_mean(first, COMMANDS) or f"the commands are {', '.join(COMMANDS)}"
    output.complain(f"there is no command and no file '{first}'; {hint}")
    sys.exit(USAGE)
