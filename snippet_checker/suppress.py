"""`ignore[rule]` and `expect[rule]`: which findings they answer for, and which answer nothing."""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass

from snippet_checker.model import Block, BlockKind, Directive, Problem, Word


@dataclass(frozen=True, slots=True)
class Suppressed:
    """What is left of a block's problems, by rule; `ignored` counts what was taken away."""

    kept: tuple[tuple[str, Problem], ...]
    ignored: int


RULE = "unused-ignore"
"""The rule that a directive breaks if nothing answers to it."""


def suppress(
    block: Block, problems: Sequence[tuple[str, Problem]], silent: Set[str] = frozenset()
) -> Suppressed:
    """Take away what the block's directives ignore or expect.

    An `ignore` that nothing needs is a problem itself, which an `expect` may answer for. A rule
    that is `silent` may well find something when it is not.
    """
    kept, ignored = list(problems), 0
    for word in (Word.IGNORE, Word.EXPECT):
        before, unused = tuple(kept), []
        for directive in block.directives:
            if directive.word is not word or not directive.argument:
                continue
            for rule in _named(directive):
                answered = [item for item in before if _covers(directive, rule, block, *item)]
                kept = [item for item in kept if item not in answered]
                if not answered and rule not in silent:
                    unused.append((RULE, _unused(directive, rule)))
        ignored += len(before) - len(kept)
        kept += unused
    return Suppressed(tuple(item for item in kept if item[0] not in silent), ignored)


def answers_for(block: Block, rule: str) -> bool:
    """Whether a directive of the block ignores or expects the rule."""
    return any(
        directive.word in (Word.IGNORE, Word.EXPECT) and rule in _named(directive)
        for directive in block.directives
    )


def _named(directive: Directive) -> list[str]:
    """The rules that an `ignore` or an `expect` names."""
    return [name.strip() for name in directive.argument.split(",")]


def _covers(directive: Directive, named: str, block: Block, rule: str, problem: Problem) -> bool:
    if rule != named:
        return False
    line = directive.span.line
    if not _first_line_of_code(block) <= line <= max(origin.line for origin in block.origins):
        return True  # it stands before the block, or at its top, and answers for all of it
    return problem.span.line in (line, line + 1)


def _first_line_of_code(block: Block) -> int:
    """The file's line with the first text of the block that is no `#` comment."""
    if block.kind in (BlockKind.MYST, BlockKind.RST):
        return block.span(0, 0).line
    offset = 0
    for line in block.text.split("\n"):
        if line.strip() and not line.lstrip().startswith("#"):
            break
        offset += len(line) + 1
    return block.span(offset, offset).line


def _unused(directive: Directive, rule: str) -> Problem:
    if directive.word is Word.EXPECT:
        message = f"'{rule}' was expected here and does not fire"
    else:
        message = f"nothing here needs 'ignore[{rule}]' (any more): take it out"
    return Problem(directive.span, message)
