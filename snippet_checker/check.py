"""The whole pipeline: paths -> documents -> blocks -> snippets -> rules -> findings."""

from __future__ import annotations

import fnmatch
import os
import traceback
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from snippet_checker import documents, languages, rules
from snippet_checker.cache import Cache, Checked, digest_of
from snippet_checker.glossary import Vocabulary
from snippet_checker.model import (
    Block,
    Context,
    Counts,
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

_FILES_FOR_A_PROCESS, _FILES_AT_ONCE = 40, 8
UNVERIFIED, UNREADABLE = "unverified-setting", "unreadable-file"
UNCHECKED = "unchecked-part"
_PACKAGE = Path(__file__).parent
_SKIPPED_FOLDERS = frozenset({".git", ".venv", "node_modules", "__pycache__", "_build"})


@dataclass(frozen=True, slots=True)
class Options:
    """What to check against: a release, and the entry point of snippets that name none.

    `strict` makes a finding of each setting that nothing can be said about. `vocabulary` is what
    translations have to say for the terms of their originals. Rules in `ignore` report nothing.
    """

    release: str
    entry: str | None = None
    strict: bool = False
    vocabulary: Vocabulary = NO_TERMS
    ignore: frozenset[str] = frozenset()


def check_paths(
    files: Sequence[Path],
    options: Options,
    progress: Callable[[int, Path], None] = lambda number, path: None,
    cache: Cache | None = None,
) -> Result:
    """Check files; one that cannot be read becomes a finding, and the rest go on.

    Those that `cache` knows are not checked again.
    """
    digests = {file: digest_of(file) for file in files} if cache is not None else {}
    found = {
        file: checked
        for file, digest in digests.items()
        if cache and digest and (checked := cache.get(file, digest))
    }
    left = [file for file in files if file not in found]
    for number, (file, checked) in enumerate(zip(left, _check_files(left, options), strict=True)):
        progress(number + 1, file)
        found[file] = checked
    if cache is not None:
        cache.add((file, digest, found[file]) for file in left if (digest := digests[file]))
    counts = sum((found[file].counts for file in files), Counts())
    findings = [finding for file in files for finding in found[file].findings]
    failures = [failure for file in files if (failure := found[file].failure)]
    return Result(options.release, counts, _sorted(findings), tuple(failures))


def _check_files(files: Sequence[Path], options: Options) -> Iterator[Checked]:
    """Each file in its turn, on several processors where that is worth starting them."""
    check_file = partial(_check_file, options=options)
    workers = min(os.cpu_count() or 1, len(files) // _FILES_FOR_A_PROCESS)
    if workers < 2:
        yield from map(check_file, files)
        return
    from concurrent.futures import ProcessPoolExecutor

    with ProcessPoolExecutor(workers) as pool:
        yield from pool.map(check_file, files, chunksize=_FILES_AT_ONCE)


def _check_file(path: Path, options: Options) -> Checked:
    return _guarded(path, lambda: documents.read_file(path), options)


def _guarded(path: Path, read: Callable[[], Iterable[Block]], options: Options) -> Checked:
    """Check what is read; whatever goes wrong is said and goes no further."""
    try:
        counts, findings = check_blocks(read(), options)
        return Checked(counts, tuple(findings))
    except documents.UnreadableFile as error:
        problem = Problem(Span(path.as_posix(), 1, 1, 1, 1), f"the file {error}")
        found = () if UNREADABLE in options.ignore else (_finding(UNREADABLE, problem),)
        return Checked(Counts(files=1), found)
    except Exception as error:  # our own mistake must not cost the other files their check
        return Checked(Counts(files=1), failure=f"{path}: {_internal_error(error)}")


def _internal_error(error: Exception) -> str:
    """The error and the line of ours that it comes from, for a report."""
    frames = traceback.extract_tb(error.__traceback__)
    ours = [frame for frame in frames if Path(frame.filename).is_relative_to(_PACKAGE)]
    place = f" in {Path(ours[-1].filename).relative_to(_PACKAGE)}:{ours[-1].lineno}" if ours else ""
    return f"internal error{place}, {type(error).__name__}: {' '.join(str(error).split())}"


def check_text(name: str, text: str, options: Options) -> Result:
    """Check a text as if it stood in the file `name`."""
    counts, findings = check_blocks(documents.read_text(name, text), options)
    return Result(options.release, counts, _sorted(findings))


def check_input(name: str, text: str, options: Options) -> Result:
    """The same for a text of a user's, with our own mistakes as failures of the result."""
    checked = _guarded(Path(name), lambda: documents.read_text(name, text), options)
    failures = (checked.failure,) if checked.failure else ()
    return Result(options.release, checked.counts, _sorted(checked.findings), failures)


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
    verdicts = tuple(unjudged(setting, Gap.NOT_VERL) for setting in snippet.settings)
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
        known.severity,
        problem.stage or known.stage,
        problem.span,
        " ".join(problem.message.split()),
        problem.key,
        problem.suggestion,
    )


def _sorted(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    def place(finding: Finding) -> tuple[str, int, int, str, str]:
        span = finding.span
        return span.path, span.line, span.column, finding.rule, finding.message

    return tuple(sorted(dict.fromkeys(findings), key=place))


def find_files(paths: Iterable[Path], root: Path, exclude: Sequence[str] = ()) -> list[Path]:
    """The files to check under `paths`, each once: folders are searched, files taken as named.

    `exclude` holds glob patterns of what to leave out of folders, relative to `root`.
    """
    found: dict[Path, Path] = {}
    for path in paths:
        for file in [path] if path.is_file() else _search(path, root, exclude):
            if file.suffix.lower() in documents.SUFFIXES:
                found.setdefault(file.resolve(), file)
    return list(found.values())


def _search(folder: Path, root: Path, exclude: Sequence[str]) -> Iterator[Path]:
    for parent, folders, names in os.walk(folder):
        folders[:] = sorted(set(folders) - _SKIPPED_FOLDERS)
        for file in (Path(parent, name) for name in sorted(names)):
            place = file.resolve()
            name = (place.relative_to(root) if place.is_relative_to(root) else place).as_posix()
            if file.is_file() and not any(fnmatch.fnmatch(name, glob) for glob in exclude):
                yield file
