"""The rules for `snippet-checker:` comments: those that say nothing, too little, or what is not."""

from __future__ import annotations

from collections.abc import Iterator

from snippet_checker.documents.block import Directive, DirectiveWord
from snippet_checker.findings import Problem, Stage
from snippet_checker.rules import all_rules
from snippet_checker.rules.base import JudgedSnippet, Rule, no_problems
from snippet_checker.verl.release import releases

_WORDS = (
    "entry=…, release=…, mount=…, ignore[rule] reason, ignore-file[rule] reason, expect[rule], "
    "not-verl"
)
_NOT_FOR_FILE = (
    "'ignore-file' holds for a document in a comment of its own, not in a block of code; 'ignore' "
    "does here"
)

_IGNORING = (DirectiveWord.IGNORE, DirectiveWord.IGNORE_FILE)
_WITH_RULES = (*_IGNORING, DirectiveWord.EXPECT)


def _unknown(judged: JudgedSnippet) -> Iterator[Problem]:
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
        known = ", ".join(judged.release.modules)
        return (
            f"verl {judged.release.name} has no entry point '{directive.argument}'; it has {known}"
        )
    return None


def _unknown_rule(directive: Directive) -> str | None:
    for name in filter(None, (name.strip() for name in directive.argument.split(","))):
        if name not in all_rules():
            return f"there is no rule '{name}'; there are {', '.join(all_rules())}"
    return None


def _bare(judged: JudgedSnippet) -> Iterator[Problem]:
    for directive in judged.snippet.block.directives:
        is_bare = not (directive.argument and directive.reason)
        if directive.word in _IGNORING and is_bare:
            message = f"say which rule is ignored and why: '{directive.word}[rule-name] the reason'"
            yield Problem(directive.span, message)


RULES = (
    Rule(
        "unknown-directive",
        Stage.DOCS,
        "A comment for the checker that it cannot follow.",
        _unknown,
    ),
    Rule("bare-ignore", Stage.DOCS, "An `ignore` without a rule or without a reason.", _bare),
    Rule(
        "unused-ignore", Stage.DOCS, "An `ignore` or `expect` that nothing answers to.", no_problems
    ),
)
