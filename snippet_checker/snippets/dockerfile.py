"""Dockerfiles -> snippets: the commands of RUN, CMD and ENTRYPOINT.

Syntax: https://docs.docker.com/reference/dockerfile/.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import partial

from msgspec import Struct

from snippet_checker.documents.block import Block
from snippet_checker.snippets import commands, job_texts, unreadable
from snippet_checker.snippets.job_texts import Scalar
from snippet_checker.snippets.recipes import logical_lines
from snippet_checker.snippets.snippet import Snippet
from snippet_checker.text import json_tree
from snippet_checker.text.json_tree import NotJson, Text, TooDeep
from snippet_checker.text.words import EMPTY, Word, concatenated, piece
from snippet_checker.work import Work

_INSTRUCTION = re.compile(
    r"\s*(?:ONBUILD\s+)?(?:HEALTHCHECK\s[^\n]*?(?=CMD\s))?(?P<name>[A-Z]+)(?=\s)(?P<flags>(?:\s+--\w+=\S+)*+)\s*",
    re.IGNORECASE,
)
_DOCUMENT = re.compile(r"<<-?([\"']?)(?P<end>[A-Za-z_]\w*)\1")
_LEFT_OUT = re.compile(r"(?<=\\\n)(?:[^\S\n]*(?:#[^\n]*)?\n)+")  # comments where a line goes on
_CONTINUED = re.compile(r"\\[^\S\n]*\n")
_LIST = re.compile(r"\[\s*+(?P<quote>[\"'])[^\"'\n]*+(?P=quote)\s*+,")
_NO_LIST = (
    "this list is not JSON, and Docker hands it to a shell as it stands, "
    "so nothing of it is checked"
)
_SCRIPTS = (".sh", ".bash")
_NAME_AND_VALUE = re.compile(r"(?P<name>[A-Za-z_]\w*)(?P<sign>=|\s+)")
_SHELL_FORM = ("bash", "-c", "script")


class _Instruction(Struct, frozen=True):
    """An instruction: what stands behind its name, and the here-document below it."""

    name: str
    arguments: Word
    document: Word | None = None


def read(block: Block, work: Work) -> Iterator[Snippet]:
    """The commands of a file or a block; CMD has the arguments of the ENTRYPOINT above it."""
    entrypoint: list[Scalar] = []
    known = EMPTY
    text = _LEFT_OUT.sub(lambda match: " " * len(match[0]), commands.filled_in(block, block.text))
    for instruction in _instructions(text):
        arguments = _exec_form(instruction.arguments)
        if arguments is None and _is_meant_as_list(block, instruction):
            yield unreadable.refused(block, instruction.arguments.span(block), _NO_LIST)
            continue
        if instruction.name == "FROM":
            known = EMPTY
        elif instruction.name in ("ARG", "ENV"):
            known = concatenated([known, _assigned(instruction)])
        elif arguments is not None and (inner := _handed_to_shell(arguments)) is not None:
            yield from commands.read_word(block, concatenated([known, inner]), work)
            continue
        if instruction.name in ("FROM", "ENTRYPOINT") and entrypoint:
            yield from job_texts.read_list(block, entrypoint, work)
            entrypoint = []
        if instruction.name == "ENTRYPOINT" and arguments is not None:
            entrypoint = arguments
        elif instruction.name == "CMD" and arguments is not None:
            yield from job_texts.read_list(block, entrypoint + arguments, work)
            entrypoint = []
        elif arguments is not None and instruction.name == "RUN":
            yield from job_texts.read_list(block, arguments, work)
        elif (script := _script(instruction)) is not None:
            before = known if "$" in script.text else EMPTY
            yield from commands.read_word(block, concatenated([before, script]), work)
    if entrypoint:
        yield from job_texts.read_list(block, entrypoint, work)


def _assigned(instruction: _Instruction) -> Word:
    """What ARG or ENV sets, as a line of a shell's; whoever builds may give another ARG."""
    arguments = instruction.arguments
    named = _NAME_AND_VALUE.match(arguments.text)
    if named is None:
        return EMPTY
    last = arguments.offsets[-1:]
    is_default = instruction.name == "ARG"
    if not is_default and named["sign"] == "=":
        return concatenated([arguments, Word("\n", last)])
    value = arguments.cut(named.end())
    quote = "" if value.text[:1] in ("'", '"') else '"'
    name = named["name"]
    opened = f"{name}=${{{name}:-{quote}" if is_default else f"{name}={quote}"
    closed = f"{quote}}}\n" if is_default else f"{quote}\n"
    first = arguments.offsets[:1]
    return concatenated(
        [Word(opened, first * len(opened)), value, Word(closed, last * len(closed))]
    )


def _handed_to_shell(arguments: Sequence[Scalar]) -> Word | None:
    """The script of `["bash", "-c", "…"]`, which knows the variables of the image."""
    values = [one.value for one in arguments]
    is_shell = len(values) == len(_SHELL_FORM) and values[0].rpartition("/")[2] in ("bash", "sh")
    takes_script = is_shell and re.fullmatch(r"-\w*c", values[1]) is not None and "$" in values[2]
    return arguments[2].place() if takes_script else None


def _instructions(text: str) -> Iterator[_Instruction]:
    lines = logical_lines(text)
    for start, end in lines:
        match = _INSTRUCTION.match(text[start:end])
        if match is None:
            continue
        arguments = piece(text, start + match.end(), end)
        opened = _DOCUMENT.search(arguments.text)
        document = None
        if opened is not None:
            document = _document(text, lines, opened["end"])
        yield _Instruction(match["name"].upper(), arguments, document)


def _document(text: str, lines: Iterator[tuple[int, int]], end: str) -> Word:
    """The lines up to the one that ends a here-document."""
    first = last = None
    for start, line_end in lines:
        first = start if first is None else first
        last = start
        if text[start:line_end].strip() == end:
            break
        last = line_end
    return piece(text, first or 0, last or 0)


def _exec_form(arguments: Word) -> list[Scalar] | None:
    """The strings of `["python3", "-m", …]`, None where a shell reads the arguments."""
    if not arguments.text.startswith("["):
        return None
    text = _CONTINUED.sub(lambda match: " " * len(match[0]), arguments.text)
    try:
        tree = json_tree.parse(text)
    except (NotJson, TooDeep):
        return None
    strings = [part for part in tree if isinstance(part, Text)] if isinstance(tree, list) else []
    if not isinstance(tree, list) or len(strings) < len(tree):
        return None
    return [Scalar(one.value, partial(one.word_in, arguments)) for one in strings]


def _is_meant_as_list(block: Block, instruction: _Instruction) -> bool:
    """Whether a file has a list of arguments for verl that is no JSON, and not the test `[ … ]`."""
    text = instruction.arguments.text
    names_verl = "verl" in text and instruction.name in ("RUN", "CMD", "ENTRYPOINT")
    return block.whole_file and names_verl and _LIST.match(text) is not None


def _script(instruction: _Instruction) -> Word | None:
    """What a shell reads of an instruction."""
    name, document = instruction.name, instruction.document
    if name in ("COPY", "ADD"):  # a script that is written into the image
        is_script = instruction.arguments.text.rstrip().endswith(_SCRIPTS)
        return document if is_script else None
    if name not in ("RUN", "CMD", "ENTRYPOINT"):
        return None
    if document is not None and instruction.arguments.text.startswith("<<"):
        return document
    if document is not None:
        return concatenated([instruction.arguments, document])
    return instruction.arguments
