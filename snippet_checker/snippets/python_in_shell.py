"""Python that a shell's command is handed, `python3 -c "…"` -> the snippets of that program.

The text of a here-document comes here in the same way.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from snippet_checker.documents.block import Block, BlockKind
from snippet_checker.shell.here_documents import PYTHON_SWITCHES
from snippet_checker.snippets.snippet import Snippet
from snippet_checker.text.places import Origin
from snippet_checker.text.words import Word
from snippet_checker.work import Work

_PYTHON = re.compile(r"(?:.*/)?(?:python[\d.]*|pypy\d*)")
_COMMAND_FLAG = re.compile(f"-{PYTHON_SWITCHES}*c")
_FLAG = re.compile(f"-{PYTHON_SWITCHES}+")
_STARTS = re.compile(
    rf"python[\d.]{{0,9}}\s(?:\s{{0,9}}-{PYTHON_SWITCHES}{{1,9}}\s){{0,3}}"
    rf"\s{{0,9}}(?:-\s|<<|-{PYTHON_SWITCHES}{{0,9}}c\s)"
)


def is_in(text: str) -> bool:
    """Whether a script hands a program that names verl to Python."""
    return "verl" in text and _STARTS.search(text) is not None


def code(words: Sequence[Word]) -> Word | None:
    """The program that a command hands to Python as an argument, if it does so."""
    is_python = False
    for number, word in enumerate(words[:-1]):
        if is_python and _COMMAND_FLAG.fullmatch(word.text) is not None:
            return words[number + 1]
        is_flag = is_python and _FLAG.fullmatch(word.text) is not None
        is_python = is_flag or _PYTHON.fullmatch(word.text) is not None
    return None


def read(block: Block, program: Word, work: Work) -> Iterator[Snippet]:
    """The snippets of a program that stands in a piece of the block."""
    from snippet_checker.snippets import python  # which itself reads the shell's commands

    yield from python.read_program(_block_of(block, program), work)


def _block_of(block: Block, word: Word) -> Block:
    """A word as a block of its own, each of its characters where the file has it."""
    origins: list[Origin] = []
    start = 0
    for number, place in enumerate(word.offsets):
        if number + 1 < len(word.offsets) and word.offsets[number + 1] == place + 1:
            continue
        first = word.offsets[start]
        origins += block.origins_of(first, place + 1, start)
        start = number + 1
    return replace(
        block, kind=BlockKind.PYTHON, text=word.text, origins=tuple(origins) or block.origins[:1]
    )
