"""A shell script's commands, as far as they can be known without running it.

tree-sitter reads the grammar. Functions are followed where they are called; what a branch does
counts as possible. Every character keeps its place.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

import tree_sitter_bash
from tree_sitter import Language, Node, Parser

from snippet_checker.languages.shell_expansion import Expander, descendants
from snippet_checker.languages.shell_source import Source
from snippet_checker.languages.words import Word

_BRANCHES = frozenset(
    {"if_statement", "while_statement", "for_statement", "case_statement", "c_style_for_statement"}
)
_DEEPEST, _MOST_CALLS = 20, 2000  # functions may call themselves, and each other many times
_SETTERS = frozenset({"read", "mapfile", "readarray", "unset", "let", "printf", "getopts"})
_REDIRECTS = frozenset({"file_redirect", "herestring_redirect", "heredoc_redirect"})
_SAME_WORD = re.compile(rb"(?:\\\r?\n)*")  # no blank between two nodes: one word for the shell
_NO_VARIABLE = re.compile(rb"\$\{[A-Za-z_]\w*\.[\w.]+(?::[^{}\n]*)?\}")
_LOST = re.compile(rb"(?:\\[^\r\n]|[^\s\\])+")
_LOST_TAIL = re.compile(rb"(?:(?:[ \t]|\\\r?\n)*\\[^\r\n])*")


class Script:
    """One script, or a piece of one that another command hands to a shell."""

    def __init__(self, text: str, offsets: Sequence[int] | None = None) -> None:
        self._source = Source(text, offsets)
        self._expander = Expander(self._source)
        self._functions: dict[str, Node] = {}
        self._called: set[str] = set()
        self._branches = 0
        self._calls = 0
        self._depth = 0

    def __len__(self) -> int:
        return len(self._source.bytes.decode())

    def commands(self) -> Iterator[list[Word]]:
        """Each command's words, in the order of the text, functions where they are called."""
        yield from self._walk(_parser().parse(_parsable(self._source.bytes)).root_node)
        for name, body in list(self._functions.items()):
            if name not in self._called:
                yield from self._walk(body)

    def _walk(self, node: Node) -> Iterator[list[Word]]:
        if node.type in ("variable_assignment", "command"):
            for substitution in descendants(node, "command_substitution"):
                for child in substitution.children:
                    yield from self._walk(child)
        if node.type == "variable_assignment":
            self._expander.assign(node, in_branch=self._branches > 0)
        elif node.type == "heredoc_redirect":
            yield from self._here_document(node)
        elif node.type == "function_definition":
            self._define(node)
        elif node.type == "command":
            yield from self._command(node)
            yield from self._here_strings(node)
        elif node.type not in ("comment", "test_command"):
            variable = node.child_by_field_name("variable")
            if node.type == "for_statement" and variable is not None:
                self._expander.forget(self._source.text(variable), node)
            branching = node.type in _BRANCHES or (
                node.type == "list" and any(child.type == "||" for child in node.children)
            )
            self._branches += branching
            for child in node.children:
                yield from self._walk(child)
            self._branches -= branching

    def _here_document(self, node: Node) -> Iterator[list[Word]]:
        """The commands in a here-document, unless it only serves as a comment (`: <<END`)."""
        statement = node.parent.children[0] if node.parent is not None else node
        if statement.type != "command" or self._is_comment(statement):
            return
        for body in descendants(node, "heredoc_body"):
            yield from _handed_on(self._source.literal(body.start_byte, body.end_byte))

    def _here_strings(self, command: Node) -> Iterator[list[Word]]:
        """The commands in `<<< "…"`, which a command is given to read."""
        if not self._is_comment(command):
            for redirect in descendants(command, "herestring_redirect"):
                for word in self._expander.expand(redirect.children[-1]):
                    yield from _handed_on(word)

    def _is_comment(self, statement: Node) -> bool:
        name = statement.child_by_field_name("name")
        return name is None or self._source.text(name) in (":", "true")

    def _define(self, node: Node) -> None:
        name = node.child_by_field_name("name")
        body = node.child_by_field_name("body")
        if name is not None and body is not None:
            self._functions[self._source.text(name)] = body

    def _command(self, node: Node) -> Iterator[list[Word]]:
        arguments = self._arguments(node)
        words = [word for argument in arguments for word in self._expander.expand(*argument)]
        if not words:
            return
        name = words[0].text
        if name in ("shift", "set"):
            self._change_arguments(words)
        if name in _SETTERS:
            for word in words[1:]:
                self._expander.forget(word.text.partition("=")[0], node)
        has_room = self._depth < _DEEPEST and self._calls < _MOST_CALLS
        if name in self._functions and has_room:
            yield from self._call(name, tuple(words[1:]))
        else:
            yield words

    def _call(self, name: str, arguments: tuple[Word, ...]) -> Iterator[list[Word]]:
        self._called.add(name)
        self._calls += 1
        self._depth += 1
        outer, self._expander.arguments = self._expander.arguments, arguments
        yield from self._walk(self._functions[name])
        self._expander.arguments = outer
        self._depth -= 1

    def _arguments(self, command: Node) -> list[list[Node | Word]]:
        """The pieces of each argument, the command's name first."""
        arguments: list[list[Node | Word]] = []
        end = command.start_byte
        for child in command.children:
            joins = self._add_lost(arguments, end, child.start_byte)
            end = child.end_byte
            if child.type == "variable_assignment" and not arguments:
                continue  # `NAME=value command` sets it for that command alone
            if child.type not in _REDIRECTS:
                _add(arguments, child, joins=joins)
        self._add_lost(arguments, end, self._end_of_line(end))
        return arguments

    def _change_arguments(self, words: Sequence[Word]) -> None:
        if words[0].text == "set":
            dashes = next((n for n, word in enumerate(words) if word.text == "--"), None)
            if dashes is not None:
                self._expander.arguments = tuple(words[dashes + 1 :])
            return
        count = words[1].text if len(words) > 1 else "1"
        self._expander.arguments = self._expander.arguments[
            int(count) if count.isdecimal() else 0 :
        ]

    def _add_lost(self, arguments: list[list[Node | Word]], start: int, end: int) -> bool:
        """Add what the grammar leaves out between two nodes: escaped blanks, and dollar signs.

        A blank that a backslash makes at a line's end looks like a continuation and ends the
        command. Returns whether the next node continues the last argument.
        """
        last = start
        for piece in _LOST.finditer(self._source.bytes, start, end):
            word = self._source.unescaped(*piece.span(), quoted=False)
            joins = _SAME_WORD.fullmatch(self._source.bytes, last, piece.start()) is not None
            _add(arguments, word, joins=joins)
            last = piece.end()
        return _SAME_WORD.fullmatch(self._source.bytes, last, end) is not None

    def _end_of_line(self, start: int) -> int:
        """Where the lost pieces after the last node may end: nothing else stands among them."""
        lost = _LOST_TAIL.match(self._source.bytes, start)
        return lost.end() if lost is not None else start


def _add(arguments: list[list[Node | Word]], piece: Node | Word, *, joins: bool) -> None:
    if joins and arguments:
        arguments[-1].append(piece)
    else:
        arguments.append([piece])


def _handed_on(text: Word) -> Iterator[list[Word]]:
    """The commands of a text that another command is given, if it may start verl."""
    if "verl" in text.text:
        yield from Script(text.text, text.offsets).commands()


def _parsable(script: bytes) -> bytes:
    """The script with `${a.b}` made a variable of the same length.

    The shell reads it and stops when it comes to expand it; the grammar loses its way.
    """
    return _NO_VARIABLE.sub(lambda match: b"$" + b"_" * (len(match[0]) - 1), script)


@lru_cache(maxsize=1)
def _parser() -> Parser:
    return Parser(Language(tree_sitter_bash.language()))
