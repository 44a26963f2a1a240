"""A command's node -> the pieces of its arguments, also those that the grammar leaves out."""

from __future__ import annotations

import re

from snippet_checker.shell.grammar import REDIRECTS
from snippet_checker.shell.node import Node
from snippet_checker.shell.source import Source
from snippet_checker.text.words import Word

_SAME_WORD = re.compile(rb"(?:\\\r?\n)*")  # no blank between two nodes: one word for the shell
_LOST = re.compile(rb"(?:\\[^\r\n]|[^\s\\])+")
_LOST_TAIL = re.compile(rb"(?:(?:[ \t]|\\\r?\n){0,200}\\[^\r\n])*")


def arguments_of(command: Node, source: Source) -> list[list[Node | Word]]:
    """The pieces of each argument, the command's name first."""
    found: list[list[Node | Word]] = []
    end = command.start_byte
    for child in command.children:
        joins = _add_lost(source, found, end, child.start_byte)
        end = child.end_byte
        if child.type == "variable_assignment" and not found:
            continue  # `NAME=value command` sets it for that command alone
        if child.type not in (*REDIRECTS, "comment"):
            _add(found, child, joins=joins)
    _add_lost(source, found, end, _end_of_line(source, end))
    return found


def _add_lost(source: Source, arguments: list[list[Node | Word]], start: int, end: int) -> bool:
    """Add what the grammar leaves out between two nodes: escaped blanks, and dollar signs.

    A blank that a backslash makes at a line's end looks like a continuation and ends the
    command. Returns whether the next node continues the last argument.
    """
    last = start
    for piece in _LOST.finditer(source.bytes, start, end):
        word = source.unescaped(*piece.span(), quoted=False)
        joins = _SAME_WORD.fullmatch(source.bytes, last, piece.start()) is not None
        _add(arguments, word, joins=joins)
        last = piece.end()
    return _SAME_WORD.fullmatch(source.bytes, last, end) is not None


def _end_of_line(source: Source, start: int) -> int:
    """Where the lost pieces after the last node may end: nothing else stands among them."""
    lost = _LOST_TAIL.match(source.bytes, start)
    return lost.end() if lost is not None else start


def _add(arguments: list[list[Node | Word]], piece: Node | Word, *, joins: bool) -> None:
    if joins and arguments:
        arguments[-1].append(piece)
    else:
        arguments.append([piece])
