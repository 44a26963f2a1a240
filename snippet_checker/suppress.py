"""`ignore[rule]` and `expect[rule]`: which findings they answer for, and which answer nothing."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence, Set
from dataclasses import dataclass

from snippet_checker.documents.block import Block, BlockKind, Directive, DirectiveWord
from snippet_checker.findings import Problem


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
    if not block.directives:
        return Suppressed(tuple(item for item in kept if item[0] not in silent), 0)
    code = range(_first_line_of_code(block), max(origin.line for origin in block.origins) + 1)
    for word in (DirectiveWord.IGNORE, DirectiveWord.EXPECT):
        unused = []
        left = _Places(kept, code)
        for directive in block.directives:
            if directive.word is not word or not directive.argument:
                continue
            unused += [
                (RULE, _unused(directive, rule))
                for rule in _named(directive)
                if not left.take(directive, rule) and rule not in silent
            ]
        ignored += len(left.taken)
        kept = [item for number, item in enumerate(kept) if number not in left.taken] + unused
    return Suppressed(tuple(item for item in kept if item[0] not in silent), ignored)


class _Places:
    """The problems of a block by rule and line, and which of them a directive answers for."""

    def __init__(self, problems: Sequence[tuple[str, Problem]], code: range) -> None:
        self._code = code
        self._of_rule: dict[str, list[int]] = defaultdict(list)
        self._on_line: dict[tuple[str, int], list[int]] = defaultdict(list)
        self._all_taken: set[str] = set()
        self.taken: set[int] = set()
        for number, (rule, problem) in enumerate(problems):
            self._of_rule[rule].append(number)
            self._on_line[rule, problem.span.line].append(number)

    def take(self, directive: Directive, rule: str) -> bool:
        """Note what the directive answers for; returns whether there is anything.

        One that stands before the block, or at its top, answers for all of it.
        """
        line = directive.span.line
        if line in self._code:
            found = [*self._on_line.get((rule, line), ()), *self._on_line.get((rule, line + 1), ())]
            self.taken.update(found)
            return bool(found)
        if rule not in self._all_taken:
            self._all_taken.add(rule)
            self.taken.update(self._of_rule.get(rule, ()))
        return rule in self._of_rule


def answers_for(block: Block, rule: str) -> bool:
    """Whether a directive of the block ignores or expects the rule."""
    return any(
        directive.word in (DirectiveWord.IGNORE, DirectiveWord.EXPECT) and rule in _named(directive)
        for directive in block.directives
    )


def _named(directive: Directive) -> list[str]:
    """The rules that an `ignore` or an `expect` names."""
    return [name.strip() for name in directive.argument.split(",")]


def _first_line_of_code(block: Block) -> int:
    """The file's line with the first text of the block that is no comment."""
    if block.kind in (BlockKind.MYST, BlockKind.RST):
        return block.span(0, 0).line
    offset = 0
    for line in block.text.split("\n"):
        if line.strip() and not line.lstrip().startswith(("#", "//")):
            break
        offset += len(line) + 1
    return block.span(offset, offset).line


def _unused(directive: Directive, rule: str) -> Problem:
    if directive.word is DirectiveWord.EXPECT:
        message = f"'{rule}' was expected here and does not fire"
    else:
        message = f"nothing here needs 'ignore[{rule}]' (any more): take it out"
    return Problem(directive.span, message)
