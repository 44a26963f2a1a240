"""Words after expansion: variables, arrays, quotes and braces, as far as they are constant."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from tree_sitter import Node

from snippet_checker.languages import shell_parameters
from snippet_checker.languages.shell_braces import expand_braces
from snippet_checker.languages.shell_grammar import descendants
from snippet_checker.languages.shell_parameters import Parameter
from snippet_checker.languages.shell_source import Source
from snippet_checker.languages.shell_variables import (
    NOT_SET,
    Environment,
    Variable,
    any_of,
    either,
    unsure,
)
from snippet_checker.languages.words import EMPTY, Word, unknown_at
from snippet_checker.model import UNKNOWN

_EXPANSIONS = ("simple_expansion", "expansion")
_QUOTED = frozenset({"string", "raw_string", "ansi_c_string"})
_OPAQUE = frozenset({"command_substitution", "arithmetic_expansion", "process_substitution"})
_WORD_END = re.compile(r"\S+")


_NEXT = "${{#{}[@]}}"  # as an index: behind the last element


class Expander:
    """What arguments become in an environment."""

    def __init__(self, source: Source, environment: Environment) -> None:
        self._source = source
        self.environment = environment

    def assign(self, node: Node) -> None:
        """Follow `NAME=…`, `NAME+=…` and `NAME[index]=…`."""
        name = node.child_by_field_name("name")
        value = node.child_by_field_name("value")
        if name is None:
            return
        if name.type == "subscript":
            self._assign_element(name, value)
            return
        key = self._source.text(name)
        appends = any(child.type == "+=" for child in node.children)
        before = self.environment.variables.get(key, NOT_SET)
        is_array = value is not None and value.type == "array"
        names = set() if is_array else self._names([node])
        found = []
        for reading in self.environment.readings(names | ({key} if appends else set())):
            inner = Expander(self._source, reading)
            words = (
                inner._elements(value) if value is not None and is_array else inner._scalar(value)
            )
            if appends:
                words = _appended(reading.variables.get(key, NOT_SET), words, is_array=is_array)
            found.append(Variable((words,), is_array or (appends and before.is_array)))
        self.environment.variables[key] = either(found)

    def _assign_element(self, name: Node, value: Node | None) -> None:
        array, index = name.child_by_field_name("name"), name.child_by_field_name("index")
        key = self._source.text(array if array is not None else name)
        before = self.environment.variables.get(key)
        label = self._source.text(index).strip("\"'") if index is not None else ""
        if before is None or not before.is_certain or "$" in label.replace(_NEXT.format(key), ""):
            self.forget(key, name)
            return
        place = self._source.at(name.start_byte)
        words = shell_parameters.with_element(
            before.values[0],
            label,
            self._scalar(value)[0],
            place,
            is_next=label == _NEXT.format(key),
        )
        self.environment.variables[key] = Variable((words,), is_array=True)

    def forget(self, name: str, node: Node) -> None:
        """Take a variable for unknown: something else than an assignment sets it."""
        self.environment.variables[name] = Variable(((self._source.unknown(node),),))

    def expand(self, *argument: Node | Word) -> list[Word]:
        """The words that the pieces of one argument become: none, one, or several."""
        piece = argument[0]
        if len(argument) == 1 and isinstance(piece, Node) and _is_whole(piece):
            readings = self.environment.readings(self._names([piece]))
            several = (Expander(self._source, one)._fields_of(argument) for one in readings)
            return list(any_of(map(tuple, several)))
        words = self._fields_of(argument)
        if words and self._begins_at_home(piece, words[0]):
            words[0] = unknown_at(words[0].offsets[0]) + words[0].cut(1)
        if len(words) == 1 and "{" in words[0].text:
            return expand_braces(words[0], self._bare(argument))
        return [replace(word, split_off=number > 0) for number, word in enumerate(words)]

    def expand_all(self, nodes: Sequence[Node]) -> tuple[Word, ...]:
        """The words that several arguments become."""
        return tuple(word for node in nodes for word in self.expand(node))

    def documents(self, redirect: Node) -> list[Word]:
        """The texts of a here-document, as the command gets them."""
        start = next(descendants(redirect, "heredoc_start"), None)
        is_raw = start is not None and re.search(r"[\"'\\]", self._source.text(start)) is not None
        bodies = descendants(redirect, "heredoc_body")
        if is_raw:
            return [self._source.literal(body.start_byte, body.end_byte) for body in bodies]
        return [self._document(body) for body in bodies]

    def _document(self, body: Node) -> Word:
        """A here-document with its variables expanded."""
        word, start = EMPTY, body.start_byte
        for child in body.children:
            if child.type == "heredoc_content":
                continue
            begin = self._source.start(child)
            word += self._source.of_document(start, begin) + self._joined(child)
            start = child.end_byte
        return word + self._source.of_document(start, body.end_byte)

    def names_of_programs(self, nodes: Iterable[Node]) -> list[str]:
        """The variables in some nodes that may hold one program or another."""
        variables = self.environment.variables
        names = (name for name in self._names(nodes) if name in variables)
        return [name for name in names if variables[name].names_program()]

    def _fields_of(self, argument: Sequence[Node | Word]) -> list[Word]:
        return _fields(part for piece in argument for part in self._parts(piece))

    def _begins_at_home(self, piece: Node | Word, word: Word) -> bool:
        """Whether the shell expands a tilde at the start of an argument."""
        is_written = isinstance(piece, Node) and self._source.text(piece).startswith("~")
        return is_written and (word.text == "~" or word.text.startswith("~/"))

    def _bare(self, argument: Sequence[Node | Word]) -> frozenset[int]:
        """The places of the characters of an argument that are not quoted, in any way."""
        places: set[int] = set()
        for piece in argument:
            if isinstance(piece, Node):
                places |= self._source.unquoted(piece, (*_QUOTED, *_EXPANSIONS, *_OPAQUE))
        return frozenset(places)

    def _names(self, nodes: Iterable[Node]) -> set[str]:
        """The variables that some nodes name."""
        return {
            self._source.text(name)
            for node in nodes
            for expansion in (node, *descendants(node, *_EXPANSIONS))
            for name in descendants(expansion, "variable_name")
        }

    def _parts(self, node: Node | Word) -> Iterator[_Part]:
        """What one argument is made of, from left to right."""
        if isinstance(node, Word):
            yield _Part((node,))
        elif node.type in _EXPANSIONS:
            yield from self._expansion_parts(node)
        elif node.type == "string":
            yield from self._quoted_parts(node)
        elif node.type in ("concatenation", "command_name"):
            for piece in self._pieces(node, node.start_byte, node.end_byte, quoted=False):
                yield from self._parts(piece)
        else:
            word = self._joined(node)
            if word.text or node.type in _QUOTED:
                yield _Part((word,))

    def _expansion_parts(self, node: Node) -> Iterator[_Part]:
        """What an expansion without quotes becomes; a default may have quotes of its own."""
        instead = self._instead(node)
        if instead is None:
            yield self._split(self._words(node))
            return
        nodes, is_sure = instead
        for child in nodes:
            if self._source.text(child).startswith("~"):
                yield _Part((self._at_home(child),))
                continue
            for part in self._parts(child):
                part = part if child.type in _QUOTED else self._split(part.words)
                yield part if is_sure else replace(part, words=unsure(part.words))

    def _quoted_parts(self, node: Node) -> Iterator[_Part]:
        pieces = list(self._pieces(node, *self._source.inside(node, b'"'), quoted=True))
        for piece in pieces:
            if isinstance(piece, Word):
                yield _Part((piece,))
            elif self._spreads(piece):
                yield _Part(self._words(piece))
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
        parameter = Parameter.of(self._source.text(node))
        return parameter is not None and parameter.spreads and self._instead(node) is None

    def _instead(self, node: Node) -> tuple[Sequence[Node], bool] | None:
        """What stands for a variable in `${NAME:-…}` and `${NAME:+…}`, and whether it surely does.

        None where the variable itself counts.
        """
        parameter = Parameter.of(self._source.text(node))
        if parameter is None or parameter.alternative is None or node.has_error:
            return None
        value = self._value(parameter, node)
        is_set = value is not None and _is_set(value, or_empty=parameter.alternative[0] != ":")
        if parameter.alternative.endswith("+"):
            if value is not None and not is_set:
                return (), True
        elif is_set:
            return None
        first = next(n for n, c in enumerate(node.children) if c.type == parameter.alternative)
        return node.children[first + 1 : -1], value is not None

    def _value(self, parameter: Parameter, node: Node) -> tuple[Word, ...] | None:
        """The words that a name stands for; None where only the launch tells."""
        if parameter.prefix == "!":
            return self._indirect(parameter, node)
        if parameter.name in ("@", "*"):
            return self.environment.arguments or ()
        if parameter.name == "#":
            return self._count(node)
        if parameter.name.isdecimal():
            return self._argument(int(parameter.name))
        variable = self.environment.variables.get(parameter.name)
        if variable is None:
            return None
        if not variable.is_certain:
            return self._either_text(variable)
        return shell_parameters.elements(variable.values[0], parameter.index, variable.is_array)

    def _indirect(self, parameter: Parameter, node: Node) -> tuple[Word, ...] | None:
        """`${!NAME}`, the variable of that name, and `${!NAME[@]}`, the indices of an array."""
        variable = self.environment.variables.get(parameter.name)
        if variable is None or not variable.is_certain:
            return None
        if parameter.index is not None:
            return shell_parameters.labels(variable.values[0]) or None
        named = "".join(word.text for word in variable.values[0][:1])
        is_name = re.fullmatch(r"[A-Za-z_]\w*", named) is not None
        return self._value(Parameter(named), node) if is_name else None

    def _count(self, node: Node) -> tuple[Word, ...] | None:
        arguments = self.environment.arguments
        if arguments is None or not all(word.sure for word in arguments):
            return None
        number = str(len(arguments))
        return (Word(number, (self._source.at(node.start_byte),) * len(number)),)

    def _argument(self, number: int) -> tuple[Word, ...] | None:
        """An argument of the function that is followed; one before it may be several, or none."""
        arguments = self.environment.arguments
        if arguments is None or number == 0:
            return None
        if not all(word.sure for word in arguments[: number - 1]):
            return None
        return arguments[number - 1 : number]

    def _either_text(self, variable: Variable) -> tuple[Word, ...] | None:
        """The one text that a variable has, if it is set."""
        texts = [words for words in variable.values if any(word.text for word in words)]
        return unsure(texts[0]) if len(texts) == 1 and not variable.is_array else None

    def _words(self, node: Node) -> tuple[Word, ...]:
        """The words of an expansion, not split yet."""
        text = self._source.text(node)
        parameter = Parameter.of(text)
        unknown = (self._source.unknown(node),)
        if node.has_error or parameter is None:
            return unknown
        value = self._value(parameter, node)
        if value is None:
            return unknown
        words = shell_parameters.apply(parameter, value, self._source.at(node.start_byte))
        return words if words is not None else unknown

    def _split(self, words: Sequence[Word]) -> _Part:
        """What the shell makes of an unquoted expansion: words at white space."""
        separators = self.environment.variables.get("IFS")
        if separators is not None:
            known = separators.values[0][0].text if separators.values[0] else ""
            if not separators.is_certain or UNKNOWN in known:
                return _Part(tuple(words))
            return _unquoted(words, re.compile(f"[^{re.escape(known)}]+") if known else None)
        return _unquoted(words, _WORD_END)

    def _joined(self, node: Node) -> Word:
        """One word of everything inside `node`, quotes taken off."""
        if node.type in _EXPANSIONS:
            return self._joined_expansion(node)
        if node.type == "raw_string":
            return self._source.literal(*self._source.inside(node, b"'"))
        if node.type == "ansi_c_string":
            return self._source.ansi_c(node.start_byte + 2, node.end_byte - 1)
        if node.type == "string":
            return self._whole(node, *self._source.inside(node, b'"'), quoted=True)
        if node.type in _OPAQUE:
            return self._shown(node) or self._source.unknown(node)
        if node.type == "concatenation" or node.children:
            return self._whole(node, node.start_byte, node.end_byte, quoted=False)
        return self._source.unescaped(node.start_byte, node.end_byte, quoted=False)

    def _shown(self, substitution: Node) -> Word | None:
        """The here-document that `$(cat <<END … END)` stands for."""
        inside = [child for child in substitution.children if child.is_named]
        if len(inside) != 1 or inside[0].type != "redirected_statement":
            return None
        body, *redirects = inside[0].children
        is_cat = self._source.text(body) == "cat"
        if not is_cat or [redirect.type for redirect in redirects] != ["heredoc_redirect"]:
            return None
        document = next(iter(self.documents(redirects[0])), EMPTY)
        return document.cut(0, len(document.text.rstrip("\n")))

    def _joined_expansion(self, node: Node) -> Word:
        instead = self._instead(node)
        if instead is not None:
            word = EMPTY
            in_string = node.parent is not None and node.parent.type == "string"
            for child in instead[0]:
                keeps_quotes = in_string and child.type == "raw_string"
                word += (
                    self._source.literal(child.start_byte, child.end_byte)
                    if keeps_quotes
                    else self._at_home(child)
                )
            return word if instead[1] else replace(word, sure=False)
        word = EMPTY
        space = Word(self._separator(), (self._source.at(node.start_byte),))
        for number, part in enumerate(self._words(node)):
            word += space + part if number else part
        return word

    def _separator(self) -> str:
        """What stands between the words of `"${NAME[*]}"`."""
        separators = self.environment.variables.get("IFS")
        if separators is None:
            return " "
        known = separators.values[0][0].text[:1] if separators.values[0] else ""
        return known if separators.is_certain else UNKNOWN

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


def _unquoted(words: Sequence[Word], pieces: re.Pattern[str] | None) -> _Part:
    if pieces is None:
        return _Part(tuple(words))
    text = "".join(word.text for word in words)
    split = tuple(word.cut(*match.span()) for word in words for match in pieces.finditer(word.text))
    return _Part(
        tuple(replace(word, sure=False) if word.text == UNKNOWN else word for word in split),
        not text[:1].isspace(),
        not text[-1:].isspace(),
    )


def _is_set(value: Sequence[Word], *, or_empty: bool) -> bool:
    return bool(value) if or_empty else any(word.text for word in value)


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


def _appended(before: Variable, words: tuple[Word, ...], *, is_array: bool) -> tuple[Word, ...]:
    """The words of `NAME+=…`: further elements, or more text for the first one."""
    present = before.values[0]
    if is_array:
        return present + words
    first = present[0] if present else EMPTY
    return (first + words[0], *present[1:])


def _is_whole(piece: Node) -> bool:
    """Whether the piece is a variable or a string, and nothing else."""
    return piece.type in ("string", *_EXPANSIONS)
