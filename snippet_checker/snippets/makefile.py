"""Makefiles -> snippets: the commands of recipes, with the variables that have one value.

Syntax: https://www.gnu.org/software/make/manual/make.html.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from snippet_checker.documents.block import Block
from snippet_checker.snippets import commands, launch, unreadable
from snippet_checker.snippets.recipes import Variables, logical_lines, read_lines
from snippet_checker.snippets.snippet import Snippet
from snippet_checker.text.words import EMPTY, Word, concatenated, decoded, piece
from snippet_checker.work import Work

_ASSIGNMENT = re.compile(
    r" *(?:(?:export|override|private)\s+)*(?P<name>[\w.-]+)\s*(?P<operator>:{0,3}|\?|\+|!)=\s*"
)
_FOR_A_TARGET = re.compile(r"[^\t#=\n][^#=\n]*?:\s*(?P<name>[\w.-]+)\s*[:?+]?=")
_CONDITION = re.compile(r" *(?P<word>ifeq|ifneq|ifdef|ifndef|endif|define|endef)\b")
_COMMENT = re.compile(r"(?<!\\)#")
_CONTINUED = re.compile(r"(?<!\s)\s*+\\\n\s*")
_NEXT_TAB = re.compile(r"(?<=\\\n)\t")
_RECIPE = re.compile(r"(?:\t|(?P<blanks>  ))[@+ \t-]*+(?=\S)")
_RULE_WITH_RECIPE = re.compile(r"[\w./% -]++:(?![:=])[^;=#\n]*+;[@+ \t-]*+(?=\S)")
_ONE_SHELL = re.compile(r"(?m)^\.ONESHELL\s*:")
_DEFINE = re.compile(r" *define +(?P<name>[\w.-]+)\s*+=?\s*+$")
_OTHER_LINES = re.compile(r"(?m)^ *(?:override +)?define\b|^\.RECIPEPREFIX\b")
_NO_TAB = "make takes a line for a command only behind a tab, so nothing of it is checked"
_REFERENCE = re.compile(
    r"\$(?:(?P<dollar>\$)|\((?P<name>[\w.-]+)\)|\{(?P<braced>[\w.-]+)\}"
    r"|\((?:[^()\n]|\([^()\n]*\))*\)|\{[^{}\n]*\}|(?P<letter>[^\s({]))"
)


def read(block: Block, work: Work) -> Iterator[Snippet]:
    """The commands of each line of a recipe, for each of which make starts a shell."""
    text = commands.filled_in(block, block.text)
    variables = Variables(_values(text), _REFERENCE, _name, work.following)
    yield from read_lines(block, _recipe_lines(block, text), variables, work)
    if block.whole_file and not _OTHER_LINES.search(text):
        for line in _without_tab(text):
            yield unreadable.refused(block, line.span(block), _NO_TAB)


def _recipe_lines(block: Block, text: str) -> Iterator[Word]:
    in_one_shell = _ONE_SHELL.search(text) is not None
    lines: list[Word] = []
    for start, end in logical_lines(text):
        line = text[start:end]
        recipe = _RECIPE.match(line)
        found = None
        if recipe is not None and not (recipe["blanks"] and block.whole_file):
            found = decoded(piece(text, start + recipe.end(), end), _NEXT_TAB, lambda tab: "")
        elif (rule := _RULE_WITH_RECIPE.match(line)) is not None:
            found = piece(text, start + rule.end(), end)
        if found is not None and in_one_shell:
            lines += [found, Word("\n", found.offsets[-1:])]
        elif found is not None:
            yield found
        elif lines and line.strip():
            yield concatenated(lines)
            lines = []
    if lines:
        yield concatenated(lines)


def _without_tab(text: str) -> Iterator[Word]:
    """The lines that start verl and have blanks where make takes a tab only."""
    for start, end in logical_lines(text):
        line = text[start:end]
        if line.startswith("  ") and not _ASSIGNMENT.match(line) and launch.starts_program(line):
            yield piece(text, start + len(line) - len(line.lstrip()), end)


def _name(reference: re.Match[str]) -> str | Word | None:
    if reference["dollar"]:
        return Word("$", (0,))
    return reference["name"] or reference["braced"] or reference["letter"]


def _values(text: str) -> dict[str, Word]:
    """The variables that are set once, outside of a condition, and what is added to them."""
    values: dict[str, Word] = {}
    open_names: set[str] = set()
    depth = 0
    defined: tuple[str, int] | None = None
    for start, end in logical_lines(text):
        line = text[start:end]
        if defined is not None:
            if line.strip() == "endef":
                body = piece(text, defined[1], start)
                values[defined[0]] = decoded(body, _NEXT_TAB, lambda tab: "")
                defined = None
            continue
        if line.startswith("\t"):
            continue
        if depth == 0 and (define := _DEFINE.match(line)) is not None:
            defined = define["name"], end + 1
            continue
        condition = _CONDITION.match(line)
        if condition is not None:
            depth += -1 if condition["word"].startswith("end") else 1
            continue
        assignment = _ASSIGNMENT.match(line)
        if assignment is None:
            target = _FOR_A_TARGET.match(line)
            open_names |= {target["name"]} if target is not None else set()
            continue
        name, adds = assignment["name"], assignment["operator"] == "+"
        if depth > 0 or assignment["operator"] == "!" or (name in values and not adds):
            open_names.add(name)
        value = _value(piece(text, start + assignment.end(), end))
        before = values.get(name, EMPTY)
        blank = Word(" ", value.offsets[:1]) if adds and before.text and value.text else EMPTY
        values[name] = before + blank + value if adds else value
    return {name: value for name, value in values.items() if name not in open_names}


def _value(word: Word) -> Word:
    comment = _COMMENT.search(word.text)
    kept = word.text[: comment.start()] if comment is not None else word.text
    word = word.cut(0, len(kept.rstrip()))
    return decoded(word, _CONTINUED, lambda end: " ")
