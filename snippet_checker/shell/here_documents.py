"""What a command is given to read: here-documents and here-strings, which may be scripts."""

from __future__ import annotations

import re
from collections.abc import Sequence

from snippet_checker.shell.node import Node
from snippet_checker.shell.setters import SETTERS
from snippet_checker.shell.walk import Commands, Walk
from snippet_checker.text.words import Word, decoded

_PYTHON = re.compile(r"[\"']?(?:[\w./${}~-]*/)?(?:python[\d.]*|\$\{?PYTHON[\w}]*)[\"']?")
PYTHON_SWITCHES = "[bBdEiIOqsSuvx]"
"""A pattern: the letters of Python's flags that take no argument."""
_FLAG = re.compile(f"-{PYTHON_SWITCHES}+")
_TABS = re.compile(r"(?m)^\t+")  # which `<<-` takes away
_PYTHON_READS = ("python3", "-c")


def given_by(walk: Walk, redirects: Sequence[Node]) -> Word | None:
    """What a command with some redirections gets to read."""
    for redirect in redirects:
        if redirect.type == "heredoc_redirect":
            return next(iter(walk.expander.documents(redirect)), None)
        if redirect.type == "herestring_redirect":
            return next(iter(walk.expander.expand(redirect.children[-1])), None)
        source = redirect.child_by_field_name("destination")
        if source is not None and source.type == "process_substitution":
            inside = [child for child in source.children if child.is_named]
            is_read = walk.source.text(redirect).startswith("<")
            return walk.expander.printed(inside[0]) if is_read and len(inside) == 1 else None
    return walk.given


def read_here_document(walk: Walk, node: Node) -> Commands:
    """The commands in a here-document, unless it only serves as a comment (`: <<END`)."""
    statement = node.parent.children[0] if node.parent is not None else node
    if statement.type == "command" and not _is_comment(walk, statement):
        is_shown = _is_shown(walk, statement, node)
        is_python = _goes_to_python(walk, statement, node)
        is_indented = walk.source.text(node).startswith("<<-")
        for document in walk.expander.documents(node):
            if is_python:
                program = decoded(document, _TABS, lambda tabs: "") if is_indented else document
                yield [_beside(document, word) for word in _PYTHON_READS] + [program]
                continue
            yield from walk.of_other_shell(document, is_shown=is_shown)
    known = ("heredoc_start", "heredoc_body", "heredoc_end")
    yield from walk.over_all(child for child in node.children if child.type not in known)


def read_here_string(walk: Walk, node: Node) -> Commands:
    """The commands in `<<< "…"`, which a command is given to read."""
    parent = node.parent
    command = parent.child_by_field_name("body") or parent if parent is not None else node
    if not _is_comment(walk, command):
        for word in walk.expander.expand(node.children[-1]):
            yield from walk.of_other_shell(word)


def _beside(document: Word, text: str) -> Word:
    """A word that nobody wrote, in front of a document."""
    return Word(text, document.offsets[:1] * len(text) or (0,) * len(text))


def _goes_to_python(walk: Walk, statement: Node, redirect: Node) -> bool:
    """Whether Python runs a document, `python3 - <<END`, or a file of Python is written with it."""
    words = walk.source.text(statement).split()
    for number, word in enumerate(words):
        if _PYTHON.fullmatch(word) is None:
            continue
        rest = iter(words[number + 1 :])
        behind = next((other for other in rest if _FLAG.fullmatch(other) is None), "-")
        return behind == "-" or behind.startswith("<")
    if words[:1] == ["tee"] and words[-1].strip("\"'").endswith(".py"):
        return True
    if words[:1] != ["cat"]:
        return False
    siblings = [*(statement.parent.children if statement.parent else ()), *redirect.children]
    written = (walk.source.text(one) for one in siblings if one.type == "file_redirect")
    return any(one.rstrip("\"'").endswith(".py") for one in written)


def _is_shown(walk: Walk, statement: Node, redirect: Node) -> bool:
    """Whether a document is printed for people: `cat <<END` without a file or a pipe."""
    name = statement.child_by_field_name("name")
    siblings = [*(statement.parent.children if statement.parent else ()), *redirect.children]
    leads_on = any(c.type in ("file_redirect", "pipeline", "|") for c in siblings)
    return name is not None and walk.source.text(name) == "cat" and not leads_on


def _is_comment(walk: Walk, statement: Node) -> bool:
    name = statement.child_by_field_name("name")
    return name is None or walk.source.text(name) in (":", "true", *SETTERS)
