"""The `snippet-checker` command."""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path
from pkgutil import resolve_name
from typing import NoReturn

from snippet_checker import __version__, commands, documents, output, reports, signals
from snippet_checker.errors import DataError, UserError
from snippet_checker.statuses import BY_SIGNAL, NOT_CHECKED, READER_LEFT, USAGE

_EXAMPLES = ", ".join(documents.EXAMPLES)
_ENTRY_HELP = "the program or config that snippets belong to which name none"
_CONFIG_HELP = "the pyproject.toml to go by, instead of the nearest one"
_COMMANDS = ("check", "upgrade", "baseline", "schema", "explain", "lsp", "completion")
_NO_VALUE = re.compile(r"--[a-z-]+=")
_OF_NO_COMMAND = ("-h", "--help", "--version")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit status."""
    output.keep_streams_apart()
    try:
        with signals.raised():
            return _run(arguments)
    except UserError as error:
        output.complain(str(error))
        return USAGE
    except DataError as error:
        output.complain(str(error))
    except output.ReaderLeft:
        return READER_LEFT
    except output.Unwritten as error:
        output.complain(f"the report cannot be written: {error}")
    except KeyboardInterrupt as interrupt:
        number, name = signals.behind(interrupt)
        output.complain(name)
        return BY_SIGNAL + number
    except Exception as error:  # what is nobody's but ours is a line, too
        from snippet_checker.runner import internal_error

        output.complain(f"{internal_error(error)}; please report it")
    return NOT_CHECKED


def _run(arguments: Sequence[str] | None) -> int:
    given = [*(sys.argv[1:] if arguments is None else arguments)]
    if not given:
        output.write_as_is(_parser().format_help())
        return USAGE
    _refuse_empty(given)
    try:
        options = _parser().parse_args(_with_command(given))
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
    if first in (*_COMMANDS, *_OF_NO_COMMAND):
        return arguments
    is_option = first.startswith("-") and first != "-"
    if is_option and any(word in _COMMANDS for word in arguments):
        return arguments  # a command's options stand before it: argparse says so
    if is_option or first == "-" or os.path.lexists(first):
        return ["check", *arguments]
    hint = _meant(first, _COMMANDS) or f"the commands are {', '.join(_COMMANDS)}"
    output.complain(f"there is no command and no file '{first}'; {hint}")
    sys.exit(USAGE)


def _meant(name: str, known: Sequence[str]) -> str:
    """Which of some names was probably meant; nothing where none is much like it."""
    from snippet_checker.text.closest import closest

    like = closest(name, known)
    return f"did you mean '{like}'?" if like is not None else ""


class _Parser(argparse.ArgumentParser):
    """Says what is wrong in a line, and that it could not be said at all."""

    def error(self, message: str) -> NoReturn:
        output.complain(f"{message}; see {self.prog} --help")
        sys.exit(USAGE)

    def parse_known_args(  # type: ignore[override]  # it never leaves any
        self, args: Sequence[str] | None = None, namespace: argparse.Namespace | None = None
    ) -> tuple[argparse.Namespace, list[str]]:
        """As argparse does it, but each command itself refuses what it does not know."""
        options, left = super().parse_known_args(args, namespace)
        if left:
            known = [name for name in self._option_string_actions if name.startswith("--")]
            option = left[0].partition("=")[0]
            hint = _meant(option, known) if option.startswith("-") else ""
            self.error(f"unrecognized arguments: {' '.join(left)}{hint and f'; {hint}'}")
        return options, left

    def _check_value(self, action: argparse.Action, value: object) -> None:
        if action.choices is not None and value not in action.choices:
            names = [str(name) for name in action.choices]
            hint = _meant(str(value), names) or f"choose from {', '.join(names)}"
            raise argparse.ArgumentError(action, f"there is no '{value}'; {hint}")

    def _print_message(self, message: str, file: object = None) -> None:
        output.write_as_is(message)  # help or the version


def _count(text: str) -> int:
    """A number from 1 on; raises ArgumentTypeError."""
    if not re.fullmatch(r"0*[1-9][0-9]{0,5}", text, re.ASCII):
        raise argparse.ArgumentTypeError(f"must be a number from 1 to 999999, not '{text}'")
    return int(text)


def _names(text: str) -> tuple[str, ...]:
    """Names with commas between them; raises ArgumentTypeError where there are none."""
    names = tuple(name for part in text.split(",") if (name := part.strip()))
    if not names:
        raise argparse.ArgumentTypeError(f"'{text}' names no rule")
    return names


def _add_choices(parser: argparse.ArgumentParser, *, rules: bool) -> None:
    """What says which rules and which files."""
    said = (("--select", "report these only"), ("--ignore", "do not report these"))
    for option, what in said if rules else ():
        parser.add_argument(
            option, type=_names, action="extend", metavar="RULE,…", help=f"rules: {what}"
        )
    parser.add_argument(
        "--exclude",
        action="append",
        default=[],
        metavar="PATTERN",
        help="files to leave out, from the configuration's folder on; besides those it names",
    )
    parser.add_argument(
        "--force-exclude",
        action="store_true",
        help="leave out what is excluded even where it is named as a path",
    )


def _add_output_file(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--output-file", type=Path, metavar="FILE", help="write the report there, not to the output"
    )


def _add_json(parser: argparse.ArgumentParser) -> None:
    """What lets programs read an answer."""
    parser.add_argument(
        "--format", choices=("text", "json"), default="text", help="the form of what is printed"
    )


def _add_fixes(parser: argparse.ArgumentParser) -> None:
    """What says which findings to fix."""
    parser.add_argument("--fix", action="store_true", help="mend what is certain")
    parser.add_argument(
        "--unsafe-fixes",
        action="store_true",
        help="apply likely fixes, too: review them",
    )
    parser.add_argument(
        "--diff", action="store_true", help="show what would be mended, and write nothing"
    )


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="snippet-checker",
        description="Check verl settings in documents and launch scripts against verl's schema.",
    )
    parser.add_argument("--version", action="version", version=f"%(prog)s {__version__}")
    subcommands = parser.add_subparsers(required=True, metavar="COMMAND")

    checking = subcommands.add_parser("check", help="check documents, scripts and YAML files")
    checking.add_argument(
        "paths",
        nargs="*",
        metavar="PATH",
        help=f"a folder, or a file ({_EXAMPLES}); '-' is standard input; "
        "without any: the paths of [tool.snippet-checker]",
    )
    checking.add_argument(
        "--verl",
        metavar="RELEASE",
        help="the release of verl to check against, or the snapshot (.json) of one",
    )
    checking.add_argument("--entry", metavar="MODULE|CONFIG", help=_ENTRY_HELP)
    checking.add_argument("--config", type=Path, metavar="FILE", help=_CONFIG_HELP)
    _add_choices(checking, rules=True)
    _add_fixes(checking)
    checking.add_argument(
        "--strict", action="store_true", help="report settings that could not be verified, too"
    )
    checking.add_argument(
        "--no-cache", action="store_true", help="check every file, even one that has not changed"
    )
    checking.add_argument(
        "--jobs", type=_count, metavar="N", help="how many processes check at once, at most"
    )
    amount = checking.add_mutually_exclusive_group()
    amount.add_argument(
        "--verbose", action="store_true", help="say which files in folders are not read"
    )
    amount.add_argument(
        "-q", "--quiet", action="store_true", help="print the findings, and no summary or remark"
    )
    checking.add_argument(
        "--show-files", action="store_true", help="say which files would be checked, and end"
    )
    checking.add_argument(
        "--format", choices=reports.FORMATS, default="text", help="the form of the report"
    )
    checking.add_argument(
        "--statistics", action="store_true", help="only count the findings of each rule"
    )
    _add_output_file(checking)
    checking.add_argument(
        "--color", choices=("auto", "always", "never"), default="auto", help="colours of 'text'"
    )
    checking.add_argument(
        "--max-findings", type=_count, metavar="N", help="how many findings are shown, at most"
    )
    checking.add_argument(
        "--exit-zero", action="store_true", help="end with status 0 where something was found, too"
    )
    checking.add_argument(
        "--stdin-filename", metavar="NAME", help="the name that '-' is read and reported under"
    )
    checking.set_defaults(run="check:run")

    upgrading = subcommands.add_parser(
        "upgrade", help="say what scripts and documents need on another release"
    )
    upgrading.add_argument("paths", nargs="+", type=Path, metavar="PATH", help="a folder or a file")
    upgrading.add_argument(
        "--from",
        dest="start",
        metavar="RELEASE",
        help="the release that they are for; without it, the one that fits each of them best",
    )
    upgrading.add_argument(
        "--to", metavar="RELEASE", help="the release to go to; without it, as for 'check'"
    )
    upgrading.add_argument("--entry", metavar="MODULE|CONFIG", help=_ENTRY_HELP)
    upgrading.add_argument("--config", type=Path, metavar="FILE", help=_CONFIG_HELP)
    _add_choices(upgrading, rules=False)
    _add_fixes(upgrading)
    upgrading.add_argument(
        "--format",
        choices=("text", "json", "markdown"),
        default="text",
        help="the form of the report",
    )
    _add_output_file(upgrading)
    upgrading.set_defaults(run="upgrade:run")

    baseline = subcommands.add_parser(
        "baseline", help="accept what is found now, so that only new findings are reported"
    )
    baseline_commands = baseline.add_subparsers(required=True, metavar="COMMAND")
    creating = baseline_commands.add_parser("create", help="write down all that is found now")
    creating.add_argument(
        "paths", nargs="*", metavar="PATH", help="a folder or a file; without any: as for check"
    )
    creating.set_defaults(run="baseline:create")
    pruning = baseline_commands.add_parser("prune", help="take out what is no longer found")
    pruning.set_defaults(run="baseline:prune")
    for one in (creating, pruning):
        one.add_argument("--config", type=Path, metavar="FILE", help=_CONFIG_HELP)

    schema = subcommands.add_parser("schema", help="look into the schema of a release")
    schema_commands = schema.add_subparsers(required=True, metavar="COMMAND")
    listing = schema_commands.add_parser("list", help="the releases, or the keys of one")
    listing.add_argument("--verl", metavar="RELEASE", help="the release whose keys are listed")
    listing.set_defaults(run="schema:list_")
    showing = schema_commands.add_parser("show", help="one key through all releases")
    showing.add_argument("key", metavar="KEY", help="a key, or its end: actor.use_dynamic_bsz")
    _add_json(showing)
    showing.set_defaults(run="schema:show")
    comparing = schema_commands.add_parser("diff", help="what changed between two releases")
    comparing.add_argument("old", metavar="A", help="the older release")
    comparing.add_argument("new", metavar="B", help="the newer release")
    _add_json(comparing)
    comparing.set_defaults(run="schema:diff")

    exporting = schema_commands.add_parser(
        "export", help="the schema of a program for other tools: its keys, or JSON Schema"
    )
    exporting.add_argument("--verl", metavar="RELEASE", help="the release; without it, the newest")
    exporting.add_argument(
        "--entry", metavar="MODULE|CONFIG", default="verl.trainer.main_ppo", help="the program"
    )
    exporting.add_argument(
        "--format", choices=("json", "json-schema"), default="json", help="which of the two"
    )
    exporting.set_defaults(run="schema:export")

    adding = schema_commands.add_parser(
        "add", help="make the schema of a further release from its wheel, which pip brings"
    )
    adding.add_argument("release", metavar="RELEASE", help="the release, as PyPI writes it")
    adding.add_argument("--wheel", type=Path, metavar="FILE", help="the wheel, if it is here")
    adding.add_argument(
        "--to",
        type=Path,
        metavar="FOLDER",
        help="where the schema goes; without it, into the package of a checkout",
    )
    adding.set_defaults(run="schema:add")
    reading = schema_commands.add_parser(
        "unread", help="what people have to read again in verl's code for a release"
    )
    reading.add_argument("release", metavar="RELEASE", nargs="?", help="without one, the newest")
    reading.set_defaults(run="schema:unread")

    explaining = subcommands.add_parser("explain", help="print the pages of rules")
    explaining.add_argument(
        "rules", nargs="*", metavar="RULE", help="the rules whose pages are printed"
    )
    _add_json(explaining)
    explaining.add_argument("--all", action="store_true", help="every rule in a line")
    explaining.set_defaults(run="explain:run")

    serving = subcommands.add_parser("lsp", help="serve an editor: the language server")
    serving.add_argument(
        "--verl", metavar="RELEASE", help="the release of verl for all files, as for check"
    )
    serving.add_argument("--entry", metavar="MODULE|CONFIG", help="as for check")
    serving.add_argument("--strict", action="store_true", help="as for check")
    serving.add_argument(
        "--site", default="", metavar="ADDRESS", help="where the guide is, for links to its pages"
    )
    serving.add_argument(
        "--stdio", action="store_true", help="accepted and ignored: some editors always pass it"
    )
    serving.set_defaults(run="lsp:run")

    completing = subcommands.add_parser(
        "completion", help="print the script that completes this command line in a shell"
    )
    completing.add_argument("shell", choices=("bash", "zsh", "fish"), help="the shell")
    completing.set_defaults(run="completion:run", parser=parser)
    return parser
