"""`bare-ignore`: a suppression that does not say what it suppresses, or why."""

from __future__ import annotations

from collections.abc import Iterator

from snippet_checker.documents.block import DirectiveWord
from snippet_checker.findings import Problem, Stage
from snippet_checker.rules.base import JudgedSnippet, Rule

_IGNORING = (DirectiveWord.IGNORE, DirectiveWord.IGNORE_FILE)


def _check(judged: JudgedSnippet) -> Iterator[Problem]:
    for directive in judged.snippet.block.directives:
        is_bare = not (directive.argument and directive.reason)
        if directive.word in _IGNORING and is_bare:
            message = f"say which rule is ignored and why: '{directive.word}[rule-name] the reason'"
            yield Problem(directive.span, message)


RULE = Rule("bare-ignore", Stage.DOCS, "An `ignore` without a rule or without a reason.", _check)
