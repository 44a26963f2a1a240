"""Files of environment variables, `.env` -> the commands and overrides that their values hold.

A value goes on to the end of its line, blanks with it, or stands in quotes over several lines:
https://docs.docker.com/compose/how-tos/environment-variables/variable-interpolation/#env-file-syntax.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial

from snippet_checker.documents.block import Block
from snippet_checker.snippets import commands, job_texts, launch
from snippet_checker.snippets.job_texts import Scalar
from snippet_checker.snippets.snippet import Snippet
from snippet_checker.text.words import Word, decoded, piece
from snippet_checker.work import Work

_VARIABLE = re.compile(
    r"^[^\S\n]*+(?:export[^\S\n]++)?(?P<name>[A-Za-z_]\w*+)[^\S\n]*+=[^\S\n]*+"
    # What is not closed goes on to the end, so that no later quote is looked at once more.
    r"(?:\"(?P<double>(?:[^\"\\]++|\\[\s\S]?)*+)(?:\"|\Z)"
    r"|'(?P<single>[^']*+)(?:'|\Z)"
    r"|(?P<plain>[^\s\"'#][^\n]*+)?)",
    re.MULTILINE | re.ASCII,
)
_OVERRIDES_OF_VERLS = re.compile(r"(?<![\w.])actor_rollout_ref\.[\w.]++=")
_COMMENT = re.compile(r"(?<=\s)#")
_ESCAPE = re.compile(r"\\(?P<letter>[\"\\$n])")


def read(block: Block, work: Work) -> Iterator[Snippet]:
    """The snippets of each value of a file or a block."""
    text = commands.filled_in(block, block.text)
    for variable in _VARIABLE.finditer(text):
        kind = variable.lastgroup or "name"
        if kind == "name" or not _is_verls(variable["name"], variable[kind]):
            continue
        value = piece(text, *variable.span(kind))
        if kind == "double":
            value = decoded(value, _ESCAPE, lambda escape: escape["letter"].replace("n", "\n"))
        elif kind == "plain":
            value = _without_comment(value)
        scalar = Scalar(value.text, partial(_same, value))
        yield from job_texts.read_list(block, [scalar], work)


def _is_verls(name: str, value: str) -> bool:
    """Whether a value is about verl: other programs have values such as `service.name=a`, too."""
    is_named = "VERL" in name.upper() or _OVERRIDES_OF_VERLS.search(value) is not None
    return is_named or launch.starts_program(f" {value}")


def _same(word: Word) -> Word:
    return word


def _without_comment(value: Word) -> Word:
    comment = _COMMENT.search(value.text)
    kept = value.text[: comment.start()] if comment is not None else value.text
    return value.cut(0, len(kept.rstrip()))
