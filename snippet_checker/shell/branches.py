"""Where a script may go on in several ways: `if`, `case`, `&&`, `||` and pipes."""

from __future__ import annotations

import re
from collections.abc import Generator

from snippet_checker.shell.grammar import behind, parts_of_if, parts_of_list
from snippet_checker.shell.node import Node
from snippet_checker.shell.variables import Environment
from snippet_checker.shell.walk import Commands, Walk
from snippet_checker.text.words import UNKNOWN, Word
from snippet_checker.work import TooMuchWork

_QUESTIONS = frozenset({"[", "test", "grep", "command", "which", "type", "false", "pgrep"})
_FIRST_ARGUMENT = re.compile(r"\"?\$(?:1|\{1(?::?-)?\})\"?")


def read_if(walk: Walk, node: Node) -> Commands:
    """Each branch from what is known before it; its end is one of several."""
    ends: list[Environment] = []
    is_complete = yield from _branches(walk, node, ends)
    if not is_complete:
        ends.append(walk.here)
    walk.here = walk.joined(ends, node)


def _branches(walk: Walk, node: Node, ends: list[Environment]) -> Generator[list[Word], None, bool]:
    """Adds what is known at the end of each branch; returns whether one is surely taken."""
    condition, body, others = parts_of_if(node)
    yield from walk.over_all(condition)
    ends.append((yield from walk.apart(node, body)))
    is_complete = False
    for other in others:
        if other.type == "elif_clause":
            is_complete = yield from _branches(walk, other, ends)
        else:
            ends.append((yield from walk.apart(node, other.children)))
            is_complete = True
    return is_complete


def read_case(walk: Walk, node: Node) -> Commands:
    """Each item from what is known before it; of a known argument, the item that it takes."""
    items = [child for child in node.children if child.type == "case_item"]
    known = _known_argument(walk, node.child_by_field_name("value"))
    if known is not None:
        try:
            items = walk.run.cases.first(items, known, walk.source)
        except TooMuchWork as error:
            walk.skip(node, error)
            known = None
    ends = []
    for item in items:
        end = yield from walk.apart(node, behind(item, ")"))
        ends.append(end)
    takes_rest = any(walk.run.cases.takes_all(item, walk.source) for item in items)
    if not ends or not (takes_rest or known is not None):
        ends.append(walk.here)
    walk.here = walk.joined(ends, node)


def _known_argument(walk: Walk, value: Node | None) -> str | None:
    """The first argument of a function that is followed, where `case` looks at that."""
    arguments = walk.here.arguments
    if value is None or not arguments or not arguments[0].sure:
        return None
    if not _FIRST_ARGUMENT.fullmatch(walk.source.text(value)) or UNKNOWN in arguments[0].text:
        return None
    return arguments[0].text


def read_list(walk: Walk, node: Node) -> Commands:
    """`a && b`, `a || b`: what comes behind `||`, or behind a question, may not happen."""
    operator = next((c.type for c in node.children if c.type in ("&&", "||")), "&&")
    left, right = node.children[0], node.children[-1]
    yield from walk.over(left)
    if operator == "&&" and not _is_question(walk, left):
        yield from walk.over(right)
        return
    end = yield from walk.apart(node, [right])
    walk.here = walk.joined([walk.here, end], node)


def _is_question(walk: Walk, node: Node) -> bool:
    if node.type == "list":
        return any(_is_question(walk, part) for part in parts_of_list(node))
    name = node.child_by_field_name("name")
    asks = name is not None and walk.source.text(name) in _QUESTIONS
    return asks or node.type in ("test_command", "negated_command", "compound_statement")


def read_pipeline(walk: Walk, node: Node) -> Commands:
    """Each part in a shell of its own."""
    outer, given = walk.here, walk.given
    for child in node.children:
        walk.here = walk.copied(outer, node)
        yield from walk.over(child)
        if child.is_named:
            walk.given = walk.expander.printed(child)
    walk.here, walk.given = outer, given
