"""`bare-ignore`: a suppression that does not say what it suppresses, or why."""

from __future__ import annotations

from collections.abc import Iterator

from snippet_checker.documents.block import DirectiveWord
from snippet_checker.findings import Problem, Stage
from snippet_checker.rules.base import Case, Rule


def _check(case: Case) -> Iterator[Problem]:
    for directive in case.snippet.block.directives:
        if directive.word is DirectiveWord.IGNORE and not (directive.argument and directive.reason):
            message = "say which rule is ignored and why: 'ignore[rule-name] the reason'"
            yield Problem(directive.span, message)


RULE = Rule("bare-ignore", Stage.DOCS, "An `ignore` without a rule or without a reason.", _check)
