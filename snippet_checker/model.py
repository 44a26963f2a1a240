"""The frozen types that the stages of the pipeline hand to each other.

Lines and columns are 1-based; columns count code points of the source line; ends are exclusive.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum, StrEnum, auto
from typing import Any

from snippet_checker.markup import Prose


class Operator(StrEnum):
    """What an override does to its key; the spelling is Hydra's."""

    SET = "="
    ADD = "+"
    FORCE = "++"
    DELETE = "~"


class Stage(StrEnum):
    """Who stops a wrong setting at launch, or that nobody does."""

    HYDRA = "hydra"
    VERL = "verl"
    SILENT = "silent"
    DOCS = "docs"


class Severity(StrEnum):
    """How much a finding weighs; the exit status is the same for both."""

    ERROR = "error"
    WARNING = "warning"


@dataclass(frozen=True, slots=True)
class Span:
    """Consecutive characters of a file: from (line, column) to before (end_line, end_column)."""

    path: str
    line: int
    column: int
    end_line: int
    end_column: int


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a run of a block's text stands in its file.

    From `offset` of the text up to the next origin, each character stands one column right of
    the one before it. A plain line of text needs one origin, a folded or escaped line several.
    """

    offset: int
    line: int
    column: int


class BlockKind(StrEnum):
    """The language that a block's text is written in."""

    YAML = "yaml"
    SHELL = "shell"
    CONSOLE = "console"
    PYTHON = "python"
    TEXT = "text"  # a literal block that names no language
    MYST = "myst"  # running text with MyST's inline markup
    RST = "rst"  # running text with reStructuredText's inline markup
    BROKEN_ENTRY = "broken entry"  # a line of a catalog that is none
    UNREAD = "unread"  # nested too deeply
    SURPLUS_FORM = "surplus form"  # a plural form of a catalog beyond those of any language


class Word(StrEnum):
    """The words that a `snippet-checker:` comment may hold."""

    ENTRY = "entry"
    RELEASE = "release"
    MOUNT = "mount"
    IGNORE = "ignore"
    EXPECT = "expect"
    NOT_VERL = "not-verl"
    UNKNOWN = "?"  # a word that no directive has


@dataclass(frozen=True, slots=True)
class Directive:
    """One word of a `snippet-checker:` comment, such as `entry=…` or `ignore[rule] reason`."""

    word: Word
    argument: str
    reason: str
    span: Span


@dataclass(frozen=True, slots=True)
class Block:
    """A run of text in one language, and where each of its characters stands.

    `original` is the msgid's block where this one is a translation, and `tongue` what it is
    translated into: "ja", "zh_CN". `whole_file` tells a file from a fragment inside a document,
    and `windows_lines` that carriage returns, left out of the text, stood before line feeds.
    """

    kind: BlockKind
    path: str
    text: str
    origins: tuple[Origin, ...]
    directives: tuple[Directive, ...] = ()
    original: Block | None = None
    tongue: str | None = None
    whole_file: bool = False
    windows_lines: bool = False

    def span(self, start: int, end: int) -> Span:
        """The place in the file of the characters `start` to `end` of the text."""
        line, column = self._place(start)
        last_line, last_column = self._place(max(start, end - 1))
        return Span(self.path, line, column, last_line, last_column + (end > start))

    def offset(self, line: int, column: int) -> int:
        """Where in the text the character stands that is at this place of the file."""
        origin = max(
            (one for one in self.origins if (one.line, one.column) <= (line, column)),
            key=lambda one: (one.line, one.column),
            default=self.origins[0],
        )
        return origin.offset + column - origin.column

    def _place(self, offset: int) -> tuple[int, int]:
        index = bisect_right(self.origins, offset, key=lambda origin: origin.offset) - 1
        origin = self.origins[max(index, 0)]
        return origin.line, origin.column + offset - origin.offset


UNKNOWN = "\ufffc"
"""Stands in a command's words for a piece that is known at launch only."""


class Value(Enum):
    """What stands for a setting's value where there is none to read."""

    ABSENT = auto()  # `~key`, or a key that is only named
    UNKNOWN = auto()  # known at launch only: a shell variable, say


@dataclass(frozen=True, slots=True)
class Setting:
    """One key that a text sets or names.

    `value` is Python data as the language's parser reads it, or a member of `Value`. `package`
    is what follows `@` in the name of a config group. A setting that only one branch of a script
    makes is not `sure`.
    """

    key: str
    operator: Operator
    value: Any
    span: Span
    value_span: Span | None = None
    package: str | None = None
    sure: bool = True


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


@dataclass(frozen=True, slots=True)
class Problem:
    """What a rule found; the runner adds which rule it was.

    `stage` is who stops this very case where it is not who stops the rule's usual ones, and
    `severity` how sure this very case is.
    """

    span: Span
    message: str
    key: str | None = None
    suggestion: str | None = None
    stage: Stage | None = None
    severity: Severity | None = None


@dataclass(frozen=True, slots=True)
class Finding:
    """A problem as it is reported."""

    rule: str
    severity: Severity
    stage: Stage
    span: Span
    message: str
    key: str | None
    suggestion: str | None


@dataclass(frozen=True, slots=True)
class Counts:
    """How much was looked at; `gaps` counts by reason the settings that could not be judged."""

    files: int = 0
    snippets: int = 0
    settings: int = 0
    ignored: int = 0
    gaps: Mapping[str, int] = field(default_factory=dict)

    def __add__(self, other: Counts) -> Counts:
        return Counts(
            self.files + other.files,
            self.snippets + other.snippets,
            self.settings + other.settings,
            self.ignored + other.ignored,
            Counter(self.gaps) + Counter(other.gaps),
        )

    @property
    def unchecked(self) -> int:
        return sum(self.gaps.values())

    @property
    def coverage(self) -> float:
        """The share of settings that were verified, from 0 to 1; 1 where there are none."""
        return 1 - self.unchecked / self.settings if self.settings else 1.0


@dataclass(frozen=True, slots=True)
class Failure:
    """A path that was not checked, and why: the checker's own mistake, or there is no such file."""

    path: str
    message: str


@dataclass(frozen=True, slots=True)
class Result:
    """Everything that a report needs.

    `sources` holds the lines that findings begin on, by path and number, as they were checked.
    """

    release: str
    counts: Counts
    findings: tuple[Finding, ...]
    failures: tuple[Failure, ...] = ()
    sources: Mapping[str, Mapping[int, str]] = field(default_factory=dict)


def shown(text: str) -> str:
    """A text as a message quotes it: not more than a line can hold."""
    return text if len(text) <= 60 else text[:57] + "…"
