"""The whole pipeline: paths -> documents -> blocks -> snippets -> rules -> findings."""

from __future__ import annotations

import fnmatch
import os
import traceback
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TypeGuard

from snippet_checker import documents, files, languages, rules
from snippet_checker.cache import Cache, Checked, digest_of
from snippet_checker.glossary import Vocabulary
from snippet_checker.inert import bounded
from snippet_checker.model import (
    Block,
    Context,
    Counts,
    Failure,
    Finding,
    Problem,
    Result,
    Snippet,
    Span,
    Word,
)
from snippet_checker.rules import Case, Rule
from snippet_checker.rules.base import NO_TERMS
from snippet_checker.schema.judge import Judgement, argument, judge
from snippet_checker.schema.release import Release, is_verls_program, load, releases
from snippet_checker.schema.relevance import weigh
from snippet_checker.schema.verdict import Gap, Verdict, unjudged
from snippet_checker.suppress import answers_for, suppress
from snippet_checker.work import Work

_FILES_FOR_A_PROCESS = 40
_LONGEST_KEY = 1_000  # characters
UNVERIFIED, UNREADABLE = "unverified-setting", "unreadable-file"
UNCHECKED = "unchecked-part"
_PACKAGE = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Options:
    """What to check against: a release, and the entry point of snippets that name none.

    The release is a name, or the path of a snapshot.
    `strict` makes a finding of each setting that nothing can be said about. `vocabulary` is what
    translations have to say for the terms of their originals. Rules in `ignore` report nothing.
    """

    release: str
    entry: str | None = None
    strict: bool = False
    vocabulary: Vocabulary = NO_TERMS
    ignore: frozenset[str] = frozenset()


def check_paths(
    paths: Sequence[Path],
    options: Options,
    progress: Callable[[int, Path], None] = lambda number, path: None,
    cache: Cache | None = None,
) -> Result:
    """Check files; one that cannot be read becomes a finding, and the rest go on.

    Those that `cache` knows are not checked again.
    """
    found: dict[Path, Checked] = {}
    if cache is not None:
        found = {file: checked for file in paths if (checked := _known(cache, file))}
    left = [file for file in paths if file not in found]
    with closing(_check_files(left, options)) as results:
        for number, (file, checked) in enumerate(results):
            progress(number + 1, file)
            found[file] = checked
    if cache is not None:
        cache.add((file, found[file]) for file in left)
    return _result([(file.as_posix(), found[file]) for file in paths], options)


def _known(cache: Cache, file: Path) -> Checked | None:
    """What is known of a file from the last time, None where it has changed."""
    try:
        return cache.get(file, digest_of(files.read(file)))
    except files.UnreadableFile:
        return None


def _result(checked: Sequence[tuple[str, Checked]], options: Options) -> Result:
    return Result(
        load(options.release).name,
        sum((one.counts for _, one in checked), Counts()),
        _sorted(finding for _, one in checked for finding in one.findings),
        tuple(one.failure for _, one in checked if one.failure is not None),
        {name: one.lines for name, one in checked if one.lines},
    )


def _check_files(
    paths: Sequence[Path], options: Options
) -> Generator[tuple[Path, Checked], None, None]:
    """Each file as it is ready, on several processors where that is worth starting them."""
    check_file = partial(_check_file, options=options)
    count = min(_processors(), len(paths) // _FILES_FOR_A_PROCESS)
    if count < 2:
        yield from ((path, check_file(path)) for path in paths)
        return
    from snippet_checker import workers

    with closing(workers.spread(check_file, paths, count)) as results:
        for path, result in results:
            if isinstance(result, workers.Lost):
                failure = Failure(path.as_posix(), f"{result}; this file was not checked")
                result = Checked(Counts(files=1), failure=failure)
            yield path, result


def _processors() -> int:
    """How many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _check_file(path: Path, options: Options) -> Checked:
    return _guarded(path.as_posix(), lambda: files.read(path), options)


def _guarded(name: str, read: Callable[[], bytes], options: Options) -> Checked:
    """Check what is read; whatever goes wrong is said and goes no further."""
    try:
        data = read()
        return replace(_check_text(name, files.text_of(data), options), digest=digest_of(data))
    except files.UnreadableFile as error:
        problem = Problem(Span(name, 1, 1, 1, 1), f"the file {error}")
        found = () if UNREADABLE in options.ignore else (_finding(UNREADABLE, problem),)
        return Checked(Counts(files=1), found)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # our own mistake must not cost the other files their check
        message = f"{internal_error(error)}; this file was not checked, please report it"
        return Checked(Counts(files=1), failure=Failure(name, message))


def _lines(text: str, findings: Sequence[Finding]) -> dict[int, str]:
    """The lines that findings begin on, by their numbers."""
    if not findings:
        return {}
    lines = text.split("\n")
    numbers = {finding.span.line for finding in findings if finding.span.line <= len(lines)}
    return {number: lines[number - 1].removesuffix("\r") for number in sorted(numbers)}


def internal_error(error: BaseException) -> str:
    """The error and the line of ours that it comes from, for a report."""
    places = [
        (Path(frame.f_code.co_filename), line)
        for frame, line in traceback.walk_tb(error.__traceback__)
    ]
    ours = [(file, line) for file, line in places if file.is_relative_to(_PACKAGE)]
    place = f" in {ours[-1][0].relative_to(_PACKAGE)}:{ours[-1][1]}" if ours else ""
    what = f"{type(error).__name__}: {' '.join(str(error).split())}"
    return f"internal error{place}, {bounded(what.removesuffix(': '))}"


def check_text(name: str, text: str, options: Options) -> Result:
    """Check a text as if it stood in the file `name`."""
    return _result([(name, _check_text(name, text, options))], options)


def check_input(name: str, data: bytes, options: Options) -> Result:
    """The same for a user's bytes, with our own mistakes as failures of the result."""
    return _result([(name, _guarded(name, lambda: data, options))], options)


def _check_text(name: str, text: str, options: Options) -> Checked:
    counts, findings = check_blocks(documents.read_text(name, text), options)
    return Checked(counts, tuple(findings), _lines(text, findings))


def check_blocks(blocks: Iterable[Block], options: Options) -> tuple[Counts, list[Finding]]:
    """Check the blocks of one document."""
    counts = Counts(files=1)
    findings: list[Finding] = []
    for checked in each_block(blocks, options):
        findings += checked.findings
        counts += _counted(checked)
    return counts, findings


@dataclass(frozen=True, slots=True)
class CheckedBlock:
    """One block of a document, its snippets with what became of their settings, and the findings.

    `ignored` counts the findings that the block's directives ignore or expect.
    """

    block: Block
    cases: tuple[Case, ...]
    findings: tuple[Finding, ...]
    ignored: int


def each_block(blocks: Iterable[Block], options: Options) -> Iterator[CheckedBlock]:
    """Check the blocks of one document one by one; they are weighed together."""
    every = list(blocks)
    work = Work(sum(len(block.text) for block in every))
    read = [(block, list(_texts(block, options, work))) for block in every]
    texts_of_all = [text for _, texts in read for text in texts]
    relevant = iter(weigh(texts_of_all))
    beside_others = any(_starts_other_program(*text) for text in texts_of_all)
    active = {rule.id: rule for rule in rules.all_rules().values() if _reports(rule, options)}
    silent = rules.all_rules().keys() - active.keys()
    told: set[str] = set()
    for block, texts in read:
        cases = tuple(
            replace(
                _case(*text, work, relevant=next(relevant), beside_others=beside_others),
                vocabulary=options.vocabulary,
            )
            for text in texts
        )
        problems = [
            (name, problem)
            for case in cases
            for name, rule in active.items()
            for problem in rule.check(case)
            if name != UNCHECKED or _is_news(problem, told)
        ]
        left = suppress(block, problems, silent)
        findings = tuple(_finding(rule, problem) for rule, problem in left.kept)
        yield CheckedBlock(block, cases, findings, left.ignored)


def _is_news(problem: Problem, told: set[str]) -> bool:
    """Whether this is the first part of the file that is left unchecked for this reason."""
    is_news = problem.message not in told
    told.add(problem.message)
    return is_news


def _texts(block: Block, options: Options, work: Work) -> Iterator[tuple[Snippet, Release]]:
    """The snippets of a block, each with the release that it is for."""
    if any(directive.word is Word.NOT_VERL for directive in block.directives):
        return
    release = _release_for(block, options)
    # A block without settings may have directives, which have to hold all the same.
    nothing = [Snippet(block, Context.MENTION, block.span(0, 0))] if block.directives else []
    for snippet in languages.read(block, work) or nothing:
        if snippet.context is Context.FRAGMENT and options.entry is not None:
            snippet = replace(snippet, entry=options.entry)
        yield snippet, release


def _release_for(block: Block, options: Options) -> Release:
    named = argument(block, Word.RELEASE)
    return load(named if named in releases() else options.release)


def _starts_other_program(snippet: Snippet, release: Release) -> bool:
    """Whether a command hands verl's settings to a program of somebody else: `recipe.…`, say."""
    if snippet.context is not Context.COMMAND or is_verls_program(snippet.entry or ""):
        return False
    return any(setting.key in release.known for setting in snippet.settings)


def _case(
    snippet: Snippet, release: Release, work: Work, *, relevant: bool, beside_others: bool
) -> Case:
    if relevant:
        return Case(snippet, judge(snippet, release, work, beside_others=beside_others))
    verdicts = tuple(
        unjudged(setting, Gap.NOT_VERL) for setting in (*snippet.settings, *snippet.unread)
    )
    return Case(replace(snippet, faults=()), Judgement(release, None, verdicts))


def _reports(rule: Rule, options: Options) -> bool:
    return rule.id not in options.ignore and (options.strict or not rule.strict_only)


def _counted(checked: CheckedBlock) -> Counts:
    """What a block holds; a setting that is handed on several times, as in a loop, counts once."""
    snippets = 0
    verdicts: dict[tuple[Span, str], Verdict] = {}
    for case in checked.cases:
        found = case.counted()
        snippets += bool(found)
        for verdict in found:
            verdicts.setdefault((verdict.setting.span, verdict.setting.key), verdict)
    gaps = Counter(v.gap.value for v in verdicts.values() if v.gap is not None)
    if answers_for(checked.block, UNVERIFIED):
        gaps.clear()  # a comment says that this is meant to be so
    return Counts(snippets=snippets, settings=len(verdicts), gaps=gaps, ignored=checked.ignored)


def _finding(rule: str, problem: Problem) -> Finding:
    known = rules.all_rules()[rule]
    return Finding(
        rule,
        problem.severity or known.severity,
        problem.stage or known.stage,
        problem.span,
        bounded(" ".join(problem.message.split())),
        bounded(problem.key) if _is_endless(problem.key) else problem.key,
        None if _is_endless(problem.suggestion) else problem.suggestion,  # half of it is none
    )


def _is_endless(text: str | None) -> TypeGuard[str]:
    """Whether a key or a suggestion is longer than any that people write."""
    return text is not None and len(text) > _LONGEST_KEY


def _sorted(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    def place(finding: Finding) -> tuple[str, int, int, str, str]:
        span = finding.span
        return span.path, span.line, span.column, finding.rule, finding.message

    return tuple(sorted(dict.fromkeys(findings), key=place))


def find_files(
    paths: Iterable[Path],
    root: Path,
    exclude: Sequence[str] = (),
    fail: Callable[[Failure], object] = lambda failure: None,
) -> list[Path]:
    """The files to check under `paths`, each once: folders are searched, files taken as named.

    `exclude` holds glob patterns of what to leave out of folders, relative to `root`. `fail` is
    told of folders that cannot be read.
    """
    found: dict[Path, Path] = {}
    for path in paths:
        for file in [path] if path.is_file() else _search(path, root, exclude, fail):
            if file.suffix.lower() in documents.SUFFIXES:
                found.setdefault(files.real(file), file)
    return list(found.values())


def _search(
    folder: Path, root: Path, exclude: Sequence[str], fail: Callable[[Failure], object]
) -> Iterator[Path]:
    def refuse(folder: Path, why: str) -> None:
        fail(Failure(folder.as_posix(), f"{why}; nothing in it was checked"))

    for file in files.under(folder, refuse):
        place = files.real(file)
        name = (place.relative_to(root) if place.is_relative_to(root) else place).as_posix()
        if not any(fnmatch.fnmatch(name, glob) for glob in exclude):
            yield file
