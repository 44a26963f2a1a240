"""What reports for people have in common: a finding in a line, and a line that sums up."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping

from snippet_checker.findings import Finding, Result
from snippet_checker.judge.verdict import reason
from snippet_checker.text.places import Span

_MOST_KINDS = 8


def line(finding: Finding) -> str:
    """One finding, as editors and CI logs expect it."""
    return f"{place(finding.span)}: {finding.severity}: {finding.message} [{finding.rule}]"


def place(span: Span) -> str:
    """Where a finding stands; a log never takes the name of a file for a command: `::error::`."""
    path = f"./{span.path}" if span.path.lstrip().startswith("::") else span.path
    return f"{path}:{span.line}:{span.column}"


def summary(result: Result) -> str:
    """What was looked at and how it went, in a line."""
    counts = result.counts
    looked_at = (
        f"{number(counts.settings, 'setting')} in {number(counts.snippets, 'snippet')} "
        f"of {number(counts.files, 'file')}"
    )
    parts = [looked_at, f"verl {result.release}", _found(result)]
    if counts.ignored:
        parts.append(f"{counts.ignored} expected or ignored")
    if counts.accepted:
        parts.append(f"{counts.accepted} accepted by the baseline")
    if counts.unchecked:
        gaps = sorted(counts.gaps.items(), key=lambda item: -item[1])
        why = ", ".join(f"{count} because {reason(gap)}" for gap, count in gaps)
        parts.append(f"{_percent(counts.coverage)} verified; not verified: {why}")
    if result.failures:
        count = len(result.failures)
        parts.append(f"{number(count, 'path')} {'was' if count == 1 else 'were'} not checked")
    return "; ".join(parts)


def number(count: int, noun: str) -> str:
    """So many of something: "1 file", "2 files"."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def fixing_option(finding: Finding) -> str:
    """Behind a finding: which option makes its fix, if it has one."""
    if finding.fix is None:
        return ""
    return " (--fix does it)" if finding.fix.is_safe else " (--unsafe-fixes does it)"


def by_rule(result: Result) -> str:
    """How many findings there are of each rule, the most first."""
    rules = Counter(finding.rule for finding in result.findings)
    return ", ".join(f"{count} {rule}" for rule, count in rules.most_common())


def fixable(findings: Iterable[Finding]) -> str:
    """How many findings have a fix, and which option makes it; nothing where none has one."""
    fixes = Counter(finding.fix.is_safe for finding in findings if finding.fix is not None)
    parts = [f"{fixes[True]} by --fix"] if fixes[True] else []
    parts += [f"{fixes[False]} by --unsafe-fixes"] if fixes[False] else []
    return f"fixable: {', '.join(parts)}" if parts else ""


def _found(result: Result) -> str:
    count = len(result.findings) + result.left_out
    said = number(count, "finding")
    if result.left_out:
        said += f", of which {len(result.findings)} are shown"
    return f"{said}; {result.fixed} fixed" if result.fixed else said


def would_fix(result: Result, fixed: int, *, unsafe: bool) -> str:
    """How many findings would be fixed, and how many more may be, in a line."""
    said = f"would fix {fixed} of {number(len(result.findings), 'finding')}"
    likely = sum(one.fix is not None and not one.fix.is_safe for one in result.findings)
    return said if unsafe or not likely else f"{said}; --unsafe-fixes may fix {likely} more"


def skipped(result: Result) -> str:
    """Which files of searched folders were not read, the most common first: "12 .cu, 3 .png"."""
    return kinds(result.skipped)


def kinds(counted: Mapping[str, int]) -> str:
    """How many files there are of each kind, the most common kinds first."""
    ordered = sorted(counted.items(), key=lambda item: (-item[1], item[0]))
    parts = [f"{count} {kind or 'without a suffix'}" for kind, count in ordered[:_MOST_KINDS]]
    rest = sum(count for _, count in ordered[_MOST_KINDS:])
    return ", ".join([*parts, f"{rest} others"] if rest else parts)


def _percent(share: float) -> str:
    """A share of 1, rounded down: 99.9 % is not all."""
    return f"{math.floor(share * 1000) / 10:.1f} %"
