"""What a block of a document says about verl, whatever language it says it in."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from snippet_checker.documents.block import Block
from snippet_checker.hydra.setting import Setting
from snippet_checker.markup.types import Prose
from snippet_checker.text.places import Span


@dataclass(frozen=True, slots=True)
class Mention:
    """An inline literal of running text, markup taken off, or a file that it names.

    `revision` is the tag, branch or commit that an address names the file at.
    """

    text: str
    span: Span
    revision: str | None = None


@dataclass(frozen=True, slots=True)
class Claim:
    """A default that running text states: the key, perhaps shortened, and the value's text."""

    key: str
    value: str
    value_span: Span


class FaultKind(StrEnum):
    """What a language's parser can refuse, by the id of the rule that reports it."""

    OVERRIDE_SYNTAX = "override-syntax"
    SHELL_QUOTING = "shell-quoting"
    YAML_SYNTAX = "yaml-syntax"
    DUPLICATE_KEY = "duplicate-key"
    CATALOG_SYNTAX = "catalog-syntax"
    UNREADABLE_FILE = "unreadable-file"
    UNCHECKED_PART = "unchecked-part"


@dataclass(frozen=True, slots=True)
class Fault:
    """What a language's parser refused, and where."""

    kind: FaultKind
    message: str
    span: Span
    key: str | None = None
    suggestion: str | None = None


class Context(StrEnum):
    """How completely a text says what it means."""

    COMMAND = "command"  # a launch command: judged whole, exactly as Hydra would
    FRAGMENT = "fragment"  # settings without a command: some entry must accept them
    MENTION = "mention"  # running text, which shortens keys


@dataclass(frozen=True, slots=True)
class Snippet:
    """One command, one YAML fragment, or the mentions of one paragraph.

    `entry` is the module or the config name that the text itself starts, if it does.
    `config_name` and `config_dir` are what `--config-name` and `--config-path` say. An `elided`
    command leaves something out on purpose: `…`. An `extended` one looks for configs outside of
    verl's package too. `unread` are settings whose values are too much work to read. `prose` is
    there for translations and their originals.
    """

    block: Block
    context: Context
    span: Span
    entry: str | None = None
    entry_span: Span | None = None
    config_name: str | None = None
    config_name_span: Span | None = None
    config_dir: str | None = None
    settings: tuple[Setting, ...] = ()
    unread: tuple[Setting, ...] = ()
    literals: tuple[Mention, ...] = ()
    files: tuple[Mention, ...] = ()
    faults: tuple[Fault, ...] = ()
    claims: tuple[Claim, ...] = ()
    original: Snippet | None = None
    prose: Prose | None = None
    elided: bool = False
    extended: bool = False
