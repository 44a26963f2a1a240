"""The whole way of a text: blocks -> snippets -> verdicts -> problems -> findings.

Nothing here opens a file, starts a process or asks the system for anything; `runner` does that.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, partial
from itertools import chain
from typing import TypeAlias

from msgspec.structs import replace

from snippet_checker import another_verl, documents, rules
from snippet_checker.another_verl import Taken
from snippet_checker.baseline_entries import RemainingBaseline
from snippet_checker.documents.block import Block
from snippet_checker.findings import CONFLICTS, Checked, Counts, Finding, Problem, Result
from snippet_checker.fixes.edits import Fixes
from snippet_checker.judged_document import JudgedDocument
from snippet_checker.likely import OF_CODE, Place, places_of, wrong_in, wrong_on_likely
from snippet_checker.options import Options
from snippet_checker.results import CheckedBlock, counts_of, finding_of, lines_of, result_of
from snippet_checker.rules import JudgedSnippet, Rule
from snippet_checker.suppress import Suppressed, suppress
from snippet_checker.verl.release import load, releases

__all__ = ["Options", "check_blocks", "check_document", "check_text", "checked_blocks"]

Compared: TypeAlias = Callable[[str], list[Finding]]
"""What is wrong with a document on a release, to compare it with others; each is asked once."""

_UNCHECKED = "unchecked-part"


def check_text(name: str, text: str, options: Options) -> Result:
    """Check a text as if it stood in the file `name`."""
    return result_of([(name, check_document(name, text, options))], options)


def check_document(name: str, text: str, options: Options) -> Checked:
    """Check one document, and return its result apart from those of other files."""
    counts, findings = check_blocks(documents.read_text(name, text), options)
    includes = documents.included(name, text)
    return Checked(counts, tuple(findings), lines_of(findings, text), includes=includes)


def check_blocks(blocks: Iterable[Block], options: Options) -> tuple[Counts, list[Finding]]:
    """Check the blocks of one document."""
    checked = checked_blocks(blocks, options)
    return sum(map(counts_of, checked), Counts(files=1)), _findings(checked)


def checked_blocks(blocks: Iterable[Block], options: Options) -> list[CheckedBlock]:
    """Check the blocks of one document, which are weighed together, and return what each came to.

    Where nobody is sure which release of verl a project has, the likely ones are compared.
    """
    document = JudgedDocument(list(blocks), options)
    checked = _checked(document, document.release, options)
    project = document.project
    if not options.follows_project or not _findings(checked):
        return checked
    release = document.release
    compared: Compared = cache(partial(_compared, document, options))
    if project.release_may_differ:
        if wrong_in(_findings(checked)) > wrong_in(compared(options.release)):
            release = load(options.release).name
            checked = _checked(document, release, options)
    elif project.age_is_open:
        return _checked_on_likely(document, compared, options)
    if project.is_certain or document.has_directives or another_verl.RULE in options.ignore:
        return checked
    if any(one.rule == _UNCHECKED for one in _findings(checked)):
        return checked  # nobody knows what a release takes of the rest
    others = _taken_by_others(document, release, compared)
    return _of_another_verl(document, release, checked, others, options)


def _of_another_verl(
    document: JudgedDocument,
    release: str,
    checked: list[CheckedBlock],
    others: Iterable[Taken],
    options: Options,
) -> list[CheckedBlock]:
    """What is found on a release, without what only another verl can answer for: that is told once.

    A copy of verl in the project may be that verl, and has been asked.
    """
    found, told = _findings(checked), list[Problem]()
    kept, apart = found, frozenset[Place]()
    snippets = [one for block in checked for one in block.snippets]
    is_open = not document.project.verl_copy.is_whole
    if is_open and (left := another_verl.left_to_fork(snippets, found, load(release))):
        told.append(another_verl.for_fork(left))
        of_fork = frozenset(left)
        kept = [one for one in found if one not in of_fork]
        apart = places_of(left)
    this = another_verl.taken(release, snippets, kept)
    written = another_verl.written_for(this, others, apart)
    if written is not None:
        told.append(another_verl.for_releases(written, release))
        ends = {written.releases[0], written.releases[-1]}
        likely = [_findings(_checked(document, one, options)) for one in ends]
        kept = another_verl.sure(kept, written, likely)
    return _with(checked, frozenset(kept), told, options) if told else checked


def _taken_by_others(document: JudgedDocument, release: str, compared: Compared) -> Iterator[Taken]:
    """What each release but one makes of a document, the newest first."""
    for other in reversed(releases()):
        if other != release:
            found = compared(other)
            yield another_verl.taken(other, chain.from_iterable(document.on(other)), found)


def _with(
    checked: Iterable[CheckedBlock],
    kept: frozenset[Finding],
    told: Iterable[Problem],
    options: Options,
) -> list[CheckedBlock]:
    """Checked blocks with what is kept of their findings, and what is told of their file."""
    baseline = RemainingBaseline(options.baseline)
    blocks, notes = list(checked), [finding_of(another_verl.RULE, one) for one in told]
    of_block = [places_of(block.findings) for block in blocks]
    changed = []
    for block, places in zip(blocks, of_block, strict=True):
        new = [one for one in notes if one.span.start in places]
        notes = [one for one in notes if one not in new]
        left = [one for one in new if not baseline.takes(one)]
        findings = (*left, *(one for one in block.findings if one in kept))
        count = block.accepted + len(new) - len(left)
        changed.append(replace(block, findings=findings, accepted=count))
    return changed


def _checked_on_likely(
    document: JudgedDocument, compared: Compared, options: Options
) -> list[CheckedBlock]:
    """What is wrong on each of the releases that refuse least; conflicts are, on the newest."""
    likely, wrong = wrong_on_likely((name, compared(name)) for name in reversed(releases()))
    doubtful = places_of(compared(likely)) - wrong
    unsure = OF_CODE if document.project.has_unseen_fork else frozenset()

    def is_wrong(finding: Finding) -> bool:
        is_likely = finding.span.start not in doubtful or finding.rule == CONFLICTS
        return is_likely and finding.rule not in unsure

    checked = _checked(document, likely, options)
    return [replace(one, findings=tuple(filter(is_wrong, one.findings))) for one in checked]


def _compared(document: JudgedDocument, options: Options, release: str) -> list[Finding]:
    """What is wrong on a release, without conflicts, which take long and tell none apart."""
    without = replace(options, ignore=options.ignore | {CONFLICTS})
    return _findings(_checked(document, release, without))


def _findings(checked: Iterable[CheckedBlock]) -> list[Finding]:
    return [finding for one in checked for finding in one.findings]


def _checked(document: JudgedDocument, release: str, options: Options) -> list[CheckedBlock]:
    """The blocks of a document with what is wrong with them on a release."""
    judged = document.on(release)
    active = [rule for rule in rules.all_rules().values() if _reports(rule, options)]
    silent = rules.all_rules().keys() - {rule.id for rule in active}
    problems = zip(document.blocks, _problems(judged, active), strict=True)
    left = suppress(problems, silent)
    accepted = RemainingBaseline(options.baseline)
    return [
        _reported(block, snippets, left_here, accepted)
        for block, snippets, left_here in zip(document.blocks, judged, left, strict=True)
    ]


def _reports(rule: Rule, options: Options) -> bool:
    return rule.id not in options.ignore and (options.strict or not rule.strict_only)


def _problems(
    judged: Iterable[Sequence[JudgedSnippet]], active: Sequence[Rule]
) -> Iterator[list[tuple[str, Problem]]]:
    """What the active rules find in each block.

    Each reason why a part is not checked is reported where it comes up first.
    """
    first: dict[str, Problem] = {}
    for snippets in judged:
        yield [
            (rule.id, problem)
            for snippet in snippets
            for rule in active
            for problem in rule.check(snippet)
            if rule.id != _UNCHECKED or first.setdefault(problem.message, problem) is problem
        ]


def _reported(
    block: Block, snippets: tuple[JudgedSnippet, ...], left: Suppressed, accepted: RemainingBaseline
) -> CheckedBlock:
    """A block with the findings that are left of its problems, and are not accepted."""
    found = [(finding_of(*item), item[1]) for item in left.kept]
    new = [(finding, problem) for finding, problem in found if not accepted.takes(finding)]
    fixes = Fixes(block)
    findings = tuple(replace(finding, fix=fixes.of(problem)) for finding, problem in new)
    return CheckedBlock(block, snippets, findings, left.ignored, len(found) - len(new))
