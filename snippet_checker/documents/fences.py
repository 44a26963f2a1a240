"""Which language the author of a code block says it is in."""

from __future__ import annotations

import re

from snippet_checker.documents.block import BlockKind

_KINDS = {
    BlockKind.YAML: ("yaml", "yml"),
    BlockKind.SHELL: (
        *("bash", "sh", "shell", "zsh", "ksh", "dash", "fish", "shellscript", "bashrc", "terminal"),
        *("slurm", "sbatch", "pbs", "lsf", "command", "commandline", "cmdline", "cli"),
    ),
    BlockKind.CONSOLE: ("console", "shell-session", "bash-session", "sh-session", "shellsession"),
    BlockKind.PYTHON: ("python", "py", "python3", "ipython", "ipython3", "pycon", "ipy"),
    BlockKind.JSON: ("json", "jsonc", "json5"),
    BlockKind.TOML: ("toml",),
    BlockKind.DOTENV: ("dotenv", "env"),
    BlockKind.DOCKERFILE: ("dockerfile", "docker", "containerfile"),
    BlockKind.MAKEFILE: ("makefile", "make", "mk"),
    BlockKind.JUSTFILE: ("just", "justfile"),
    BlockKind.DIFF: ("diff", "patch"),
    BlockKind.TEXT: ("", "text", "txt", "none", "plain", "plaintext", "default", "guess"),
}
# `yaml`, `{yaml}`, `bash{1,3}`, `{.yaml .numbered}`, `bash title="…"`
_NAME = re.compile(r"\s*\{?\.?([\w+-]+)")
_WITHOUT_COMMANDS = frozenset(
    {
        *("math", "mermaid", "graphviz", "dot", "plantuml", "svg", "latex", "tex", "bibtex"),
        *("html", "xml", "css", "scss", "csv", "tsv", "sql", "graphql", "proto", "protobuf"),
        *("c", "cpp", "c++", "cuda", "asm", "java", "kotlin", "scala", "go", "rust", "swift"),
        *("js", "javascript", "jsx", "ts", "typescript", "tsx", "php", "ruby", "perl", "lua", "r"),
        *("julia", "matlab", "fortran", "haskell", "output", "log", "pytb", "traceback"),
    }
)
CATALOGS = frozenset({"po", "pot", "gettext"})
"""Tags of blocks that hold entries of a translation catalog."""
_BY_NAME = {name: kind for kind, names in _KINDS.items() for name in names}


def kind_of(tag: str) -> BlockKind | None:
    """The kind of a block with that tag, or None where no setting can stand in it.

    A tag that nobody knows, or of another shell, may stand above a command all the same.
    """
    language = language_of(tag)
    return None if language in _WITHOUT_COMMANDS else _BY_NAME.get(language, BlockKind.FOREIGN)


def is_language(name: str) -> bool:
    """Whether a name is that of a language that is read, such as `bash`, and not `note`."""
    return _BY_NAME.get(language_of(name), BlockKind.TEXT) is not BlockKind.TEXT


def language_of(tag: str) -> str:
    """The language that a tag names, without what Markdown dialects add to it."""
    name = _NAME.match(tag)
    return name[1].lower() if name is not None else ""
