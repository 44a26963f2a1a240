"""Which language the author of a code block says it is in."""

from __future__ import annotations

import re

from snippet_checker.model import BlockKind

_KINDS = {
    BlockKind.YAML: ("yaml", "yml"),
    BlockKind.SHELL: ("bash", "sh", "shell", "zsh"),
    BlockKind.CONSOLE: ("console", "shell-session", "bash-session", "sh-session", "shellsession"),
    BlockKind.PYTHON: ("python", "py", "python3", "ipython", "ipython3"),
    BlockKind.TEXT: ("", "text", "txt", "none", "plain", "plaintext", "default", "guess"),
}
# `yaml`, `{yaml}`, `bash{1,3}`, `{.yaml .numbered}`, `bash title="…"`
_NAME = re.compile(r"\s*\{?\.?([\w+-]+)")
_BY_NAME = {name: kind for kind, names in _KINDS.items() for name in names}


def kind_of(language: str) -> BlockKind | None:
    """The kind of a block that is tagged `language`, or None where no setting can stand in it."""
    name = _NAME.match(language)
    return _BY_NAME.get(name[1].lower() if name is not None else "")
