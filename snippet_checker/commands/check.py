"""`snippet-checker check`."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from snippet_checker import config, documents, files, output, pipeline, reports, rules, runner
from snippet_checker.cache import Cache, digest_of
from snippet_checker.errors import UserError
from snippet_checker.findings import Failure, Result
from snippet_checker.judge import unread
from snippet_checker.statuses import CLEAN, FOUND, NOT_CHECKED, NOTHING_TO_CHECK, USAGE
from snippet_checker.translations import glossary, glossary_file
from snippet_checker.verl.release import is_snapshot, load, newest

_PROGRESS_AFTER = 1.0  # seconds
_SUFFIXES = ", ".join(documents.SUFFIXES)


def run(options: argparse.Namespace) -> int:
    """Check what the arguments name; returns the exit status."""
    settings = config.load(_here())
    named = _named_release(options, settings)
    release = load(named)
    entry = options.entry or settings.entry
    if entry is not None and release.entry(entry) is None:
        known = ", ".join(entry.module for entry in release.facts.entries)
        raise UserError(f"verl {release.name} has no entry point '{entry}'; it has {known}")
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
            result = runner.check_paths(found, against, show, cache, options.jobs)
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
        form = reports.form(format_name)
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
