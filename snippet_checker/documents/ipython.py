"""What IPython runs as a cell, or as a script `.ipy` -> blocks; also a session of Python's."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from snippet_checker.documents.block import Block, BlockKind
from snippet_checker.documents.fences import kind_of
from snippet_checker.documents.source import make_block
from snippet_checker.text.lines import Line

_MAGIC = re.compile(r"\s*(?:%%|%(?=sh\s*$))(?P<name>\w+)[^\S\n]*(?P<arguments>.*)")
_SHELLS = frozenset({"bash", "sh", "shell", "zsh", "system", "sx", "cmd"})
_SHELL_LINE = re.compile(
    r"\s*+(?:\w[\w, ]*+=\s*)?(?:!{1,2}|%(?:sx|system|bash|sh)\s|%run\s(?=\s*-m\s))"
)
_LINE_MAGIC = re.compile(r"\s*(?:%|\?|[\w.]+\?)")
_FILLED_IN = re.compile(r"(?<!\$)\{[A-Za-z_]\w*(?:\.\w+|\[[\w\"']{1,80}\]){0,20}\}")

_PROMPT = re.compile(r"\s*(?:>>>|\.\.\.)(?: |$)|\s*In ?\[\d*\]: ")


def has_shell(lines: Sequence[Line]) -> bool:
    """Whether some code tagged as Python has lines that only IPython reads."""
    return any(_SHELL_LINE.match(line.text) or _MAGIC.match(line.text) for line in lines)


def is_session(lines: Sequence[Line]) -> bool:
    """Whether some code tagged as Python is a session, with prompts and output."""
    first = next((line.text for line in lines if line.text.strip()), "")
    return _PROMPT.match(first) is not None


def typed(lines: Sequence[Line]) -> list[Line]:
    """The lines of a session that were typed, without their prompts, and comments about them."""
    kept = []
    for line in lines:
        prompt = _PROMPT.match(line.text)
        is_kept = prompt is not None or line.text.lstrip().startswith("#")
        kept.append(
            line.cut(prompt.end() if prompt is not None else 0) if is_kept else line.cut(0, 0)
        )
    return kept


def read(path: str, lines: Sequence[Line]) -> Iterator[Block]:
    """A cell: what a magic word says it is, or Python with lines for a shell."""
    first = next((n for n, line in enumerate(lines) if line.text.strip()), 0)
    magic = _MAGIC.match(lines[first].text)
    if magic is not None:
        kind = _kind_of_magic(magic)
        if kind is BlockKind.PYTHON:  # `%%time` above lines that may be for a shell
            yield from read(path, lines[first + 1 :])
        elif kind is not None:
            yield make_block(kind, path, lines[first + 1 :])
        return
    code: list[Line] = []
    number = 0
    while number < len(lines):
        line = lines[number]
        shell = _SHELL_LINE.match(line.text)
        taken = _joined(lines, number) if shell is not None else 1
        if shell is not None:
            command = [line.cut(shell.end()), *lines[number + 1 : number + taken]]
            yield make_block(BlockKind.SHELL, path, [_without_fields(line) for line in command])
        is_code = shell is None and not _LINE_MAGIC.match(line.text)
        code += [line] if is_code else [line.cut(0, 0)] * taken
        number += taken
    yield make_block(BlockKind.PYTHON, path, code)


def _kind_of_magic(magic: re.Match[str]) -> BlockKind | None:
    """What the rest of a cell is: `%%bash`, `%%script bash`, `%%time`, `%%writefile a.yaml`."""
    name, arguments = magic["name"], magic["arguments"].split()
    if name == "script" and arguments:
        name = arguments[0].rpartition("/")[2]
    if name in ("writefile", "file") and arguments:
        return kind_of(arguments[-1].rpartition(".")[2])
    if name in _SHELLS:
        return BlockKind.SHELL
    return BlockKind.PYTHON if name in ("time", "timeit", "capture", "prun") else None


def _joined(lines: Sequence[Line], number: int) -> int:
    """How many lines a command takes: a backslash at the end goes on with the next one."""
    end = number
    while end + 1 < len(lines) and lines[end].text.endswith("\\"):
        end += 1
    return end + 1 - number


def _without_fields(line: Line) -> Line:
    """A line with what IPython fills in, `{model}`, made a variable of the shell's."""
    text = _FILLED_IN.sub(lambda match: "$" + "_" * (len(match[0]) - 1), line.text)
    return replace(line, text=text)
