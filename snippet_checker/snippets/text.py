"""A literal block that names no language: read as what it looks like."""

from __future__ import annotations

import re
from collections.abc import Iterator

from snippet_checker.documents.block import Block
from snippet_checker.snippets import commands, mentions, yaml
from snippet_checker.snippets.snippet import Snippet
from snippet_checker.work import Work

_OVERRIDE_LINE = re.compile(
    r"^[^\S\n]*(?:[+~]{0,2})[A-Za-z_]\w*(?:\.\w+)+=|-m\s+verl\.", re.MULTILINE
)
_PROMPT_LINE = re.compile(r"^[^\S\n]*\$\s", re.MULTILINE)
_YAML_START = re.compile(r"(?:[^\S\n]*(?:#.*)?\n)*[^\S\n]*(?:- )?[A-Za-z_][\w-]*:(?:\s|$)")
_YAML_LINE = re.compile(r"^[^\S\n]*[A-Za-z_]\w*:(?:\s|$)", re.MULTILINE)


def read(block: Block, work: Work) -> Iterator[Snippet]:
    """The snippets of a shell command, a list of overrides or a YAML mapping; else mentions."""
    if _PROMPT_LINE.search(block.text):
        yield from commands.read_console(block, work)
    elif _OVERRIDE_LINE.search(block.text):
        starts_as_yaml = _YAML_START.match(block.text) is not None
        yield from (starts_as_yaml and _config(block, work)) or commands.read(block, work)
    elif _YAML_LINE.search(block.text):
        yield from _config(block, work)
    else:
        yield from mentions.read_plain(block, work)


def _config(block: Block, work: Work) -> list[Snippet]:
    """What there is as YAML; nobody promised it, so what does not parse is something else."""
    return [snippet for snippet in yaml.read(block, work) if snippet.settings]
