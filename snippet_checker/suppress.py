"""`ignore[rule]`, `ignore-file[rule]` and `expect[rule]`: which findings they answer for, and which
answer nothing.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence, Set

from msgspec import Struct

from snippet_checker.documents.block import Block, BlockKind, Directive, DirectiveWord
from snippet_checker.findings import Problem

RULE = "unused-ignore"
"""The rule that a directive breaks if nothing answers to it."""

_OF_FILE = "other-release"  # not found in a file with directives, whose writer ran the checker

Found = tuple[str, Problem]
"""A problem, and the rule that found it."""


class Suppressed(Struct, frozen=True):
    """What is left of a block's problems, by rule; `ignored` counts what was taken away."""

    kept: tuple[Found, ...]
    ignored: int


def suppress(
    found: Iterable[tuple[Block, Sequence[Found]]], silent: Set[str] = frozenset()
) -> Iterator[Suppressed]:
    """Take away what the directives of a document's blocks ignore or expect.

    An `ignore` that nothing needs is a problem itself, which an `expect` may answer for. A rule
    that is `silent` may well find something when it is not.
    """
    blocks = [_BlockProblems(block, problems, silent) for block, problems in found]
    for one in blocks:
        one.answer(DirectiveWord.IGNORE)
    _ignore_in_file(blocks, silent)
    for one in blocks:
        one.answer(DirectiveWord.EXPECT)
        kept = tuple(item for item in one.kept if item[0] not in silent)
        yield Suppressed(kept, one.ignored)


class _BlockProblems:
    """The problems of a block that are left, while directives answer for some."""

    def __init__(self, block: Block, problems: Sequence[Found], silent: Set[str]) -> None:
        self.block, self.kept, self.ignored = block, list(problems), 0
        self._silent = silent

    def answer(self, word: DirectiveWord) -> None:
        """Take away what the block's own directives of one word answer for."""
        directives = [one for one in self.block.directives if one.word is word and one.argument]
        if not directives:
            return
        places = _ProblemIndex(self.kept, _lines_of_code(self.block))
        unused = [
            (RULE, _unused(directive, rule))
            for directive in directives
            for rule in _named(directive)
            if not places.take(directive, rule) and rule not in self._silent
        ]
        self.ignored += len(places.taken)
        self.kept = [item for number, item in enumerate(self.kept) if number not in places.taken]
        self.kept += unused

    def leave_out(self, rules: Set[str]) -> set[str]:
        """Take away all that some rules found; returns which of them found anything."""
        gone = {rule for rule, _ in self.kept if rule in rules}
        left = [item for item in self.kept if item[0] not in gone]
        self.ignored += len(self.kept) - len(left)
        self.kept = left
        return gone


def _ignore_in_file(blocks: Sequence[_BlockProblems], silent: Set[str]) -> None:
    """Take away what directives ignore in the whole document."""
    said = [
        (one, directive, rule)
        for one in blocks
        for directive in one.block.directives
        if directive.word is DirectiveWord.IGNORE_FILE and one.block.is_below(directive)
        for rule in _named(directive)
        if rule
    ]
    rules = {rule for _, _, rule in said}
    used = {rule for one in blocks for rule in one.leave_out(rules)} if rules else set()
    for one, directive, rule in said:
        if rule not in used and rule not in silent:
            one.kept.append((RULE, _unused(directive, rule)))


class _ProblemIndex:
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


def _lines_of_code(block: Block) -> range:
    """The lines of the file that a block stands on, without comments at its beginning."""
    if block.kind in (BlockKind.MYST, BlockKind.RST):
        return range(block.span(0, 0).line, block.lines.stop)
    offset = 0
    for line in block.text.split("\n"):
        if line.strip() and not line.lstrip().startswith(("#", "//")):
            break
        offset += len(line) + 1
    return range(block.span(offset, offset).line, block.lines.stop)


def _unused(directive: Directive, rule: str) -> Problem:
    if directive.word is DirectiveWord.EXPECT:
        message = f"'{rule}' was expected here and does not fire"
    elif rule == _OF_FILE:
        message = f"'{directive.word}[{rule}]' has no effect: name a release, as in 'release=0.7.0'"
    else:
        message = f"'{directive.word}[{rule}]' is not needed here: remove it"
    return Problem(directive.span, message)
