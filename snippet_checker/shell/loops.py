"""Loops: over constant words round by round, else what any number of rounds may do."""

from __future__ import annotations

import re
from collections.abc import Generator, Sequence
from itertools import pairwise

from snippet_checker.shell.arguments import arguments_of
from snippet_checker.shell.here_documents import given_by
from snippet_checker.shell.node import Node
from snippet_checker.shell.setters import read_line
from snippet_checker.shell.variables import Variable
from snippet_checker.shell.walk import MOST_ROUNDS, Commands, Walk
from snippet_checker.text.words import UNKNOWN, Word

_NAME = re.compile(r"[A-Za-z_]\w*")
_ARGUMENTS_LEFT = re.compile(r"\$[#1*@]|\$\{(?:[#@*]|1[:}+-])")

_LEAVES = re.compile(r"\b(?:break|continue|return|exit)\b")
_CALCULATIONS = ("$((", "$[", "expr ", "bc")
_COUNTING = ("((", "$((", "$[", "let ")
_MAY_COUNT = frozenset({"arithmetic_expansion", "compound_statement", "command"})


def read_for(walk: Walk, node: Node) -> Commands:
    variable, body = node.child_by_field_name("variable"), node.child_by_field_name("body")
    if variable is None or body is None:
        yield from walk.over_all(node.children)
        return
    name = walk.source.text(variable)
    values = node.children_by_field_name("value")
    yield from walk.substitutions(*(child for child in node.children if child != body))
    words = list(walk.expander.expand_all(values)) if values else walk.here.arguments
    is_known = words is not None and all(w.sure and UNKNOWN not in w.text for w in words)
    if words and is_known and len(words) <= MOST_ROUNDS and walk.has_room(node):
        for number, word in enumerate(words):
            if number > 0 and not walk.has_room(node):
                break
            walk.here.variables[name] = Variable(((word,),))
            yield from walk.over(body)
        return
    walk.forget(name, variable)
    yield from _rounds(walk, node, body.children)


def read_counting(walk: Walk, node: Node) -> Commands:
    """`for ((i = 0; i < n; i++))`: round by round, as long as it is known that there is one."""
    body = node.child_by_field_name("body")
    header = [child for child in node.children if child != body]
    yield from walk.substitutions(*header)
    parts = _parts_of_header(walk, header)
    if body is not None and parts is not None and not _LEAVES.search(walk.source.text(body)):
        is_done = yield from _counted_rounds(walk, node, body, parts)
        if is_done:
            return
    for child in header:
        walk.forget_calculated(child)
    yield from _rounds(walk, node, body.children if body is not None else ())


def _parts_of_header(walk: Walk, header: Sequence[Node]) -> list[tuple[int, int]] | None:
    """Where the three expressions of a counting loop stand, if they run no commands."""
    signs = [child for child in header if child.type in ("((", ";", "))")]
    if [sign.type for sign in signs[:4]] != ["((", ";", ";", "))"]:
        return None
    text = walk.source.bytes[signs[0].end_byte : signs[3].start_byte]
    if b"$(" in text or b"`" in text:
        return None
    return [(one.end_byte, other.start_byte) for one, other in pairwise(signs[:4])]


def _counted_rounds(
    walk: Walk, node: Node, body: Node, parts: Sequence[tuple[int, int]]
) -> Generator[list[Word], None, bool]:
    """The rounds of a counting loop; returns whether they are all known."""

    def calculated(part: tuple[int, int]) -> Word:
        return walk.calculate(node, walk.expander.expression_between(node, *part))

    calculated(parts[0])
    for _ in range(MOST_ROUNDS):
        condition = calculated(parts[1])
        if condition.text == "0" and condition.sure:
            return True
        is_known = condition.text != UNKNOWN and condition.sure
        if not is_known or not walk.has_room(node):
            return False
        yield from walk.over(body)
        calculated(parts[2])
    return False


def read_while(walk: Walk, node: Node) -> Commands:
    body = node.child_by_field_name("body")
    condition = [child for child in node.children if child != body]
    reader = _reader_of_lines(walk, condition)
    given = _given(walk, node)
    if body is not None and reader is not None and given is not None:
        yield from _line_by_line(walk, body, reader, given)
    elif body is not None and _takes_arguments(walk, condition):
        yield from _until_no_argument(walk, body)
    else:
        yield from _rounds(walk, node, node.children)


def _reader_of_lines(walk: Walk, condition: Sequence[Node]) -> Node | None:
    """The command `read` of `while read -r line`, which has lines to read as long as it lasts."""
    commands = [child for child in condition if child.type == "command"]
    if len(commands) != 1:
        return None
    name = commands[0].child_by_field_name("name")
    return commands[0] if name is not None and walk.source.text(name) == "read" else None


def _given(walk: Walk, node: Node) -> Word | None:
    """The text that a loop reads, if its lines are known and not too many."""
    parent = node.parent
    is_redirected = parent is not None and parent.type == "redirected_statement"
    redirects = parent.children[1:] if parent is not None and is_redirected else ()
    text = given_by(walk, redirects)
    is_known = text is not None and UNKNOWN not in text.text and text.text.count("\n") < MOST_ROUNDS
    return text if is_known else None


def _line_by_line(walk: Walk, body: Node, reader: Node, given: Word) -> Commands:
    """The rounds of a loop that takes one line of a text after the other."""
    words = [w for one in arguments_of(reader, walk.source) for w in walk.expander.expand(*one)]
    for line in re.finditer(r"[^\n]+", given.text):
        if walk.is_broken or not walk.has_room(body):
            break
        for name in words[1:]:
            if _NAME.fullmatch(name.text):
                walk.forget(name.text, reader)
        read_line(walk, reader, words, given.cut(*line.span()))
        yield from walk.over(body)
    walk.is_broken = False


def _takes_arguments(walk: Walk, condition: Sequence[Node]) -> bool:
    """Whether a loop goes through the known arguments of a function that is followed."""
    arguments = walk.here.arguments
    if not arguments or not all(word.sure for word in arguments):
        return False
    return any(_ARGUMENTS_LEFT.search(walk.source.text(node)) for node in condition)


def _until_no_argument(walk: Walk, body: Node) -> Commands:
    walk.is_broken = False
    for _ in range(MOST_ROUNDS):
        if not walk.here.arguments or walk.is_broken or not walk.has_room(body):
            break
        yield from walk.over(body)
    walk.is_broken = False


def _rounds(walk: Walk, node: Node, nodes: Sequence[Node]) -> Commands:
    """A loop of which nobody knows how often it runs: what a round sets holds in the next."""
    for inner in nodes:
        _forget_counted(walk, inner)
    before = walk.here
    walk.here = walk.copied(before, node)
    if walk.has_room(node):
        for _ in walk.over_all(nodes):
            pass  # for what it sets
    before = walk.joined([before, walk.here], node)
    walk.here = walk.copied(before, node)
    yield from walk.over_all(nodes)
    walk.here = walk.joined([before, walk.here], node)


def _forget_counted(walk: Walk, node: Node) -> None:
    """Forget what the rounds of a loop calculate, each from the one before: `n=$((n + 1))`."""
    waiting = [node]
    while waiting:
        part = waiting.pop()
        walk.run.costs.budget.count(1)
        waiting += part.children
        if part.type == "variable_assignment":
            _forget_calculated(walk, part)
        elif part.type in _MAY_COUNT and walk.source.text(part).startswith(_COUNTING):
            walk.forget_calculated(part)


def _forget_calculated(walk: Walk, assignment: Node) -> None:
    name = assignment.child_by_field_name("name")
    if name is None or name.type != "variable_name":
        return
    key, text = walk.source.text(name), walk.source.text(assignment)
    variable = walk.here.variables.get(key)
    is_integer = variable is not None and variable.is_integer
    is_calculated = is_integer or any(sign in text for sign in _CALCULATIONS)
    if variable is not None and is_calculated:
        walk.forget(key, assignment)
