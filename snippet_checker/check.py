"""The whole pipeline: paths -> documents -> blocks -> snippets -> rules -> findings."""

from __future__ import annotations

import fnmatch
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from snippet_checker import documents, languages, rules
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
from snippet_checker.rules import Case
from snippet_checker.schema.judge import argument, judge
from snippet_checker.schema.release import Release, load, releases
from snippet_checker.schema.relevance import is_about_verl, may_be_about_verl
from snippet_checker.schema.tree import Status
from snippet_checker.suppress import suppress

_SKIPPED_FOLDERS = frozenset({".git", ".venv", "node_modules", "__pycache__", "_build"})


@dataclass(frozen=True, slots=True)
class Options:
    """What to check against: a release, and the entry point of snippets that name none."""

    release: str
    entry: str | None = None


def check_paths(
    files: Sequence[Path],
    options: Options,
    progress: Callable[[int, Path], None] = lambda number, path: None,
) -> Result:
    """Check files; one that cannot be read becomes a finding, and the rest go on."""
    counts, findings = Counts(), []
    for number, path in enumerate(files, start=1):
        progress(number, path)
        try:
            blocks = documents.read_file(path)
        except documents.UnreadableFile as error:
            problem = Problem(Span(path.as_posix(), 1, 1, 1, 1), f"the file {error}")
            counts += Counts(files=1)
            findings.append(_finding("unreadable-file", problem))
            continue
        file_counts, file_findings = check_blocks(blocks, options)
        counts += file_counts
        findings += file_findings
    return Result(options.release, counts, _sorted(findings))


def check_text(name: str, text: str, options: Options) -> Result:
    """Check a text as if it stood in the file `name`."""
    counts, findings = check_blocks(documents.read_text(name, text), options)
    return Result(options.release, counts, _sorted(findings))


def check_blocks(blocks: Iterable[Block], options: Options) -> tuple[Counts, list[Finding]]:
    """Check the blocks of one document."""
    read = [(block, languages.read(block)) for block in blocks]
    cases = [(block, list(_cases(block, snippets, options))) for block, snippets in read]
    decided = _about_verl([case for _, several in cases for case in several])
    counts, findings = Counts(files=1), []
    for block, several in cases:
        problems = [item for case in several if id(case) in decided for item in _problems(case)]
        left = suppress(block, problems)
        findings += [_finding(rule, problem) for rule, problem in left.kept]
        counts += Counts(ignored=left.ignored)
        for case in several:
            counts += _counted(case, id(case) in decided)
    return counts, findings


def _cases(block: Block, snippets: Iterable[Snippet], options: Options) -> Iterator[Case]:
    if any(directive.word is Word.NOT_VERL for directive in block.directives):
        return
    release = _release_for(block, options)
    for snippet in snippets:
        if snippet.entry is None and options.entry is not None:
            snippet = replace(snippet, entry=options.entry)
        if _runs_without_hydra(snippet):
            snippet = replace(snippet, settings=(), faults=())
        yield Case(snippet, judge(snippet, release))


def _runs_without_hydra(snippet: Snippet) -> bool:
    """Whether a command starts a program that never took overrides: `verl.model_merger`, say."""
    if snippet.context is not Context.COMMAND or snippet.entry is None:
        return False
    return all(load(name).entry(snippet.entry) is None for name in releases())


def _release_for(block: Block, options: Options) -> Release:
    named = argument(block, Word.RELEASE)
    return load(named if named in releases() else options.release)


def _about_verl(cases: Sequence[Case]) -> set[int]:
    """The cases whose every setting has to hold, by identity."""
    sure = {id(case) for case in cases if is_about_verl(case.snippet, case.release)}
    telling = any(
        id(case) in sure and case.snippet.settings and case.snippet.context is not Context.MENTION
        for case in cases
    )
    if telling:
        sure |= {id(case) for case in cases if may_be_about_verl(case.snippet)}
    return sure


def _problems(case: Case) -> Iterator[tuple[str, Problem]]:
    for rule in rules.all_rules().values():
        for problem in rule.check(case):
            yield rule.id, problem


def _counted(case: Case, judged: bool) -> Counts:
    total = len(case.snippet.settings)
    if not total:
        return Counts()
    unjudged = sum(verdict.status is Status.UNJUDGED for verdict in case.judgement.verdicts)
    return Counts(snippets=1, settings=total, unchecked=unjudged if judged else total)


def _finding(rule: str, problem: Problem) -> Finding:
    known = rules.all_rules()[rule]
    return Finding(
        rule,
        known.severity,
        known.stage,
        problem.span,
        problem.message,
        problem.key,
        problem.suggestion,
    )


def _sorted(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    def place(finding: Finding) -> tuple[str, int, int, str, str]:
        span = finding.span
        return span.path, span.line, span.column, finding.rule, finding.message

    return tuple(sorted(dict.fromkeys(findings), key=place))


def find_files(paths: Iterable[Path], exclude: Sequence[str] = ()) -> list[Path]:
    """The files to check under `paths`: folders are searched, named files taken as they are."""
    found: dict[Path, None] = {}
    for path in paths:
        if path.is_file():
            found[path] = None
            continue
        for file in sorted(path.rglob("*")):
            if file.suffix.lower() in documents.SUFFIXES and file.is_file():
                inner = file.relative_to(path)
                if _SKIPPED_FOLDERS.isdisjoint(inner.parts) and not _excluded(file, exclude):
                    found[file] = None
    return [file for file in found if file.suffix.lower() in documents.SUFFIXES]


def _excluded(file: Path, patterns: Sequence[str]) -> bool:
    return any(fnmatch.fnmatch(file.as_posix(), pattern) for pattern in patterns)
