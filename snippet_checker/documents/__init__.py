"""File -> blocks: one module a format, chosen by the file's name or its first line."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import islice
from pathlib import PurePath
from pkgutil import resolve_name

from snippet_checker.documents import includes
from snippet_checker.documents.block import Block
from snippet_checker.documents.includes import Include
from snippet_checker.text.lines import Line, split_lines

__all__ = ["EXAMPLES", "FIRST_LINE", "included", "is_none_of_ours", "is_read", "read_text"]

Reader = Callable[[str, Sequence[Line]], Iterator[Block]]

_DOCUMENTS = {
    ".md": "myst:read",
    ".mdx": "mdx:read",
    ".rst": "rst:read",
    ".txt": "rst:read",
    ".po": "po:read",
    ".ipynb": "notebook:read",
}
_SCRIPTS = {
    ".sh": "script:read_shell",
    ".bash": "script:read_shell",
    ".slurm": "script:read_shell",
    ".sbatch": "script:read_shell",
    ".pbs": "script:read_shell",
    ".yaml": "script:read_yaml",
    ".yml": "script:read_yaml",
    ".py": "script:read_python",
    ".json": "script:read_json",
    ".toml": "script:read_toml",
    ".dockerfile": "script:read_dockerfile",
    ".mk": "script:read_makefile",
    ".just": "script:read_justfile",
}
_BY_SUFFIX = _DOCUMENTS | _SCRIPTS
_BY_NAME = {
    "dockerfile": "script:read_dockerfile",
    "containerfile": "script:read_dockerfile",
    "makefile": "script:read_makefile",
    "gnumakefile": "script:read_makefile",
    "justfile": "script:read_justfile",
    ".justfile": "script:read_justfile",
}
_SHELLS = "a script of a shell"
_BY_CONTENT = {_SHELLS: "script:read_shell"}
"""The reader of each file that the checker knows; it is loaded with the first such file."""

EXAMPLES = (*_BY_SUFFIX, "Dockerfile", "Makefile", "justfile")
"""The ends of the names of files that are read, for people."""

_ANYBODYS = frozenset(
    {".mdx", ".ipynb", ".py", ".json", ".toml", ".dockerfile", ".mk", ".just"}
    | {*_BY_NAME, *_BY_CONTENT}
)
_MOST_INCLUDES = 1_000  # of one document
_TAKES_IN = frozenset({".md", ".mdx", ".rst", ".txt"})
_SIGN = re.compile(r"verl(?![a-z])|actor_rollout_ref|snippet-checker")
_IN_DATA = re.compile(r"verl[./\\]|actor_rollout_ref|snippet-checker")
_IN_PROGRAM = re.compile(  # a command, a folder of configs, a key that only verl has
    r"-m[\s\"',]{0,200}verl\.|verl/[\w/]{1,200}\.py|verl[/.]trainer[/.]config"
    r"|actor_rollout_ref\.[\w.]{1,200}=|snippet-checker"
)
_FLAG, _MODULE = re.compile(r"[\"']-m[\"']"), re.compile(r"[\"']verl\.")
FIRST_LINE = 256
"""How many bytes of a file may say which program it is for."""

_SHEBANG = re.compile(
    rb"#![ \t]{0,9}[\w./+-]{0,200}/"
    rb"(?:env[ \t]{1,9}(?:(?:-[\w-]{1,20}|\w{1,20}=\S{0,20})[ \t]{1,9}){0,3}"
    rb"(?:[\w./+-]{0,200}/)?)?"
    rb"(?:(?:ba|da|k|z)?sh|(?P<python>python[\d.]*))(?=\s|\Z)"
)
_SIGN_IN_BYTES = re.compile(_SIGN.pattern.encode())


def is_read(name: str, beginning: bytes = b"") -> bool:
    """Whether there is a reader for a file of this name, or one that begins so: `#!/bin/bash`."""
    return _form(name, beginning) is not None


def is_none_of_ours(name: str, data: bytes) -> bool:
    """Whether a file is of a format that every project has, and nothing in it names verl."""
    letters = data.replace(b"\0", b"")  # of UTF-16 and UTF-32, too
    return _form(name, data) in _ANYBODYS and _SIGN_IN_BYTES.search(letters) is None


def read_text(name: str, text: str) -> list[Block]:
    """The blocks of a text that would stand in the file `name`."""
    form = _form(name, text[:FIRST_LINE].encode("utf-8", "replace"))
    if form is None:
        raise ValueError(f"no reader for {name}")
    if form in _ANYBODYS and not _has_sign(form, text):
        return []
    return list(_reader(form)(name, split_lines(text)))


def _has_sign(form: str, text: str) -> bool:
    """Whether a file may be about verl, so that it is worth reading; most of the others go here."""
    if _SIGN.search(text) is None:
        return False
    if form in (".json", ".toml"):
        return _IN_DATA.search(text) is not None
    if form != ".py" or _IN_PROGRAM.search(text) is not None:
        return True
    return _FLAG.search(text) is not None and _MODULE.search(text) is not None


def included(name: str, text: str) -> tuple[Include, ...]:
    """The files that a document takes in."""
    found = includes.find(text) if _format(name) in _TAKES_IN else ()
    return tuple(islice(found, _MOST_INCLUDES))


def _form(name: str, beginning: bytes) -> str | None:
    """What a file is, by its name, or else by the program that its first line names."""
    by_name = _format(name)
    started = None if by_name is not None else _SHEBANG.match(beginning, 0, FIRST_LINE)
    if started is None:
        return by_name
    return ".py" if started["python"] else _SHELLS


def _format(name: str) -> str | None:
    """What a file is, by its suffix or its name: `.py`, `makefile`."""
    path = PurePath(name.lower())
    if path.suffix in _BY_SUFFIX:
        return path.suffix
    first = path.name.partition(".")[0]
    if path.name in _BY_NAME:
        return path.name
    return first if first in ("dockerfile", "containerfile") else None  # `Dockerfile.cuda`


@cache
def _reader(form: str) -> Reader:
    name = _BY_SUFFIX.get(form) or _BY_CONTENT.get(form) or _BY_NAME[form]
    reader: Reader = resolve_name(f"{__name__}.{name}")
    return reader
