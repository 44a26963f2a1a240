"""The `snippet-checker` command."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import NoReturn

from snippet_checker import (
    __version__,
    config,
    documents,
    files,
    output,
    pipeline,
    reports,
    rules,
    runner,
    signals,
)
from snippet_checker.cache import Cache, digest_of
from snippet_checker.findings import Failure, Result
from snippet_checker.judge import unread
from snippet_checker.suggest.candidates import suggest
from snippet_checker.translations import glossary, glossary_file
from snippet_checker.verl import history
from snippet_checker.verl.release import UnknownRelease, is_snapshot, load, newest, releases
from snippet_checker.verl.tables import TableError

CLEAN, FOUND, USAGE, NOTHING_TO_CHECK, NOT_CHECKED = 0, 1, 2, 3, 4
READER_LEFT, BY_SIGNAL = 141, 128
"""The exit statuses; the number of a signal is added to the last one."""

_PROGRESS_AFTER = 1.0  # seconds
_SUFFIXES = ", ".join(documents.SUFFIXES)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit status."""
    output.keep_streams_apart()
    try:
        with signals.raised():
            return _run(arguments)
    except (config.ConfigError, UnknownRelease) as error:
        return _usage(str(error))
    except TableError as error:
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
        output.complain(f"{runner.internal_error(error)}; please report it")
    return NOT_CHECKED


def _run(arguments: Sequence[str] | None) -> int:
    try:
        options = _parser().parse_args(arguments)
    except SystemExit as end:  # with --help, say, or where the arguments are wrong
        return end.code if isinstance(end.code, int) else USAGE
    run: Callable[[argparse.Namespace], int] = options.run
    return run(options)


class _Parser(argparse.ArgumentParser):
    """Says what is wrong in a line, and that it could not be said at all."""

    def error(self, message: str) -> NoReturn:
        output.complain(f"{message}; see {self.prog} --help")
        sys.exit(USAGE)

    def _print_message(self, message: str, file: object = None) -> None:
        output.write_as_is(message)  # help or the version


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="snippet-checker",
        description="Check verl settings in documents and launch scripts against verl's schema.",
    )
    parser.add_argument("--version", action="version", version=f"%(prog)s {__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    checking = commands.add_parser("check", help="check documents, scripts and YAML files")
    checking.add_argument(
        "paths",
        nargs="*",
        metavar="PATH",
        help=f"a folder, or a file ({_SUFFIXES}); '-' is standard input; "
        "without any: the paths of [tool.snippet-checker]",
    )
    checking.add_argument(
        "--verl",
        metavar="RELEASE",
        help="the release of verl to check against, or the snapshot (.json) of one",
    )
    checking.add_argument("--entry", metavar="MODULE|CONFIG", help="what bare snippets belong to")
    checking.add_argument(
        "--strict", action="store_true", help="report settings that could not be verified, too"
    )
    checking.add_argument(
        "--no-cache", action="store_true", help="check every file, even one that has not changed"
    )
    checking.add_argument("--format", choices=sorted(reports.FORMATS), default="text")
    checking.add_argument(
        "--stdin-filename", metavar="NAME", help="the name that '-' is read and reported under"
    )
    checking.set_defaults(run=_check)

    schema = commands.add_parser("schema", help="look into the schema of a release")
    schema_commands = schema.add_subparsers(required=True, metavar="COMMAND")
    listing = schema_commands.add_parser("list", help="the releases, or the keys of one")
    listing.add_argument("--verl", metavar="RELEASE")
    listing.set_defaults(run=_schema_list)
    showing = schema_commands.add_parser("show", help="one key through all releases")
    showing.add_argument("key", metavar="KEY", help="a key, or its end: actor.use_dynamic_bsz")
    showing.set_defaults(run=_schema_show)
    comparing = schema_commands.add_parser("diff", help="what changed between two releases")
    comparing.add_argument("old", metavar="A")
    comparing.add_argument("new", metavar="B")
    comparing.set_defaults(run=_schema_diff)

    adding = schema_commands.add_parser(
        "add", help="make the schema of a further release from its wheel, which pip brings"
    )
    adding.add_argument("release", metavar="RELEASE")
    adding.add_argument("--wheel", type=Path, metavar="FILE", help="the wheel, if it is here")
    adding.add_argument(
        "--to",
        type=Path,
        metavar="FOLDER",
        help="where the schema goes; without it, into the package of a checkout",
    )
    adding.set_defaults(run=_schema_add)
    reading = schema_commands.add_parser(
        "unread", help="what people have to read again in verl's code for a release"
    )
    reading.add_argument("release", metavar="RELEASE", nargs="?", help="without one, the newest")
    reading.set_defaults(run=_schema_unread)

    explaining = commands.add_parser("explain", help="say what a rule checks")
    explaining.add_argument("rule", metavar="RULE")
    explaining.set_defaults(run=_explain)
    return parser


def _check(options: argparse.Namespace) -> int:
    settings = config.load(_here())
    named = _named_release(options, settings)
    release = load(named)
    entry = options.entry or settings.entry
    if entry is not None and release.entry(entry) is None:
        known = ", ".join(entry.module for entry in release.facts.entries)
        return _usage(f"verl {release.name} has no entry point '{entry}'; it has {known}")
    if not unread.is_read(release):
        output.complain(
            f"what was read in the code of earlier releases is not taken for facts of verl "
            f"{release.name}; see: snippet-checker schema unread {named}"
        )
    against = pipeline.Options(
        named,
        entry,
        strict=options.strict or settings.strict,
        vocabulary=_vocabulary(settings),
        ignore=_ignored(settings),
    )
    wrong: list[Failure] = []  # paths that nothing can be read at
    refused: list[Failure] = []  # folders that cannot be searched
    if options.paths == ["-"]:
        result = _check_input(options.stdin_filename, against)
    else:
        paths = _usable([Path(path) for path in options.paths] or _configured(settings), wrong)
        found = runner.find_files(paths, settings.root.resolve(), settings.exclude, refused.append)
        cache = None if options.no_cache else _cache(settings, against)
        with _progress() as show:
            result = runner.check_paths(found, against, show, cache)
    result = replace(result, failures=(*wrong, *refused, *result.failures))
    _report(result, options.format)
    for failure in result.failures:
        output.complain(failure.message, about=failure.path)
    return _status(result, wrong)


def _named_release(options: argparse.Namespace, settings: config.Config) -> str:
    """The release to check against, or the path of its snapshot, from the project's root on."""
    if options.verl is None and settings.verl is not None and is_snapshot(settings.verl):
        return str(settings.root / settings.verl)
    return options.verl or settings.verl or newest()


def _usable(paths: Iterable[Path], wrong: list[Failure]) -> list[Path]:
    """The paths where a file or a folder is; the others are added to `wrong`."""
    usable = []
    for path in paths:
        if reason := files.why_not(path):
            wrong.append(Failure(path.as_posix(), reason))
            continue
        usable.append(path)
        if path.is_file() and path.suffix.lower() not in documents.SUFFIXES:
            output.complain(f"not checked, only {_SUFFIXES} are", about=str(path))
    return usable


def _status(result: Result, wrong: Sequence[Failure]) -> int:
    if len(result.failures) > len(wrong):
        return NOT_CHECKED
    if wrong:
        return USAGE
    if not result.counts.files:
        output.complain(f"no file to check: give files or folders that hold {_SUFFIXES}")
        return NOTHING_TO_CHECK
    return FOUND if result.findings else CLEAN


def _cache(settings: config.Config, against: pipeline.Options) -> Cache | None:
    if settings.cache is None:
        return None
    snapshot = Path(against.release)
    digest = digest_of(snapshot.read_bytes()) if is_snapshot(against.release) else None
    without_order = replace(against, ignore=frozenset()), sorted(against.ignore), digest
    return Cache(settings.root / settings.cache, without_order)


def _vocabulary(settings: config.Config) -> glossary.Vocabulary:
    if settings.glossary is None:
        return glossary.Vocabulary()
    return glossary.vocabulary(glossary_file.load(settings.root / settings.glossary))


def _ignored(settings: config.Config) -> frozenset[str]:
    known = rules.all_rules()
    for name in settings.ignore:
        if name not in known:
            file = settings.root / "pyproject.toml"
            raise config.ConfigError(
                f"{file}: [tool.snippet-checker] 'ignore' has '{name}', which is no rule; "
                f"there are {', '.join(known)}"
            )
    return frozenset(settings.ignore)


def _report(result: Result, format_name: str) -> None:
    if format_name == "text" and sys.stdout is not None and sys.stdout.isatty():
        from rich.console import Console

        from snippet_checker.reports import terminal

        console = Console(highlight=False)
        with console.capture() as captured:
            terminal.show(result, console)
        output.write_as_is(captured.get())
    else:
        form = reports.FORMATS[format_name]
        output.write(form.lines(result), form.escape)


def _here() -> Path:
    try:
        return Path.cwd()
    except OSError:
        raise config.ConfigError("the current folder is gone; go to another one") from None


def _configured(settings: config.Config) -> list[Path]:
    here = _here()
    paths = (settings.root / path for path in settings.paths)
    return [path.relative_to(here) if path.is_relative_to(here) else path for path in paths]


def _check_input(name: str | None, against: pipeline.Options) -> Result:
    if name is None or Path(name).suffix.lower() not in documents.SUFFIXES:
        raise config.ConfigError(f"'-' needs --stdin-filename NAME that ends in one of {_SUFFIXES}")
    if sys.stdin is None:
        raise config.ConfigError("standard input is closed")
    try:
        data = files.up_to(files.MOST_BYTES, sys.stdin.buffer)
        files.text_of(data)
    except OSError as error:
        raise config.ConfigError(f"standard input cannot be read: {error.strerror}") from None
    except files.UnreadableFile as error:
        raise config.ConfigError(f"standard input {error}") from None
    return runner.check_input(name, data, against)


@contextmanager
def _progress() -> Iterator[Callable[[int, Path], None]]:
    """What says how far a check is, once it has taken a while."""
    started, line = time.monotonic(), output.Progress()

    def show(number: int, path: Path) -> None:
        if time.monotonic() - started > _PROGRESS_AFTER:
            line.show(f"checked {number} files, now {path}")

    try:
        yield show
    finally:
        line.clear()


def _schema_list(options: argparse.Namespace) -> int:
    names = releases() if options.verl is None else sorted(load(options.verl).keys)
    output.write(names)
    return CLEAN


def _schema_show(options: argparse.Namespace) -> int:
    key, release = options.key, load(newest())
    keys = release.glob(key) if "*" in key else release.expand(key)
    keys = (key,) if history.of_key(key) else keys
    if not keys:
        best = suggest(key, release)
        hint = f"; did you mean {' or '.join(best)}?" if best else ""
        return _usage(f"no release of verl has the key '{key}'{hint}")
    first, *others = (reports.history.show(name) for name in keys)
    output.write(chain(first, *(["", *lines] for lines in others)))
    return CLEAN


def _schema_diff(options: argparse.Namespace) -> int:
    output.write(reports.history.diff(options.old, options.new))
    return CLEAN


def _schema_unread(options: argparse.Namespace) -> int:
    release = load(options.release or newest())
    output.write(reports.unread.lines(unread.unread(release), release.name))
    return CLEAN


def _schema_add(options: argparse.Namespace) -> int:
    from snippet_checker.snapshot_builder import add
    from snippet_checker.snapshot_builder.config_files import SnapshotError
    from snippet_checker.snapshot_builder.wheel import WheelError

    try:
        added = add.add(options.release, options.wheel, options.to)
    except (add.AddError, WheelError) as error:
        return _usage(str(error))
    except SnapshotError as error:
        for line in error.lines:
            output.complain(line)
        output.complain(
            f"verl {options.release} was not added: without these facts, what is said about it "
            "would be wrong; nothing was written"
        )
        return NOT_CHECKED
    known = "new" if added.is_new else "as recorded"
    output.write([f"{added.wheel.name}: SHA-256 {added.wheel.sha256} ({known})"])
    release = load(str(added.path))
    if added.before is not None:
        output.write(["", *reports.history.diff(added.before, str(added.path))])
    output.write(["", *reports.unread.lines(unread.unread(release), release.name, added.change)])
    output.write(["", f"{added.path}: the schema of verl {release.name}"])
    return CLEAN


def _explain(options: argparse.Namespace) -> int:
    known = rules.all_rules()
    if options.rule not in known:
        return _usage(f"there is no rule '{options.rule}'; there are {', '.join(known)}")
    rule = known[options.rule]
    output.write([f"{rule.id} ({rule.severity}, stage {rule.stage}): {rule.summary}"])
    return CLEAN


def _usage(message: str) -> int:
    output.complain(message)
    return USAGE
