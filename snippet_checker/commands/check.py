"""`snippet-checker check`."""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from snippet_checker import config, documents, files, output, reports, results, runner
from snippet_checker.disk import DiskFiles
from snippet_checker.errors import UserError
from snippet_checker.file_options import ExplicitOptions, FileOptions, file_options
from snippet_checker.findings import Failure, Result
from snippet_checker.fixing import Fixer
from snippet_checker.judge import review
from snippet_checker.links import Links
from snippet_checker.projects.project import Project
from snippet_checker.reports import summary, text
from snippet_checker.statuses import CLEAN, FOUND, NOT_CHECKED, NOTHING_TO_CHECK, USAGE
from snippet_checker.verl.release import load

_PROGRESS_AFTER = 1.0  # seconds
_EXAMPLES = ", ".join(documents.EXAMPLES)


class _Call(Struct, frozen=True):
    """A call of the command, with what its arguments and the configuration come to."""

    arguments: argparse.Namespace
    options: FileOptions
    fixer: Fixer | None
    links: Links


def run(arguments: argparse.Namespace) -> int:
    """Check what the arguments name; returns the exit status."""
    settings = config.of(arguments.config).without(arguments.exclude)
    links = Links.below(settings.site)
    explicit = ExplicitOptions(
        arguments.verl, arguments.entry, arguments.strict, arguments.select, arguments.ignore
    )
    options = file_options(settings, explicit)
    call = _Call(arguments, options, _fixer(arguments, options), links)
    if not call.arguments.quiet:
        _warn_of_unreviewed(options)
    if arguments.paths == ["-"]:
        return _run_on_input(call)
    if "-" in arguments.paths:
        raise UserError("'-' is standard input, and no path can be given besides it")
    return _run_on_paths(call, settings)


def _run_on_paths(call: _Call, settings: config.Config) -> int:
    """Check files and folders, or show which files these are."""
    arguments, options = call.arguments, call.options
    named = [Path(path) for path in arguments.paths] or configured_paths(settings)
    paths, wrong = runner.usable_paths(named)
    has_unknown = _warn_of_unknown_formats(paths)
    file_filter = runner.FileFilter.of(settings, forced=arguments.force_exclude)
    found = runner.find_files(paths, file_filter)
    if not call.arguments.quiet:
        _warn_of_unused(found.unused, arguments)
    if arguments.show_files:
        return _show(found.files, arguments, (*wrong, *found.failures))
    folder = None if arguments.no_cache else settings.cache_folder
    with _progress(is_shown=not arguments.quiet) as show:
        run_options = runner.RunOptions(
            cache=None if folder is None else options.cache(folder),
            jobs=arguments.jobs,
            file_filter=file_filter,
            options_of=options.of,
            fix=call.fixer.fix if call.fixer is not None else None,
            progress=show,
        )
        result = runner.check_paths(found.files, options.default, run_options)
    failures = (*wrong, *found.failures, *result.failures)
    by_suffix = Counter(file.suffix.lower() for file in found.skipped)
    result = replace(result, failures=failures, skipped=by_suffix, links=call.links)
    if not call.arguments.quiet:
        _warn_of_stale_baseline(options, found.files, result)
        _note_releases_of_projects(options, found.files)
        _note_unsupported_files(found.skipped)
    return _report_result(call, result, _status(result, wrong, has_unknown=has_unknown))


def _show(found: Sequence[Path], arguments: argparse.Namespace, failures: Sequence[Failure]) -> int:
    """Say which files would be checked; returns the exit status."""
    with output.into(arguments.output_file):
        output.write(file.as_posix() for file in found)
    for failure in failures:
        output.complain(failure.message, about=failure.path)
    if failures:
        return USAGE
    return CLEAN if found else NOTHING_TO_CHECK


def _fixer(arguments: argparse.Namespace, options: FileOptions) -> Fixer | None:
    if not (arguments.fix or arguments.unsafe_fixes or arguments.diff):
        return None
    return Fixer(options.of, writing=not arguments.diff, unsafe=arguments.unsafe_fixes)


def _run_on_input(call: _Call) -> int:
    """Check standard input, and write what it is after its fixes."""
    arguments, options, fixer = call.arguments, call.options, call.fixer
    name, data = _input(arguments.stdin_filename)
    checked = runner.check_bytes(name, data, options.of(Path(name)))
    if fixer is not None and checked.failure is None:
        fixed = fixer.fixed_text(Path(name), files.text_of(data), checked)
        fixer.fixed = fixed.count
        if fixer.writing:
            output.write_as_is(fixed.text)
        if fixer.writing or fixed.checked.failure is not None:
            checked = fixed.checked
    result = replace(results.result_of([(name, checked)], options.default), links=call.links)
    return _report_result(call, result, _status(result, (), has_unknown=False))


def _report_result(call: _Call, result: Result, status: int) -> int:
    """Write the report; returns the exit status, which `--exit-zero` may lower."""
    arguments, fixer = call.arguments, call.fixer
    if fixer is not None and not fixer.writing:
        with output.into(arguments.output_file):
            output.write_difference(fixer.differences)
        if not call.arguments.quiet:
            output.complain(summary.would_fix(result, fixer.fixed, unsafe=fixer.unsafe))
    else:
        _report_findings(call, result)
    if arguments.verbose and result.skipped:
        output.complain(f"not read in the folders: {summary.skipped(result)}")
    for failure in result.failures:
        output.complain(failure.message, about=failure.path)
    return CLEAN if status == FOUND and arguments.exit_zero else status


def _report_findings(call: _Call, result: Result) -> None:
    """Write what was found: to standard error, where the fixed text goes to standard output."""
    arguments, fixer = call.arguments, call.fixer
    shown = result.findings[: None if arguments.statistics else arguments.max_findings]
    left_out = len(result.findings) - len(shown)
    fixed = fixer.fixed if fixer is not None else 0
    reported = replace(
        result, findings=shown, left_out=left_out, fixed=fixed, is_brief=arguments.quiet
    )
    holds_text = fixer is not None and arguments.paths == ["-"]
    with output.into(arguments.output_file):
        to_error = holds_text and arguments.output_file is None
        name = "statistics" if arguments.statistics else arguments.format
        _report(reported, name, arguments.color, on_error=to_error)


def _warn_of_unreviewed(options: FileOptions) -> None:
    named = options.default.release
    release = load(named)
    if not review.is_reviewed(release):
        output.complain(
            f"what was read in the code of earlier releases is not taken for facts of verl "
            f"{release.name}; see: snippet-checker schema unread {named}"
        )


def _warn_of_stale_baseline(options: FileOptions, found: Iterable[Path], result: Result) -> None:
    """Say how much is accepted that is no longer found, where all is looked for."""
    if options.explicit != ExplicitOptions():
        return
    accepted = sum(entry.count for file in found for entry in options.baseline_of(file))
    gone = accepted - result.counts.accepted
    if gone > 0 and not result.failures:
        what = summary.number(gone, "accepted finding")
        output.complain(f"{what} not found any more; see: snippet-checker baseline prune")


def _note_releases_of_projects(options: FileOptions, found: Iterable[Path]) -> None:
    """Say which projects have a release of their own that is not the newest."""
    disk, mentioned = DiskFiles(), set[str]()
    newest = load(options.default.release).name
    for folder in dict.fromkeys(file.parent for file in found):
        readme = folder / "README.md"
        if not options.of(readme).release_is_default:
            continue
        project = Project(str(readme), disk)
        place, said = _source_of_verl(project)
        release = project.release or newest
        is_news = release != newest or project.from_git is not None
        if is_news and place not in mentioned:
            against = f"the project is checked against verl {release}"
            if project.from_git is not None and project.from_git.is_fixed:
                against = "each file is checked against the releases that refuse least of it"
            output.complain(f"{said}: without --verl, {against}", about=place)
        mentioned.add(place)


def _source_of_verl(project: Project) -> tuple[str, str]:
    """Where a project has verl from, and what that says of its release."""
    copy, asked, source = project.verl_copy, project.requirement, project.from_git
    if copy.is_whole:
        said = f"it is verl {copy.version}" if copy.version else "it is verl, and names no release"
        return _from_here(copy.folder, "verl"), said
    if asked is not None:
        return _from_here(asked.folder, asked.file), f"it {asked.verb} verl {asked.version}"
    if (own := project.whole_config) is not None:
        folder, name = os.path.split(own.file)
        return _from_here(folder, name), f"it is a whole config, written out for verl {own.release}"
    if source is not None:
        said = "it takes verl from git, and names no release"
        return _from_here(source.folder, source.file), said
    return "", ""


def _from_here(folder: str | None, name: str) -> str:
    return (files.from_here(Path(str(folder))) / name).as_posix()


def _warn_of_unused(patterns: Iterable[str], arguments: argparse.Namespace) -> None:
    """Say which patterns name nothing, unless the configuration has them for other paths."""
    for pattern in patterns:
        if pattern in arguments.exclude or not arguments.paths:
            output.complain(f"there is nothing to leave out that '{pattern}' names")


def _warn_of_unknown_formats(paths: Iterable[Path]) -> bool:
    """Say which named files are not read; whether there are any."""
    unknown = [path for path in paths if path.is_file() and not runner.is_supported(path)]
    for path in unknown:
        output.complain("it is not checked: it has no format that is read", about=str(path))
    if unknown:
        output.complain(f"files that are read: {_EXAMPLES}")
    return bool(unknown)


def _note_unsupported_files(skipped: Sequence[Path]) -> None:
    """Say which kinds of files start verl or set its keys, and are not read."""
    found = Counter(
        file.suffix.lower() or file.name for file in runner.unsupported_verl_files(skipped)
    )
    if found:
        files_ = f"{summary.number(found.total(), 'file')} of kinds that are not read"
        verb = "starts" if found.total() == 1 else "start"
        output.complain(f"{files_} {verb} verl or set its keys: {summary.kinds(found)}")


def _status(result: Result, wrong: Sequence[Failure], *, has_unknown: bool) -> int:
    if len(result.failures) > len(wrong):
        return NOT_CHECKED
    if wrong:
        return USAGE
    if not result.counts.files:
        hint = "" if has_unknown else f": give files or folders that hold {_EXAMPLES}"
        there = f"; not read: {summary.skipped(result)}" if result.skipped else ""
        output.complain(f"no file to check{hint}{there}")
        return NOTHING_TO_CHECK
    return FOUND if result.findings else CLEAN


def _report(
    result: Result, format_name: str, colour: str = "auto", *, on_error: bool = False
) -> None:
    """Write a result in a format, on standard error where standard output holds a text."""
    stream = sys.stderr if on_error else sys.stdout
    width = output.columns(stream) or text.WIDTH
    if format_name != "text":
        form = reports.form(format_name)
        output.write(form.lines(result), form.escape, on_error=on_error)
    elif output.wants_colour(stream, colour):
        from rich.console import Console

        from snippet_checker.reports import terminal

        console = Console(highlight=False, force_terminal=True, width=width)
        with console.capture() as captured:
            terminal.show(result, console)
        output.write_as_is(captured.get(), on_error=on_error)
    else:
        output.write(text.lines(result, width), on_error=on_error)


def configured_paths(settings: config.Config) -> list[Path]:
    """The paths that the configuration names, as they are called from here."""
    return [files.from_here(settings.root / path) for path in settings.paths]


def _input(name: str | None) -> tuple[str, bytes]:
    """The name that standard input is read under, and what it holds."""
    needed = f"'-' needs --stdin-filename NAME that ends in one of {_EXAMPLES}"
    if name is None:
        raise config.ConfigError(needed)
    if sys.stdin is None:
        raise config.ConfigError("standard input is closed")
    try:
        data = files.read_at_most(files.MOST_BYTES, sys.stdin.buffer)
        files.text_of(data)
    except OSError as error:
        raise config.ConfigError(f"standard input cannot be read: {error.strerror}") from None
    except files.UnreadableFile as error:
        raise config.ConfigError(f"standard input {error}") from None
    if not documents.is_supported(name, data):
        raise config.ConfigError(needed)
    return name, data


@contextmanager
def _progress(*, is_shown: bool) -> Iterator[Callable[[int, Path], None]]:
    """What says how far a check is, once it has taken a while, if that `is_shown`."""
    started, line = time.monotonic(), output.Progress()

    def show(number: int, path: Path) -> None:
        if is_shown and time.monotonic() - started > _PROGRESS_AFTER:
            line.show(f"checked {number} files, now {path}")

    try:
        yield show
    finally:
        line.clear()
