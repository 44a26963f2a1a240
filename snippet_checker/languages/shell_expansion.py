"""Words after expansion: variables, arrays, quotes and braces, as far as they are constant."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from tree_sitter import Node

from snippet_checker.languages.shell_source import Source
from snippet_checker.languages.words import EMPTY, Word, expand_braces

_EXPANSIONS = ("simple_expansion", "expansion")
_DEFAULTS = frozenset({":-", "-", ":=", "="})
_IF_EMPTY = frozenset({":-", ":="})
_PLAIN_EXPANSION = re.compile(r"\$\w+|\$\{\w+(?:\[[@*]\])?\}")
_ELEMENT = re.compile(r"\$\{\w+\[(?P<quote>[\"']?)(?P<index>[\w.-]+)(?P=quote)\]\}")
_INDEX = re.compile(r"\[[^\]]*\]=")
_ALL_ARGUMENTS = re.compile(r"\$[@*]|\$\{[@*](?::(\d+))?\}")
_QUOTED = frozenset({"string", "raw_string", "ansi_c_string"})
_OPAQUE = frozenset({"command_substitution", "arithmetic_expansion", "process_substitution"})


@dataclass(frozen=True, slots=True)
class _Variable:
    words: tuple[Word, ...]
    is_array: bool

    @property
    def values(self) -> tuple[Word, ...]:
        """The words without the index that an element of an array may be written with."""
        if not self.is_array:
            return self.words
        return tuple(word.cut(_index_length(word)) for word in self.words)

    def element(self, index: str) -> Word | None:
        """What `${NAME[index]}` stands for; None where a branch or an index decides that."""
        if not all(word.sure for word in self.words):
            return None
        named = f"[{index}]="
        for word, value in zip(self.words, self.values, strict=True):
            if word.text.startswith(named):
                return value
        is_plain = self.is_array and not any(map(_index_length, self.words))
        place = int(index) if is_plain and index.isdecimal() else len(self.words)
        return self.words[place] if place < len(self.words) else None

    @property
    def is_empty(self) -> bool:
        return not any(word.text for word in self.words)


class Expander:
    """The variables in force, and what arguments become with them.

    `arguments` are those of the function that is being followed.
    """

    def __init__(self, source: Source) -> None:
        self._source = source
        self._variables: dict[str, _Variable] = {}
        self.arguments: tuple[Word, ...] = ()

    def assign(self, node: Node, *, in_branch: bool) -> None:
        """Follow `NAME=…` and `NAME+=…`; a branch may or may not be taken."""
        name = node.child_by_field_name("name")
        value = node.child_by_field_name("value")
        if name is not None and name.type == "subscript":
            array = name.child_by_field_name("name")
            self.forget(self._source.text(array if array is not None else name), node)
        if name is None or name.type != "variable_name":
            return
        key = self._source.text(name)
        is_array = value is not None and value.type == "array"
        words = self._elements(value) if value is not None and is_array else self._scalar(value)
        appends = any(child.type == "+=" for child in node.children)
        present = self._variables.get(key)
        if in_branch:
            words = tuple(Word(w.text, w.offsets, sure=False) for w in words)
            appends = appends or is_array
            if present is not None and not is_array and not appends and present.words != words:
                words = (self._source.unknown(node),)
        if appends and present is not None:
            first = present.words[0] if present.words else EMPTY
            words = present.words + words if is_array else (first + words[0],)
        self._variables[key] = _Variable(words, is_array or bool(present and present.is_array))

    def forget(self, name: str, node: Node) -> None:
        """Take a variable for unknown: something else than an assignment sets it."""
        self._variables[name] = _Variable((self._source.unknown(node),), is_array=False)

    def expand(self, *argument: Node | Word) -> list[Word]:
        """The words that the pieces of one argument become: none, one, or several."""
        words = _fields(part for piece in argument for part in self._parts(piece))
        if len(argument) == 1 and _is_whole(argument[0]):
            return words  # written to become several
        if len(words) == 1 and words[0].text and not any(map(_has_quotes, argument)):
            return expand_braces(words[0])
        return [replace(word, split_off=number > 0) for number, word in enumerate(words)]

    def _parts(self, node: Node | Word) -> Iterator[_Part]:
        """What one argument is made of, from left to right."""
        if isinstance(node, Word):
            yield _Part((node,))
        elif node.type in _EXPANSIONS:
            yield _unquoted(self._variable_words(node))
        elif node.type == "string":
            yield from self._quoted_parts(node)
        elif node.type in ("concatenation", "command_name"):
            for piece in self._pieces(node, node.start_byte, node.end_byte, quoted=False):
                yield from self._parts(piece)
        else:
            word = self._joined(node)
            if word.text or node.type in _QUOTED:
                yield _Part((word,))

    def _quoted_parts(self, node: Node) -> Iterator[_Part]:
        pieces = list(self._pieces(node, *self._source.inside(node, b'"'), quoted=True))
        for piece in pieces:
            if isinstance(piece, Word):
                yield _Part((piece,))
            elif self._spreads(piece) and "*" not in self._source.text(piece):
                yield _Part(self._variable_words(piece))
            else:
                yield _Part((self._joined(piece),))
        if not pieces:
            yield _Part((EMPTY,))

    def _elements(self, array: Node) -> tuple[Word, ...]:
        inner = (c for c in array.children if c.type not in ("(", ")", "comment"))
        return tuple(word for child in inner for word in self.expand(child))

    def _scalar(self, value: Node | None) -> tuple[Word, ...]:
        return (self._at_home(value) if value is not None else EMPTY,)

    def _at_home(self, value: Node) -> Word:
        """What an assignment makes of a value: there the shell expands a tilde at its start."""
        word = self._joined(value)
        if self._source.text(value).startswith("~"):
            return self._source.unknown(value) + word.cut(1)
        return word

    def _spreads(self, node: Node) -> bool:
        text = self._source.text(node)
        return bool(_ALL_ARGUMENTS.fullmatch(text)) or text.endswith(("[@]}", "[*]}"))

    def _variable_words(self, node: Node) -> tuple[Word, ...]:
        text = self._source.text(node)
        if node.has_error:
            return (self._source.unknown(node),)
        if (spread := _ALL_ARGUMENTS.fullmatch(text)) is not None:
            return self.arguments[max(int(spread[1] or 1), 1) - 1 :]
        if (number := re.fullmatch(r"\$\{?([1-9])\}?", text)) and self.arguments:
            return self.arguments[int(number[1]) - 1 : int(number[1])]
        name = next((self._source.text(n) for n in descendants(node, "variable_name")), "")
        variable = self._variables.get(name)
        if variable is not None and (element := _ELEMENT.fullmatch(text)) is not None:
            return (variable.element(element["index"]) or self._source.unknown(node),)
        operator = next((c.type for c in node.children if c.type in _DEFAULTS), None)
        if variable is not None and operator in _IF_EMPTY and variable.is_empty:
            variable = None
        if variable is not None and (operator or re.fullmatch(_PLAIN_EXPANSION, text)):
            return variable.values if self._spreads(node) else variable.values[:1]
        if variable is None and operator is not None:
            word = EMPTY
            for child in node.children[node.children.index(_first(node, operator)) + 1 : -1]:
                word += self._at_home(child)
            return (Word(word.text, word.offsets, sure=False),)
        return (self._source.unknown(node),)

    def _joined(self, node: Node) -> Word:
        """One word of everything inside `node`, quotes taken off."""
        if node.type in _EXPANSIONS:
            word = EMPTY
            space = Word(" ", (self._source.at(node.start_byte),))
            for number, part in enumerate(self._variable_words(node)):
                word += space + part if number else part
            return word
        if node.type == "raw_string":
            return self._source.literal(*self._source.inside(node, b"'"))
        if node.type == "ansi_c_string":
            return self._source.ansi_c(node.start_byte + 2, node.end_byte - 1)
        if node.type == "string":
            return self._whole(node, *self._source.inside(node, b'"'), quoted=True)
        if node.type in _OPAQUE:
            return self._source.unknown(node)
        if node.type == "concatenation" or node.children:
            return self._whole(node, node.start_byte, node.end_byte, quoted=False)
        return self._source.unescaped(node.start_byte, node.end_byte, quoted=False)

    def _whole(self, node: Node, start: int, end: int, *, quoted: bool) -> Word:
        word = EMPTY
        for piece in self._pieces(node, start, end, quoted=quoted):
            word += self._joined(piece) if isinstance(piece, Node) else piece
        return word

    def _pieces(self, node: Node, start: int, end: int, *, quoted: bool) -> Iterator[Node | Word]:
        """The nodes inside `node`, and the text beside them, partly left out by the grammar."""
        for child in node.children:
            if child.type == '"' or child.end_byte > end or child.start_byte < start:
                continue
            begin = self._source.start(child) if child.type in _EXPANSIONS else child.start_byte
            yield from self._text(start, begin, quoted=quoted)
            if child.type == "string_content":
                yield from self._text(child.start_byte, child.end_byte, quoted=True)
            else:
                yield child
            start = child.end_byte
        yield from self._text(start, end, quoted=quoted)

    def _text(self, start: int, end: int, *, quoted: bool) -> Iterator[Word]:
        word = self._source.unescaped(start, end, quoted=quoted)
        if word.text:
            yield word


@dataclass(frozen=True, slots=True)
class _Part:
    """Words that a part of an argument becomes; the first and the last may join what is beside."""

    words: tuple[Word, ...]
    joins_left: bool = True
    joins_right: bool = True


def _unquoted(words: Sequence[Word]) -> _Part:
    """What the shell makes of an unquoted expansion: words at white space."""
    text = "".join(word.text for word in words)
    split = tuple(
        word.cut(*match.span()) for word in words for match in re.finditer(r"\S+", word.text)
    )
    return _Part(split, not text[:1].isspace(), not text[-1:].isspace())


def _fields(parts: Iterable[_Part]) -> list[Word]:
    """The words of an argument: parts side by side make one, white space in a part ends it."""
    fields: list[Word] = []
    is_open = False
    for part in parts:
        is_open = is_open and part.joins_left
        if is_open and part.words:
            fields[-1] += part.words[0]
        fields += part.words[is_open:]
        is_open = part.joins_right and (is_open or bool(part.words))
    return fields


def _index_length(word: Word) -> int:
    index = _INDEX.match(word.text)
    return index.end() if index is not None else 0


def descendants(node: Node, kind: str) -> Iterator[Node]:
    """The outermost nodes of a kind below `node`."""
    for child in node.children:
        if child.type == kind:
            yield child
        else:
            yield from descendants(child, kind)


def _has_quotes(piece: Node | Word) -> bool:
    if isinstance(piece, Word):
        return False
    return not _QUOTED.isdisjoint({piece.type, *(child.type for child in piece.children)})


def _is_whole(piece: Node | Word) -> bool:
    """Whether the piece is a variable or a string, and nothing else."""
    return isinstance(piece, Node) and piece.type in ("string", *_EXPANSIONS)


def _first(node: Node, kind: str) -> Node:
    return next(child for child in node.children if child.type == kind)
