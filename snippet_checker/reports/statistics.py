"""How many findings there are of each rule, and how many of them have a fix."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from snippet_checker.findings import Result
from snippet_checker.reports.summary import fixable, summary


def lines(result: Result) -> Iterator[str]:
    """A line for each rule, the most findings first, then what was checked."""
    rules = Counter(finding.rule for finding in result.findings)
    width = len(str(max(rules.values(), default=0)))
    for rule, count in rules.most_common():
        said = fixable(one for one in result.findings if one.rule == rule)
        yield f"{count:{width}} {rule}{said and f' ({said})'}"
    if not result.is_brief:
        yield summary(result)
