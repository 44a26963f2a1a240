"""TOML -> snippets: the launch commands in its strings and arrays.

`tomllib` gives no places, so the strings are looked up in the text as it stands.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial

from snippet_checker.documents.block import Block
from snippet_checker.snippets import commands, job_texts
from snippet_checker.snippets.job_texts import Scalar
from snippet_checker.snippets.snippet import Snippet
from snippet_checker.text.words import Word, concatenated, decoded, piece
from snippet_checker.work import Work

_TOKEN = re.compile(
    r"#[^\n]*+"
    # What is not closed goes on to the end, so that no later quote is looked at once more.
    r"|\"{3}\n?(?P<long>(?:[^\"\\]++|\\[\s\S]?|\"(?!\"\"))*+)(?:\"{3}|\Z)"
    r"|'{3}\n?(?P<long_literal>(?:[^']++|'(?!''))*+)(?:'{3}|\Z)"
    r"|\"(?P<basic>(?:[^\"\\\n]++|\\[^\n]?)*+)(?:\"|$)"
    r"|'(?P<literal>[^'\n]*+)(?:'|$)"
    r"|(?<![\w.-])(?P<key>[\w.-]++)[^\S\n]*+=|(?P<sign>[\[\]])",
    re.MULTILINE,
)
_ESCAPE = re.compile(
    r"\\(?:u(?P<code>[0-9a-fA-F]{4})|U(?P<long>[0-9a-fA-F]{8})|(?P<end>[^\S\n]*\n\s*)|(?P<letter>.))"
)
_LETTERS = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "e": "\x1b"}
_LINE_END = re.compile(r"\n")
_ONE_COMMAND = "cmd"  # of a task of poethepoet, whose line ends are blanks


def read(block: Block, work: Work) -> Iterator[Snippet]:
    """The commands of a file or a block."""
    for scalars in _lists(commands.filled_in(block, block.text)):
        yield from job_texts.read_list(block, scalars, work)


def _lists(text: str) -> Iterator[list[Scalar]]:
    """The strings of each array, and each string outside of one by itself."""
    found: list[Scalar] = []
    key, depth = "", 0
    for token in _TOKEN.finditer(text):
        if token["key"] is not None:
            key = token["key"].rpartition(".")[2]
        elif token["sign"] is not None:
            if found:
                yield found
                found = []
            depth = max(depth + (1 if token["sign"] == "[" else -1), 0)
        elif (word := _word(token)) is not None:
            word = decoded(word, _LINE_END, lambda end: " ") if key == _ONE_COMMAND else word
            found.append(Scalar(word.text, partial(concatenated, [word])))
            if not depth:
                yield found
                found = []
    if found:
        yield found


def _word(token: re.Match[str]) -> Word | None:
    for kind in ("long", "basic", "long_literal", "literal"):
        if token[kind] is not None:
            word = piece(token.string, *token.span(kind))
            return word if "literal" in kind else decoded(word, _ESCAPE, _meaning)
    return None


def _meaning(escape: re.Match[str]) -> str:
    if escape["end"] is not None:
        return ""
    code = escape["code"] or escape["long"]
    if code is None:
        return _LETTERS.get(escape["letter"], escape["letter"])
    number = int(code, 16)
    return "\ufffd" if number > 0x10FFFF or 0xD800 <= number < 0xE000 else chr(number)
