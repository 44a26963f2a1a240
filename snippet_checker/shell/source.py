"""A shell script's text, and where each of its characters stands in the block."""

from __future__ import annotations

import re
from collections.abc import Sequence

from snippet_checker.shell.node import Node
from snippet_checker.shell.printing import meaning
from snippet_checker.text.words import EMPTY, Word, decoded, replaced, unknown_at

_ANSI_ESCAPE = re.compile(
    r"\\(?:(?P<octal>[0-7]{1,3})|x(?P<hex>[0-9A-Fa-f]{1,2})|u(?P<code>[0-9A-Fa-f]{1,4})"
    r"|(?P<letter>[abefnrtv\\'\"?]))"
)
_ANY_CHARACTER = re.compile(r"\\(?:\n|(?P<kept>.))", re.DOTALL)
_IN_QUOTES = re.compile(r"\\(?:\n|(?P<kept>[\"\\$`]))")
_IN_DOCUMENT = re.compile(r"\\(?:\n|(?P<kept>[\\$`]))")
_END_OF_LINE = re.compile(r"(?<!\\)\n")


class Source:
    """tree-sitter counts bytes; this turns its nodes into words of placed characters."""

    def __init__(self, text: str, offsets: Sequence[int] | None = None) -> None:
        self.bytes = text.encode()
        self._offsets = offsets if offsets is not None else range(len(text))
        self._characters = _character_of_byte(text) if len(self.bytes) != len(text) else None

    def text(self, node: Node) -> str:
        """The node's text, without the blanks that the grammar counts to it."""
        return self.bytes[node.start_byte : node.end_byte].decode().strip()

    def start(self, node: Node) -> int:
        """The byte where the node begins, after the blanks that the grammar counts to it."""
        text = self.bytes[node.start_byte : node.end_byte]
        return node.start_byte + len(text) - len(text.lstrip())

    def starts_word(self, node: Node) -> bool:
        """Whether a blank stands before the node."""
        return self.bytes[max(node.start_byte - 1, 0) : node.start_byte].isspace()

    def names_behind(self, name: str, byte: int) -> bool:
        """Whether a command of some name stands at the start of a line behind a byte."""
        command = rf"(?m)^[ \t]*{re.escape(name)}(?![\w=-])"
        return re.compile(command.encode()).search(self.bytes, byte) is not None

    def ends_line(self, byte: int) -> bool:
        """Whether a line ends at a byte, perhaps behind blanks or with a comment."""
        end = self.bytes.find(b"\n", byte)
        between = self.bytes[byte : max(end, byte)]
        rest = between.lstrip(b" \t")
        return end >= 0 and (not rest or (rest != between and rest.startswith(b"#")))

    def literal(self, start: int, end: int) -> Word:
        """The bytes from `start` to before `end` as they stand."""
        text = self.bytes[start:end].decode()
        first = self._character(start)
        return Word(text, tuple(self._offsets[first : first + len(text)]))

    def of_document(self, start: int, end: int) -> Word:
        """The literal text of a here-document, where a double quote needs no backslash."""
        return _without_backslashes(self.literal(start, end), _IN_DOCUMENT)

    def unescaped(self, start: int, end: int, *, quoted: bool) -> Word:
        """The literal text without the backslashes that the shell takes away."""
        escapes = _IN_QUOTES if quoted else _ANY_CHARACTER
        return _without_backslashes(self.literal(start, end), escapes)

    def ansi_c(self, start: int, end: int) -> Word:
        """The inside of `$'…'`, its escapes taken for what they stand for."""
        return decoded(self.literal(start, end), _ANSI_ESCAPE, meaning)

    def inside(self, node: Node, quote: bytes) -> tuple[int, int]:
        """Where the text between quotes stands; a broken script may lack the second one."""
        text = self.bytes[node.start_byte : node.end_byte]
        closed = len(text) > 1 and text.endswith(quote)
        return node.start_byte + text.startswith(quote), node.end_byte - closed

    def unknown(self, node: Node) -> Word:
        """A word for what is known at launch only."""
        return unknown_at(self.at(node.start_byte))

    def unquoted(self, node: Node, opaque: Sequence[str]) -> set[int]:
        """The places of a node's characters that are neither escaped nor in an `opaque` node."""
        if node.type in opaque:
            return set()
        hidden = [child for child in node.children if child.children or child.type in opaque]
        raw = self.literal(node.start_byte, node.end_byte)
        places = {
            place
            for number, place in enumerate(raw.offsets)
            if raw.text[number - 1 : number] != "\\"
        }
        for child in hidden:
            places -= set(self.literal(child.start_byte, child.end_byte).offsets)
            places |= self.unquoted(child, opaque)
        return places

    def halves(self) -> tuple[Source, Source] | None:
        """The text cut in two at an end of a line near its middle; None if it has none."""
        text = self.bytes.decode()
        ends = [match.end() for match in _END_OF_LINE.finditer(text) if match.end() < len(text)]
        if not ends:
            return None
        cut = min(ends, key=lambda end: abs(2 * end - len(text)))
        return Source(text[:cut], self._offsets[:cut]), Source(text[cut:], self._offsets[cut:])

    def at(self, byte: int) -> int:
        """The place in the block of the character at a byte."""
        return self._offsets[min(self._character(byte), len(self._offsets) - 1)]

    def _character(self, byte: int) -> int:
        return byte if self._characters is None else self._characters[byte]


def _without_backslashes(word: Word, escapes: re.Pattern[str]) -> Word:
    """The word without the backslash of each escape, or without the end of a line that it joins."""
    if "\\" not in word.text:
        return word

    def kept(escape: re.Match[str]) -> Word:
        return word.cut(escape.start() + 1, escape.end()) if escape["kept"] else EMPTY

    return replaced(word, escapes.finditer(word.text), kept)


def _character_of_byte(text: str) -> list[int]:
    positions = [n for n, character in enumerate(text) for _ in character.encode()]
    return [*positions, len(text)]
