"""The whole way of a text: blocks -> snippets -> verdicts -> problems -> findings.

Nothing here opens a file, starts a process or asks the system for anything; `runner` does that.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, partial
from typing import TypeGuard

from msgspec import Struct
from msgspec.structs import replace

from snippet_checker import documents, rules, snippets
from snippet_checker.accepted import Accepted, Entries
from snippet_checker.documents.block import Block, DirectiveWord
from snippet_checker.findings import Checked, Counts, Finding, Problem, Result
from snippet_checker.fixes.edits import Fixes
from snippet_checker.judge.context import Context, registered_in
from snippet_checker.judge.judgement import Judgement, judge
from snippet_checker.judge.relevance import starts_recipe, weigh
from snippet_checker.judge.verdict import Gap, Unjudged, Verdict
from snippet_checker.likely import CONFLICTS, place, wrong_in, wrong_on_likely
from snippet_checker.projects.configs import package_of
from snippet_checker.projects.file_roles import is_for_no_release
from snippet_checker.projects.files import NO_FILES, ProjectFiles
from snippet_checker.projects.primary_config import starting_point
from snippet_checker.projects.project import Project
from snippet_checker.rules import JudgedSnippet, Rule
from snippet_checker.rules.base import NO_TERMS
from snippet_checker.snippets.snippet import Command, Fragment, Mentions, Snippet
from snippet_checker.suppress import answers_for, suppress
from snippet_checker.text.inert import bounded
from snippet_checker.text.places import Span
from snippet_checker.translations.glossary import Vocabulary
from snippet_checker.verl import drift, history
from snippet_checker.verl.release import Primary, Release, load, releases
from snippet_checker.work import Work

_LONGEST_KEY = 1_000  # characters
UNVERIFIED, UNREADABLE = "unverified-setting", "unreadable-file"
UNCHECKED = "unchecked-part"


class Options(Struct, frozen=True):
    """What to check against: a release, and the entry point of snippets that name none.

    The release is a name, or the path of a snapshot.
    `strict` makes a finding of each setting that nothing can be said about. `vocabulary` is what
    translations have to say for the terms of their originals. Rules in `ignore` report nothing.
    `files` are those around the checked ones, where commands find configs of their own. What is
    `accepted` in a file is no finding of it. In an upgrade to the release (`is_upgrade`), a copy of
    another one counts as outdated. Where nobody named a release, a project that says which one it
    has is `followed`.
    """

    release: str
    entry: str | None = None
    strict: bool = False
    vocabulary: Vocabulary = NO_TERMS
    ignore: frozenset[str] = frozenset()
    files: ProjectFiles = NO_FILES
    accepted: Entries = ()
    is_upgrade: bool = False
    followed: bool = False


def for_project(name: str, options: Options) -> Options:
    """The options for the file `name`, with the release of its project where that is followed."""
    if not options.followed or options.is_upgrade:
        return options
    release = Project(name, options.files).release
    return replace(options, release=release or options.release, followed=False)


def _lines(text: str, findings: Sequence[Finding]) -> dict[int, str]:
    """The lines that findings begin on, and those that their fixes change, by their numbers."""
    if not findings:
        return {}
    lines = text.split("\n")
    numbers = {line for one in findings for line in (one.span.line, *one.lines_of_fix)}
    there = sorted(number for number in numbers if number <= len(lines))
    return {number: lines[number - 1].removesuffix("\r") for number in there}


def check_text(name: str, text: str, options: Options) -> Result:
    """Check a text as if it stood in the file `name`."""
    return result_of([(name, check_document(name, text, options))], options)


def result_of(checked: Sequence[tuple[str, Checked]], options: Options) -> Result:
    """The result of checked files, each under its name, in the order of their places.

    Its release is that of all settings, if they have one in common.
    """
    counts = sum((one.counts for _, one in checked), Counts())
    [release] = counts.releases if len(counts.releases) == 1 else [load(options.release).name]
    return Result(
        release,
        counts,
        in_order(finding for _, one in checked for finding in one.findings),
        tuple(one.failure for _, one in checked if one.failure is not None),
        {name: one.lines for name, one in checked if one.lines},
    )


def check_document(name: str, text: str, options: Options) -> Checked:
    """Check one document, and return its result apart from those of other files."""
    counts, findings = check_blocks(documents.read_text(name, text), options)
    taken_in = tuple((one.path, one.is_rooted) for one in documents.included(name, text))
    return Checked(counts, tuple(findings), _lines(text, findings), includes=taken_in)


def check_blocks(blocks: Iterable[Block], options: Options) -> tuple[Counts, list[Finding]]:
    """Check the blocks of one document."""
    counts = Counts(files=1)
    findings: list[Finding] = []
    for checked in each_block(blocks, options):
        findings += checked.findings
        counts += _counted(checked)
    return counts, findings


class CheckedBlock(Struct, frozen=True):
    """One block of a document, its snippets, and the findings.

    `ignored` counts the findings that directives ignore or expect, `accepted` those that the
    project accepts.
    """

    block: Block
    snippets: tuple[JudgedSnippet, ...]
    findings: tuple[Finding, ...]
    ignored: int
    accepted: int


def each_block(blocks: Iterable[Block], options: Options) -> Iterator[CheckedBlock]:
    """Check the blocks of one document one by one; they are weighed together.

    Where nobody is sure which release of verl a project has, the likely ones are compared.
    """
    document = _read_all(list(blocks))
    checked = list(_each_block(document, options))
    project = Project(document.path, options.files)
    if options.is_upgrade or not options.followed or not any(one.findings for one in checked):
        yield from checked
    elif project.release_may_differ:
        newest = replace(options, followed=False)
        is_older = wrong_in(_findings(checked)) <= wrong_in(_compared(document, newest))
        yield from checked if is_older else _each_block(document, newest)
    elif project.from_git is not None and project.from_git.is_fixed:
        yield from _on_likely(document, options)
    else:
        yield from checked


def _on_likely(document: _Document, options: Options) -> Iterator[CheckedBlock]:
    """What is wrong on each of the releases that refuse least; conflicts are, on the newest."""
    newest_first = reversed(releases())
    on = {name: replace(options, release=name, followed=False) for name in newest_first}
    found = ((name, _compared(document, one)) for name, one in on.items())
    likely, wrong = wrong_on_likely(found)
    for checked in _each_block(document, on[likely]):
        kept = (one for one in checked.findings if place(one) in wrong or one.rule == CONFLICTS)
        yield replace(checked, findings=tuple(kept))


def _compared(document: _Document, options: Options) -> list[Finding]:
    """What is wrong on a release, without conflicts, which take long and tell none apart."""
    ignore = options.ignore | {CONFLICTS}
    return _findings(_each_block(document, replace(options, ignore=ignore)))


def _findings(checked: Iterable[CheckedBlock]) -> list[Finding]:
    return [finding for one in checked for finding in one.findings]


class _Document(Struct, frozen=True):
    """The blocks of a document with their snippets, and what judging these may cost."""

    read: Sequence[tuple[Block, Sequence[Snippet]]]
    work: Work

    @property
    def blocks(self) -> list[Block]:
        return [block for block, _ in self.read]

    @property
    def path(self) -> str:
        return self.read[0][0].path if self.read else ""


def _read_all(blocks: Sequence[Block]) -> _Document:
    """What blocks hold, whatever the release."""
    work = Work(sum(len(block.text) for block in blocks))
    return _Document([(block, _read(block, work)) for block in blocks], work)


def _each_block(document: _Document, options: Options) -> Iterator[CheckedBlock]:
    every = document.blocks
    snippets_of = _judged(document, options)
    active = [rule for rule in rules.all_rules().values() if _reports(rule, options)]
    problems = _problems(snippets_of, active)
    silent = rules.all_rules().keys() - {rule.id for rule in active}
    left = suppress(zip(every, problems, strict=True), silent)
    accepted = Accepted(options.accepted)
    for block, judged, left_here in zip(every, snippets_of, left, strict=True):
        found = [(finding_of(*item), item[1]) for item in left_here.kept]
        new = [(finding, problem) for finding, problem in found if not accepted.takes(finding)]
        fixes = Fixes(block)
        findings = tuple(replace(finding, fix=fixes.of(problem)) for finding, problem in new)
        count = len(found) - len(new)
        yield CheckedBlock(block, judged, findings, left_here.ignored, count)


def _judged(document: _Document, options: Options) -> list[tuple[JudgedSnippet, ...]]:
    """The snippets of each block, judged."""
    path, blocks, work = document.path, document.blocks, document.work.left_for_judging()
    if any(found for _, found in document.read):
        options = for_project(path, options)
    starts_of = [list(_starts(block, found, options)) for block, found in document.read]
    every = [start for starts in starts_of for start in starts]
    relevant = iter(weigh([(start.snippet, start.release) for start in every]))
    starts_others = any(map(_starts_other_program, every)) or any(
        starts_recipe(block.text) for block in blocks
    )
    upgrades_to = load(options.release).name if options.is_upgrade else None
    registered = registered_in(block.text for block in blocks)
    context = Context(Project(path, options.files, upgrades_to), starts_others, registered)
    return [
        tuple(
            replace(
                _judge(start, work, context, relevant=next(relevant)), vocabulary=options.vocabulary
            )
            for start in starts
        )
        for starts in starts_of
    ]


def _problems(
    snippets_of: Iterable[Sequence[JudgedSnippet]], active: Sequence[Rule]
) -> Iterator[list[tuple[str, Problem]]]:
    """What the active rules find in each block.

    Each reason why a part is not checked is reported where it comes up first.
    """
    first: dict[str, Problem] = {}
    for judged_here in snippets_of:
        yield [
            (rule.id, problem)
            for judged in judged_here
            for rule in active
            for problem in rule.check(judged)
            if rule.id != UNCHECKED or first.setdefault(problem.message, problem) is problem
        ]


class _Start(Struct, frozen=True):
    """A snippet, the release that it is for, and the project's own config that it starts from.

    One that is `for_no_release` is a config in the project's copy of verl, one that was printed, or
    data of a test.
    """

    snippet: Snippet
    release: Release
    primary: Primary | None = None
    for_no_release: bool = False


def _read(block: Block, work: Work) -> list[Snippet]:
    """The snippets of a block that may be about verl."""
    if any(directive.word is DirectiveWord.NOT_VERL for directive in block.directives):
        return []
    # A block without settings may have directives, which have to hold all the same.
    nothing = [Mentions(block, block.span(0, 0))] if block.directives else []
    return [*snippets.read(block, work)] or [*nothing]


def _starts(block: Block, found: Iterable[Snippet], options: Options) -> Iterator[_Start]:
    """The snippets of a block, with what each starts from."""
    release = _release_for(block, options)
    # One for all documents of the block.
    package = cache(partial(package_of, block, release, options.files))
    for_none = cache(partial(is_for_no_release, block, options.files))
    for snippet in found:
        if isinstance(snippet, Fragment) and options.entry is not None:
            snippet = replace(snippet, entry=options.entry)
        if isinstance(snippet, Command):
            upgrades_to = release.name if options.is_upgrade else None
            start = starting_point(snippet, release, options.files, upgrades_to)
            yield _Start(start.command, start.release, start.primary)
        elif isinstance(snippet, Fragment):
            if snippet.is_config:
                snippet = replace(snippet, package=package())
            yield _Start(snippet, release, for_no_release=snippet.is_config and for_none())
        else:
            yield _Start(snippet, release)


def _release_for(block: Block, options: Options) -> Release:
    named = block.argument(DirectiveWord.RELEASE)
    return load(named if named in releases() else options.release)


def _starts_other_program(start: _Start) -> bool:
    """Whether a command hands verl's settings to a program of somebody else: `recipe.…`, say.

    One that comes into verl's package later is outside of it till then.
    """
    if not isinstance(start.snippet, Command):
        return False
    entry = start.snippet.entry
    comes_later = (
        drift.moved_program(entry) is not None
        and history.successor_of_entry(entry, start.release) is None
    )
    if start.snippet.starts_verls and not comes_later:
        return False
    return any(setting.key in start.release.all_keys for setting in start.snippet.settings)


def _judge(start: _Start, work: Work, context: Context, *, relevant: bool) -> JudgedSnippet:
    """A snippet with its verdicts: none where it is not about a release of verl."""
    snippet, release = start.snippet, start.release
    if relevant and not start.for_no_release and not _is_anothers(snippet, context):
        judgement = judge(snippet, release, work, primary=start.primary, context=context)
        return JudgedSnippet(snippet, judgement, context=context)
    if isinstance(snippet, Mentions):  # whose faults are the file's, whatever it is about
        gap, snippet = Gap.NO_KEY, replace(snippet, claims=(), files=())
    else:
        gap = Gap.OTHER_PROGRAM if start.for_no_release else Gap.NOT_VERL
        snippet = replace(snippet, faults=())
    verdicts = tuple(Unjudged(setting, gap) for setting in (*snippet.settings, *snippet.unread))
    return JudgedSnippet(snippet, Judgement(release, None, verdicts))


def _is_anothers(snippet: Snippet, context: Context) -> bool:
    """Whether a snippet of a project with a trainer of its own starts none of verl's programs."""
    is_verls = isinstance(snippet, Command) and snippet.starts_verls
    return not is_verls and context.project.code.has_own_trainer


def _reports(rule: Rule, options: Options) -> bool:
    return rule.id not in options.ignore and (options.strict or not rule.strict_only)


def _counted(checked: CheckedBlock) -> Counts:
    """What a block holds; a setting that is handed on several times, as in a loop, counts once."""
    snippets = 0
    releases = set[str]()
    verdicts: dict[tuple[Span, str], Verdict] = {}
    for judged in checked.snippets:
        if not (found := judged.counted()):
            continue
        snippets += 1
        releases.add(judged.release.name)
        for verdict in found:
            verdicts.setdefault((verdict.setting.span, verdict.setting.key), verdict)
    gaps = Counter(v.gap.value for v in verdicts.values() if isinstance(v, Unjudged))
    if answers_for(checked.block, UNVERIFIED):
        gaps.clear()  # a comment says that this is meant to be so
    return Counts(
        snippets=snippets,
        settings=len(verdicts),
        gaps=gaps,
        ignored=checked.ignored,
        accepted=checked.accepted,
        releases=frozenset(releases),
    )


def finding_of(rule: str, problem: Problem) -> Finding:
    """What a rule found, fit to be reported."""
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


def in_order(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Findings by their places, each once."""

    def place(finding: Finding) -> tuple[str, int, int, str, str]:
        span = finding.span
        return span.path, span.line, span.column, finding.rule, finding.message

    return tuple(sorted(dict.fromkeys(findings), key=place))
