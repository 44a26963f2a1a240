"""Pieces of documents, each in one language, and the directives that hold for them."""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct

from snippet_checker.text.places import SourceText, Span


class BlockKind(StrEnum):
    """The language that a block's text is written in."""

    YAML = "yaml"
    SHELL = "shell"
    CONSOLE = "console"
    PYTHON = "python"
    JSON = "json"
    TOML = "toml"
    DOTENV = "dotenv"
    DOCKERFILE = "dockerfile"
    MAKEFILE = "makefile"
    JUSTFILE = "justfile"
    DIFF = "diff"
    FOREIGN = "foreign"  # a language that is not read, where commands may stand
    TEXT = "text"  # a literal block that names no language
    MYST = "myst"  # running text with MyST's inline markup
    RST = "rst"  # running text with reStructuredText's inline markup
    BROKEN_ENTRY = "broken entry"  # a line of a catalog that is none
    UNREAD = "unread"  # nested too deeply
    SURPLUS_FORM = "surplus form"  # a plural form of a catalog beyond those of any language


class DirectiveWord(StrEnum):
    """The words that a `snippet-checker:` comment may hold."""

    ENTRY = "entry"
    RELEASE = "release"
    MOUNT = "mount"
    IGNORE = "ignore"
    IGNORE_FILE = "ignore-file"
    EXPECT = "expect"
    NOT_VERL = "not-verl"
    UNKNOWN = "?"  # a word that no directive has


class Directive(Struct, frozen=True):
    """One word of a `snippet-checker:` comment, such as `entry=…` or `ignore[rule] reason`."""

    word: DirectiveWord
    argument: str
    reason: str
    span: Span


class Block(SourceText, frozen=True):
    """A run of text in one language, and where each of its characters stands.

    `original` is the msgid's block where this one is a translation, and `locale` what it is
    translated into: "ja", "zh_CN". `holds_blocks` tells a message of a catalog whose messages have
    the markup of their blocks, `# Title`: Sphinx's have not. `whole_file` tells a file from a
    fragment inside a document, and `windows_lines` that carriage returns, left out of the text,
    stood before line feeds.
    """

    kind: BlockKind
    directives: tuple[Directive, ...] = ()
    original: Block | None = None
    locale: str | None = None
    holds_blocks: bool = False
    whole_file: bool = False
    windows_lines: bool = False

    def argument(self, word: DirectiveWord) -> str | None:
        """What a directive of the block says for a word, the last one if there are several."""
        said = [directive.argument for directive in self.directives if directive.word is word]
        return said[-1] if said else None

    @property
    def lines(self) -> range:
        """The lines of the file that its text stands on."""
        lines = [origin.line for origin in self.origins]
        return range(min(lines), max(lines) + 1)

    def is_below(self, directive: Directive) -> bool:
        """Whether a directive is the document's, in front of the block, and not the block's own."""
        span, first = directive.span, min((one.line, one.column) for one in self.origins)
        return self.whole_file or span.start < first
