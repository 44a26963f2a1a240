"""justfiles -> snippets: the commands of recipes, with the variables that are plain strings.

Syntax: https://just.systems/man/en/.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from snippet_checker.documents.block import Block
from snippet_checker.snippets import commands
from snippet_checker.snippets.recipes import Variables, logical_lines, read_lines
from snippet_checker.snippets.snippet import Snippet
from snippet_checker.text.words import Word, piece
from snippet_checker.work import Work

_ASSIGNMENT = re.compile(
    r"(?:export\s+)?(?P<name>[A-Za-z_][\w-]*)\s*:=\s*(?P<quote>['\"])(?P<value>[^'\"\\\n]*)(?P=quote)\s*(?:#.*)?"
)
_HEADER = re.compile(r"@?[A-Za-z_][^\n:=]*(?:=[^\n:]*)?:(?!=)")
_PARAMETER = re.compile(r"[A-Za-z_][\w-]*")
_PREFIX = re.compile(r"\s+(?:[@-]+)?")
_INTERPOLATION = re.compile(r"\{\{(?!\{)(?P<inside>[^{}\n]*+)\}\}")
_SHELL = re.compile(r"\s+#!.*\b(?:bash|sh|zsh)\b")


def read(block: Block, work: Work) -> Iterator[Snippet]:
    """The commands of a file or a block."""
    text = commands.filled_in(block, block.text)
    lines = list(logical_lines(text))
    values = dict(_values(text, lines))
    for parameters, body in _recipes(text, lines):
        known = {name: value for name, value in values.items() if name not in parameters}
        variables = Variables(
            known, _INTERPOLATION, lambda match: match["inside"].strip(), work.following
        )
        yield from read_lines(block, _scripts(text, body), variables, work)


def _values(text: str, lines: list[tuple[int, int]]) -> Iterator[tuple[str, Word]]:
    for start, end in lines:
        found = _ASSIGNMENT.fullmatch(text[start:end])
        if found is not None:
            first, last = found.span("value")
            yield found["name"], piece(text, start + first, start + last)


_Recipe = tuple[frozenset[str], list[tuple[int, int]]]


def _recipes(text: str, lines: list[tuple[int, int]]) -> Iterator[_Recipe]:
    """The names of the parameters of each recipe, and its lines."""
    recipe: _Recipe | None = None
    for start, end in lines:
        if not text[start:end].strip():
            continue
        if text[start] in " \t":
            if recipe is not None:
                recipe[1].append((start, end))
            continue
        if recipe is not None:
            yield recipe
        header = _HEADER.match(text[start:end])
        recipe = (frozenset(_PARAMETER.findall(header[0])), []) if header is not None else None
    if recipe is not None:
        yield recipe


def _scripts(text: str, body: list[tuple[int, int]]) -> Iterator[Word]:
    """What each shell gets: a line, or all lines below `#!/usr/bin/env bash`."""
    if not body:
        return
    first = text[slice(*body[0])]
    if first.lstrip().startswith("#!"):
        if _SHELL.match(first) and len(body) > 1:
            yield piece(text, body[1][0], body[-1][1])
        return
    for start, end in body:
        prefix = _PREFIX.match(text[start:end])
        yield piece(text, start + prefix.end() if prefix is not None else start, end)
