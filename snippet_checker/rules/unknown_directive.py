"""`unknown-directive`: a `snippet-checker:` comment that says nothing the checker knows."""

from __future__ import annotations

from collections.abc import Iterator

from snippet_checker.documents.block import Directive, DirectiveWord
from snippet_checker.findings import Problem, Stage
from snippet_checker.rules import all_rules
from snippet_checker.rules.base import JudgedSnippet, Rule
from snippet_checker.verl.release import releases

_WORDS = (
    "entry=…, release=…, mount=…, ignore[rule] reason, ignore-file[rule] reason, expect[rule], "
    "not-verl"
)
_NOT_FOR_FILE = (
    "'ignore-file' holds for a document in a comment of its own, not in a block of code; 'ignore' "
    "does here"
)

_WITH_RULES = (DirectiveWord.IGNORE, DirectiveWord.IGNORE_FILE, DirectiveWord.EXPECT)


def _check(judged: JudgedSnippet) -> Iterator[Problem]:
    for directive in judged.snippet.block.directives:
        reason = _wrong(directive, judged)
        if reason is not None:
            yield Problem(directive.span, reason)


def _wrong(directive: Directive, judged: JudgedSnippet) -> str | None:
    if directive.word is DirectiveWord.UNKNOWN:
        return f"'{directive.argument}' is no directive; there are {_WORDS}"
    if directive.word is DirectiveWord.IGNORE_FILE and not judged.snippet.block.is_below(directive):
        return _NOT_FOR_FILE
    if directive.word in _WITH_RULES:
        return _unknown_rule(directive)
    if directive.word is DirectiveWord.RELEASE and directive.argument not in releases():
        known = ", ".join(releases())
        return f"there is no schema of verl '{directive.argument}'; choose one of {known}"
    if directive.word is DirectiveWord.ENTRY and judged.release.entry(directive.argument) is None:
        known = ", ".join(entry.module for entry in judged.release.facts.entries)
        return (
            f"verl {judged.release.name} has no entry point '{directive.argument}'; it has {known}"
        )
    return None


def _unknown_rule(directive: Directive) -> str | None:
    for name in filter(None, (name.strip() for name in directive.argument.split(","))):
        if name not in all_rules():
            return f"there is no rule '{name}'; there are {', '.join(all_rules())}"
    return None


RULE = Rule(
    "unknown-directive", Stage.DOCS, "A comment for the checker that it cannot follow.", _check
)
