"""`snippet-checker check`."""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from snippet_checker import config, documents, files, output, reports, runner
from snippet_checker.against import Against, Said, against
from snippet_checker.cache import Cache, digest_of
from snippet_checker.findings import Failure, Result
from snippet_checker.judge import unread
from snippet_checker.reports import text
from snippet_checker.statuses import CLEAN, FOUND, NOT_CHECKED, NOTHING_TO_CHECK, USAGE
from snippet_checker.verl.release import is_snapshot, load

_PROGRESS_AFTER = 1.0  # seconds
_EXAMPLES = ", ".join(documents.EXAMPLES)


def run(options: argparse.Namespace) -> int:
    """Check what the arguments name; returns the exit status."""
    settings = config.load(_here())
    chosen = against(settings, Said(options.verl, options.entry, options.strict))
    _warn_of_unread(chosen)
    wrong: list[Failure] = []  # paths that nothing can be read at
    refused: list[Failure] = []  # folders that cannot be searched
    skipped: list[Path] = []  # files of which no format is known
    if options.paths == ["-"]:
        result = _check_input(options.stdin_filename, chosen)
    else:
        paths = _usable([Path(path) for path in options.paths] or _configured(settings), wrong)
        tree = runner.Tree(settings.root.resolve(), settings.exclude)
        found = runner.find_files(paths, tree, refused.append, skipped.append)
        cache = None if options.no_cache else _cache(settings, chosen)
        with _progress() as show:
            result = runner.check_paths(
                found, chosen.options, show, cache, options.jobs, tree, chosen.of
            )
    result = replace(
        result, failures=(*wrong, *refused, *result.failures), skipped=_by_suffix(skipped)
    )
    _report(result, options.format)
    if options.verbose and result.skipped:
        output.complain(f"not read in the folders: {text.skipped(result)}")
    for failure in result.failures:
        output.complain(failure.message, about=failure.path)
    return _status(result, wrong)


def _warn_of_unread(chosen: Against) -> None:
    named = chosen.options.release
    release = load(named)
    if not unread.is_read(release):
        output.complain(
            f"what was read in the code of earlier releases is not taken for facts of verl "
            f"{release.name}; see: snippet-checker schema unread {named}"
        )


def _usable(paths: Iterable[Path], wrong: list[Failure]) -> list[Path]:
    """The paths where a file or a folder is; the others are added to `wrong`."""
    usable = []
    for path in paths:
        if reason := files.why_not(path):
            wrong.append(Failure(path.as_posix(), reason))
            continue
        usable.append(path)
        if path.is_file() and not documents.is_read(path.name):
            output.complain(f"not checked, only {_EXAMPLES} are", about=str(path))
    return usable


def _status(result: Result, wrong: Sequence[Failure]) -> int:
    if len(result.failures) > len(wrong):
        return NOT_CHECKED
    if wrong:
        return USAGE
    if not result.counts.files:
        there = f"; not read: {text.skipped(result)}" if result.skipped else ""
        output.complain(f"no file to check: give files or folders that hold {_EXAMPLES}{there}")
        return NOTHING_TO_CHECK
    return FOUND if result.findings else CLEAN


def _by_suffix(skipped: Iterable[Path]) -> Counter[str]:
    """How many files there are with each suffix, in lower case; those without one under ""."""
    return Counter(file.suffix.lower() for file in skipped)


def _cache(settings: config.Config, against: Against) -> Cache | None:
    if settings.cache is None:
        return None
    options = against.options
    digests = [
        digest_of(Path(name).read_bytes()) for name in against.releases() if is_snapshot(name)
    ]
    without_order = replace(options, ignore=frozenset()), sorted(options.ignore)
    return Cache(
        settings.root / settings.cache, (without_order, digests, against.overrides, against.said)
    )


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


def _check_input(name: str | None, against: Against) -> Result:
    if name is None or not documents.is_read(name):
        raise config.ConfigError(f"'-' needs --stdin-filename NAME that ends in one of {_EXAMPLES}")
    if sys.stdin is None:
        raise config.ConfigError("standard input is closed")
    try:
        data = files.up_to(files.MOST_BYTES, sys.stdin.buffer)
        files.text_of(data)
    except OSError as error:
        raise config.ConfigError(f"standard input cannot be read: {error.strerror}") from None
    except files.UnreadableFile as error:
        raise config.ConfigError(f"standard input {error}") from None
    return runner.check_input(name, data, against.of(Path(name)))


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
