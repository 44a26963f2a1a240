"""A shell script's tree, as tree-sitter reads it, and where in it the parts of a statement are."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from snippet_checker.shell import arithmetic
from snippet_checker.shell.node import Node, ParseTimeout
from snippet_checker.shell.source import Source
from snippet_checker.work import Clock, TooMuchWork

REDIRECTS = frozenset({"file_redirect", "herestring_redirect", "heredoc_redirect"})
EXPANSIONS = ("simple_expansion", "expansion")
ARITHMETIC = "arithmetic_expansion"
SUBSTITUTIONS = ("command_substitution", "process_substitution")
_SECONDS, _SECONDS_FOR_A_BYTE = 2e-3, 3e-6  # six times what text without mistakes takes
_MOST_PIPES = 2_000  # an open one takes the square of them in memory, in a step that nothing stops
_NO_VARIABLE = re.compile(rb"\$\{[A-Za-z_]\w*\.[\w.]+(?::[^{}\n]*)?\}")
_QUOTE_IN_QUOTES = re.compile(rb"'(?:\\'|\"'\")'")
_NO_QUOTE = re.compile(rb"[^'\"\\]")
_COMMENT = re.compile(r"`#[^`\n]*`")


def parse(source: Source, clock: Clock) -> Node:
    """The root of the script's tree; raises TooMuchWork where it takes too long to find."""
    # Native code, which a build for browsers puts another module in the place of.
    from snippet_checker.shell import tree_sitter_binding

    text = _parsable(source.bytes)
    if text.count(b"|") > _MOST_PIPES:
        raise TooMuchWork(f"its grammar is too hard with more than {_MOST_PIPES:,} pipes")
    with clock.stop_watch(_SECONDS + _SECONDS_FOR_A_BYTE * len(text)) as is_up:
        try:
            return tree_sitter_binding.parse(text, is_up)
        except ParseTimeout as error:
            raise TooMuchWork("its grammar takes too long to read, it may be broken") from error


def without_comments(script: str) -> str:
    """The script with comments in backticks, which the grammar does not know, left blank."""
    return _COMMENT.sub(lambda match: " " * len(match[0]), script)


def descendants(node: Node, *kinds: str) -> Iterator[Node]:
    """The outermost nodes of some kinds below `node`."""
    waiting = list(reversed(node.children))
    while waiting:
        child = waiting.pop()
        if child.type in kinds:
            yield child
        else:
            waiting += reversed(child.children)


def variables_in(nodes: Iterable[Node], source: Source) -> set[str]:
    """The variables that some nodes name."""
    nodes = list(nodes)
    named = {
        source.text(name)
        for node in nodes
        for expansion in (node, *descendants(node, *EXPANSIONS))
        for name in descendants(expansion, "variable_name")
    }
    calculated = (inner for node in nodes for inner in descendants(node, ARITHMETIC))
    return named.union(*(arithmetic.names_in(source.text(inner)) for inner in calculated))


def parts_of_if(node: Node) -> tuple[list[Node], list[Node], list[Node]]:
    """The condition of an `if` or `elif`, its body, and the clauses behind it."""
    condition: list[Node] = []
    body: list[Node] = []
    others: list[Node] = []
    part = condition
    for child in node.children:
        if child.type == "then":
            part = body
        elif child.type in ("elif_clause", "else_clause"):
            others.append(child)
        else:
            part.append(child)
    return condition, body, others


def parts_of_list(node: Node) -> Iterator[Node]:
    """The statements at both ends of `a && b`, and of those that are lists again."""
    waiting = [node]
    while waiting:
        part = waiting.pop()
        if part.type == "list":
            waiting += (part.children[0], part.children[-1])
        else:
            yield part


def behind(node: Node, sign: str) -> list[Node]:
    """The children behind the first one of a type."""
    types = [child.type for child in node.children]
    return list(node.children[types.index(sign) + 1 :]) if sign in types else []


def assigned(command: Node) -> list[Node]:
    """The `NAME=value` in front of a command."""
    return [child for child in command.children if child.type == "variable_assignment"]


def local_names(body: Node, source: Source) -> frozenset[str]:
    """The variables that a function keeps to itself."""
    found: set[str] = set()
    for node in descendants(body, "declaration_command"):
        if node.children[0].type == "export" or "-g" in source.text(node).split():
            continue
        for child in node.children:
            name = child.child_by_field_name("name") or child
            if name.type == "variable_name":
                found.add(source.text(name))
    return frozenset(found)


def _parsable(script: bytes) -> bytes:
    """The script with `${a.b}` made a variable of the same length.

    The shell reads it and stops when it comes to expand it; the grammar loses its way.
    """
    script = script.replace(b"\0", b" ")  # which takes the grammar the square of their number
    return _NO_VARIABLE.sub(lambda match: _variable(match[0]), script)


def _variable(reference: bytes) -> bytes:
    """A variable as long as the reference; quotes stay where they end in it and begin again."""
    if _QUOTE_IN_QUOTES.search(reference) is None:
        return b"$" + b"_" * (len(reference) - 1)
    return b"$" + _NO_QUOTE.sub(b"_", reference[1:])
