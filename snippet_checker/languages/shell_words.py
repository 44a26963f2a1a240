"""A shell script's commands after expansion, as far as it can be known without running them.

tree-sitter reads the grammar. Variables and arrays with constant values are followed; whatever
is known at launch only becomes `UNKNOWN` in its word. Every character keeps its place.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

import tree_sitter_bash
from tree_sitter import Language, Node, Parser

from snippet_checker.languages.words import EMPTY, UNKNOWN, Word, expand_braces

_BRANCHES = frozenset(
    {"if_statement", "while_statement", "for_statement", "case_statement", "c_style_for_statement"}
)
_DEFAULTS = frozenset({":-", "-", ":=", "="})
_MAX_CALLS = 20


@dataclass(frozen=True, slots=True)
class _Variable:
    words: tuple[Word, ...]
    is_array: bool


class Script:
    """One script's text, with the place of each of its characters in the block."""

    def __init__(self, text: str, offsets: Sequence[int] | None = None) -> None:
        self._source = text.encode()
        self._offsets = offsets if offsets is not None else range(len(text))
        self._characters = _character_of_byte(text) if len(self._source) != len(text) else None
        self._variables: dict[str, _Variable] = {}
        self._functions: dict[str, Node] = {}
        self._called: set[str] = set()
        self._arguments: tuple[Word, ...] = ()
        self._branches = 0
        self._calls = 0

    def commands(self) -> Iterator[list[Word]]:
        """Each command's words, in the order of the text, functions where they are called."""
        yield from self._walk(_parser().parse(self._source).root_node)
        for name, body in list(self._functions.items()):
            if name not in self._called:
                yield from self._walk(body)

    def _walk(self, node: Node) -> Iterator[list[Word]]:
        if node.type in ("variable_assignment", "command"):
            for substitution in _descendants(node, "command_substitution"):
                for child in substitution.children:
                    yield from self._walk(child)
        if node.type == "variable_assignment":
            self._assign(node)
        elif node.type == "heredoc_redirect":
            yield from self._here_document(node)
        elif node.type == "function_definition":
            self._define(node)
        elif node.type == "command":
            yield from self._command(node)
        elif node.type not in ("comment", "test_command"):
            branching = node.type in _BRANCHES or (
                node.type == "list" and any(child.type == "||" for child in node.children)
            )
            self._branches += branching
            for child in node.children:
                yield from self._walk(child)
            self._branches -= branching

    def _here_document(self, node: Node) -> Iterator[list[Word]]:
        """The commands in a here-document, unless it only serves as a comment (`: <<END`)."""
        statement = node.parent.children[0] if node.parent is not None else node
        if self._text(statement) in ("", ":", "true") or statement.type != "command":
            return
        for body in _descendants(node, "heredoc_body"):
            text = self._literal(body.start_byte, body.end_byte)
            if "verl" in text.text:
                yield from Script(text.text, text.offsets).commands()

    def _define(self, node: Node) -> None:
        name = node.child_by_field_name("name")
        body = node.child_by_field_name("body")
        if name is not None and body is not None:
            self._functions[self._text(name)] = body

    def _command(self, node: Node) -> Iterator[list[Word]]:
        words: list[Word] = []
        end = node.start_byte
        for child in node.children:
            words += self._blanks(end, child.start_byte)
            joins = _SAME_WORD.fullmatch(self._source, end, child.start_byte) is not None
            end = child.end_byte
            if child.type == "variable_assignment" and not words:
                continue  # `NAME=value command` sets it for that command alone
            if child.type in _REDIRECTS:
                continue
            expanded = self._expand(child)
            if joins and words and expanded:
                expanded[0] = words.pop() + expanded[0]
            words += expanded
        words += self._blanks(end, len(self._source))
        if not words:
            return
        name = words[0].text
        if name in ("shift", "set"):
            self._change_arguments(words)
        if name in self._functions and self._calls < _MAX_CALLS:
            self._called.add(name)
            self._calls += 1
            outer, self._arguments = self._arguments, tuple(words[1:])
            yield from self._walk(self._functions[name])
            self._arguments = outer
        else:
            yield words

    def _change_arguments(self, words: Sequence[Word]) -> None:
        if words[0].text == "set":
            dashes = next((n for n, word in enumerate(words) if word.text == "--"), None)
            if dashes is not None:
                self._arguments = tuple(words[dashes + 1 :])
            return
        count = words[1].text if len(words) > 1 else "1"
        self._arguments = self._arguments[int(count) if count.isdigit() else 0 :]

    def _blanks(self, start: int, end: int) -> list[Word]:
        """The words of one blank that a backslash makes between two nodes.

        At a line's end it looks like a continuation and ends the command. The grammar leaves
        such words out.
        """
        gap = _ESCAPED_BLANKS.match(self._source, start, end)
        places = _ESCAPED_BLANK.finditer(gap[0]) if gap is not None else ()
        return [Word(" ", (self._at(start + place.start()),)) for place in places]

    def _assign(self, node: Node) -> None:
        name = node.child_by_field_name("name")
        value = node.child_by_field_name("value")
        if name is None or name.type != "variable_name":
            return
        key = self._text(name)
        is_array = value is not None and value.type == "array"
        words = self._elements(value) if value is not None and is_array else self._scalar(value)
        appends = any(child.type == "+=" for child in node.children)
        present = self._variables.get(key)
        if self._branches:
            words = tuple(Word(w.text, w.offsets, sure=False) for w in words)
            appends = appends or is_array
            if present is not None and not is_array and not appends and present.words != words:
                words = (self._unknown(node),)
        if appends and present is not None:
            words = present.words + words if is_array else (present.words[0] + words[0],)
        self._variables[key] = _Variable(words, is_array or bool(present and present.is_array))

    def _elements(self, array: Node) -> tuple[Word, ...]:
        inner = (c for c in array.children if c.type not in ("(", ")", "comment"))
        return tuple(word for child in inner for word in self._expand(child))

    def _scalar(self, value: Node | None) -> tuple[Word, ...]:
        return (self._joined(value) if value is not None else EMPTY,)

    def _expand(self, node: Node) -> list[Word]:
        """The words that one argument becomes: none, one, or several."""
        if node.type == "command_name":
            return [word for child in node.children for word in self._expand(child)]
        if node.type in ("simple_expansion", "expansion"):
            return _split(self._variable_words(node))
        if node.type == "string":
            inner = [c for c in node.children if c.type in ("simple_expansion", "expansion")]
            alone = len(inner) == 1 and self._text(node) == f'"{self._text(inner[0])}"'
            if alone and self._spreads(inner[0]):
                return list(self._variable_words(inner[0]))
        word = self._joined(node)
        if {"string", "raw_string"}.intersection(_types(node)):
            return [word]
        return list(expand_braces(word)) if word.text else []

    def _spreads(self, node: Node) -> bool:
        text = self._text(node)
        return bool(_ALL_ARGUMENTS.fullmatch(text)) or text.endswith(("[@]}", "[*]}"))

    def _variable_words(self, node: Node) -> tuple[Word, ...]:
        text = self._text(node)
        if (spread := _ALL_ARGUMENTS.fullmatch(text)) is not None:
            return self._arguments[max(int(spread[1] or 1), 1) - 1 :]
        if (number := re.fullmatch(r"\$\{?([1-9])\}?", text)) and self._arguments:
            return self._arguments[int(number[1]) - 1 : int(number[1])]
        name = next((self._text(n) for n in _descendants(node, "variable_name")), "")
        variable = self._variables.get(name)
        operator = next((c.type for c in node.children if c.type in _DEFAULTS), None)
        if variable is not None and (operator or re.fullmatch(_PLAIN_EXPANSION, text)):
            return variable.words if self._spreads(node) else variable.words[:1]
        if variable is None and operator is not None:
            word = EMPTY
            for child in node.children[node.children.index(_first(node, operator)) + 1 : -1]:
                word += self._joined(child)
            return (Word(word.text, word.offsets, sure=False),)
        return (self._unknown(node),)

    def _joined(self, node: Node) -> Word:
        """One word of everything inside `node`, quotes taken off."""
        if node.type in ("simple_expansion", "expansion"):
            word = EMPTY
            for number, part in enumerate(self._variable_words(node)):
                word += (
                    Word(" ", part.offsets[:1] or (self._at(node.start_byte),)) if number else EMPTY
                )
                word += part
            return word
        if node.type == "raw_string":
            return self._literal(*self._inside(node, b"'"))
        if node.type == "string":
            return self._pieces(node, *self._inside(node, b'"'), quoted=True)
        if node.type in _OPAQUE:
            return self._unknown(node)
        if node.type == "concatenation" or node.children:
            return self._pieces(node, node.start_byte, node.end_byte, quoted=False)
        return self._unescaped(node.start_byte, node.end_byte, quoted=False)

    def _inside(self, node: Node, quote: bytes) -> tuple[int, int]:
        """Where the text between quotes stands; a broken script may lack the second one."""
        text = self._source[node.start_byte : node.end_byte]
        closed = len(text) > 1 and text.endswith(quote)
        return node.start_byte + text.startswith(quote), node.end_byte - closed

    def _pieces(self, node: Node, start: int, end: int, *, quoted: bool) -> Word:
        # The grammar leaves some characters between its nodes, so gaps count as text.
        word = EMPTY
        for child in node.children:
            if child.type == '"' or child.end_byte > end or child.start_byte < start:
                continue
            # The grammar counts blanks before a variable to it.
            begin = child.start_byte + len(child.text or b"") - len((child.text or b"").lstrip())
            if child.type not in ("simple_expansion", "expansion"):
                begin = child.start_byte
            word += self._unescaped(start, begin, quoted=quoted)
            if child.type == "string_content":
                word += self._unescaped(child.start_byte, child.end_byte, quoted=True)
            else:
                word += self._joined(child)
            start = child.end_byte
        return word + self._unescaped(start, end, quoted=quoted)

    def _unescaped(self, start: int, end: int, *, quoted: bool) -> Word:
        raw = self._literal(start, end)
        if "\\" not in raw.text:
            return raw
        kept = []
        position = 0
        while position < len(raw.text):
            following = raw.text[position + 1 : position + 2]
            if raw.text[position] == "\\" and following:
                if following != "\n" and (not quoted or following in '"\\$`'):
                    kept.append(position + 1)
                elif following != "\n":
                    kept += [position, position + 1]
                position += 2
            else:
                kept.append(position)
                position += 1
        return Word("".join(raw.text[k] for k in kept), tuple(raw.offsets[k] for k in kept))

    def _literal(self, start: int, end: int) -> Word:
        text = self._source[start:end].decode()
        first = self._character(start)
        return Word(text, tuple(self._offsets[first : first + len(text)]))

    def _unknown(self, node: Node) -> Word:
        return Word(UNKNOWN, (self._at(node.start_byte),))

    def _at(self, byte: int) -> int:
        return self._offsets[min(self._character(byte), len(self._offsets) - 1)]

    def _character(self, byte: int) -> int:
        return byte if self._characters is None else self._characters[byte]

    def _text(self, node: Node) -> str:
        return self._source[node.start_byte : node.end_byte].decode().strip()


_REDIRECTS = frozenset({"file_redirect", "herestring_redirect", "heredoc_redirect"})
_SAME_WORD = re.compile(rb"(?:\\\r?\n)*")  # no blank between two nodes: one word for the shell
_ESCAPED_BLANKS = re.compile(rb"(?:(?:[ \t]|\\\r?\n)*\\[ \t])+")
_ESCAPED_BLANK = re.compile(rb"\\[ \t]")
_PLAIN_EXPANSION = re.compile(r"\$\w+|\$\{\w+(?:\[[@*]\])?\}")
_ALL_ARGUMENTS = re.compile(r"\$[@*]|\$\{[@*](?::(\d+))?\}")
_OPAQUE = frozenset(
    {"command_substitution", "arithmetic_expansion", "process_substitution", "ansi_c_string"}
)


@lru_cache(maxsize=1)
def _parser() -> Parser:
    return Parser(Language(tree_sitter_bash.language()))


def _split(words: Sequence[Word]) -> list[Word]:
    """What the shell makes of an unquoted expansion: words at white space."""
    return [word.cut(*match.span()) for word in words for match in re.finditer(r"\S+", word.text)]


def _descendants(node: Node, kind: str) -> Iterator[Node]:
    for child in node.children:
        if child.type == kind:
            yield child
        else:
            yield from _descendants(child, kind)


def _types(node: Node) -> set[str]:
    return {node.type, *(child.type for child in node.children)}


def _first(node: Node, kind: str) -> Node:
    return next(child for child in node.children if child.type == kind)


def _character_of_byte(text: str) -> list[int]:
    positions = [n for n, character in enumerate(text) for _ in character.encode()]
    return [*positions, len(text)]
