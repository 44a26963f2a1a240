"""A literal block that names no language: read as what it looks like."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from snippet_checker.languages import inline, shell, yaml
from snippet_checker.model import Block, BlockKind, Snippet

_OVERRIDE_LINE = re.compile(r"^\s*(?:[+~]{0,2})[A-Za-z_]\w*(?:\.\w+)+=|-m\s+verl\.", re.MULTILINE)
_PROMPT_LINE = re.compile(r"^\s*\$\s", re.MULTILINE)
_YAML_LINE = re.compile(r"^\s*[A-Za-z_]\w*:(?:\s|$)", re.MULTILINE)


def read(block: Block) -> Iterator[Snippet]:
    """The snippets of a shell command, a list of overrides or a YAML mapping; else mentions."""
    if _PROMPT_LINE.search(block.text):
        yield from shell.read_console(block)
    elif _OVERRIDE_LINE.search(block.text):
        yield from shell.read(block)
    elif _YAML_LINE.search(block.text):
        # Nobody promised YAML here, so what does not parse is simply something else.
        as_yaml = replace(block, kind=BlockKind.YAML)
        yield from (snippet for snippet in yaml.read(as_yaml) if snippet.settings)
    else:
        yield from inline.read_plain(block)
