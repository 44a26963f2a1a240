"""Words after expansion: variables, arrays, quotes and braces, as far as they are constant."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from msgspec.structs import replace

from snippet_checker.shell.arguments import arguments_of
from snippet_checker.shell.braces import expand_braces
from snippet_checker.shell.calculation import calculate, value_alone
from snippet_checker.shell.fields import Part, fields, separator, split
from snippet_checker.shell.grammar import ARITHMETIC, EXPANSIONS, descendants, variables_in
from snippet_checker.shell.node import Node
from snippet_checker.shell.parameter_values import alternative_of, spreads, words_of
from snippet_checker.shell.printing import PRINTERS, printed
from snippet_checker.shell.state import State
from snippet_checker.shell.variables import Function, any_of
from snippet_checker.text.words import (
    EMPTY,
    UNKNOWN,
    Word,
    concatenated,
    spaced,
    unknown_at,
    unsure,
)
from snippet_checker.work import TooMuchWork

_QUOTED = frozenset({"string", "raw_string", "ansi_c_string"})
_OPAQUE = frozenset({"command_substitution", ARITHMETIC, "process_substitution"})
_ARGUMENT = re.compile(r"\$\{?[\d@*#]")
_OPENING = re.compile(rb"\s*(?:\$\(\(|\(\(|\$\[)")
_CLOSING = re.compile(rb"(?:\)\)|\])\s*\Z")
_FOR_EXPR = re.compile(r"(-?[0-9]{1,18})\s*([-+*/%])\s*(-?[0-9]{1,18})")
_FOR_BC = re.compile(r"[0-9]{1,9}(?: ?[-+*/%] ?[0-9]{1,9})*+")
_MOST_DIGITS = 18  # whose product has 64 bits


class Expander:
    """What arguments become in a state of a shell.

    `calculated` are the values of `$((…))` in the command that is read, by the byte they start at.
    """

    def __init__(self, state: State) -> None:
        self.state = state
        self._source, self._costs = state.source, state.costs
        self.calculated: dict[int, Word] = {}

    def expression(self, node: Node) -> Word:
        """What stands in `$((…))`, `$[…]` or `((…))`, with what the shell puts in before."""
        text = self._source.bytes[node.start_byte : node.end_byte]
        opened, closed = _OPENING.match(text), _CLOSING.search(text)
        if opened is None or closed is None or node.has_error:
            return self._source.unknown(node)
        start, end = node.start_byte + opened.end(), node.start_byte + closed.start()
        return self.expression_between(node, start, end)

    def expression_between(self, node: Node, start: int, end: int) -> Word:
        """The expression that some bytes of a node hold."""
        pieces: list[Word] = []
        for child in descendants(node, *EXPANSIONS, *_OPAQUE):
            if child.start_byte < start or child.end_byte > end:
                continue
            begin = self._source.start(child)
            pieces += (self._source.unescaped(start, begin, quoted=True), self.joined(child))
            start = child.end_byte
        pieces.append(self._source.unescaped(start, end, quoted=True))
        whole = self._together(pieces, node)
        return replace(whole, text=whole.text.replace('"', " "))

    def _arithmetic(self, node: Node) -> Word:
        """The value of `$((…))`; what it sets is known only where a command is read as a whole."""
        known = self.calculated.get(node.start_byte)
        if known is not None:
            return known
        return value_alone(self.expression(node), node, self.state)

    def expand(self, *argument: Node | Word) -> list[Word]:
        """The words that the pieces of one argument become: none, one, or several.

        One word that is unknown where they grow too many or too long.
        """
        try:
            return self._expand(argument)
        except (TooMuchWork, RecursionError) as error:
            node = next((piece for piece in argument if not isinstance(piece, Word)), None)
            if node is None:  # nothing of it has to be expanded
                return [concatenated([piece for piece in argument if isinstance(piece, Word)])]
            self._costs.skip(self._source, node, error)
            return [self._source.unknown(node)]

    def _expand(self, argument: Sequence[Node | Word]) -> list[Word]:
        piece = argument[0]
        if len(argument) == 1 and not isinstance(piece, Word) and _is_whole(piece):
            readings = self.readings(variables_in([piece], self._source))
            several = (inner._fields_of(argument) for inner in readings)
            return list(any_of(map(tuple, several), self._costs.budget))
        words = self._fields_of(argument)
        if words and self._starts_with_tilde(piece, words[0]):
            words[0] = unknown_at(words[0].offsets[0]) + words[0].cut(1)
        if len(words) == 1 and "{" in words[0].text:
            nodes = [piece for piece in argument if not isinstance(piece, Word)]
            return self._costs.counted(expand_braces(words[0], self._bare(argument)), *nodes)
        return [Word(w.text, w.offsets, w.sure, number > 0) for number, w in enumerate(words)]

    def expand_all(self, nodes: Iterable[Node]) -> Iterator[Word]:
        """The words that several arguments become."""
        return (word for node in nodes for word in self.expand(node))

    def elements(self, array: Node) -> tuple[Word, ...]:
        """The words of `(…)` behind the name of an array."""
        inner = (c for c in array.children if c.type not in ("(", ")", "comment"))
        return tuple(self._costs.counted(self.expand_all(inner), array))

    def scalar(self, value: Node | None) -> Word:
        """The one word that is assigned."""
        return self._expand_tilde(value) if value is not None else EMPTY

    def readings(self, names: Iterable[str]) -> Iterator[Expander]:
        """Expanders with one value for each of the named variables, in every combination."""
        return map(Expander, self.state.readings(names))

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
        try:
            return self._together(self._pieces_of_document(body), body)
        except (TooMuchWork, RecursionError) as error:
            self._costs.skip(self._source, body, error)
            return self._source.unknown(body)

    def _pieces_of_document(self, body: Node) -> Iterator[Word]:
        start = body.start_byte
        for child in body.children:
            if child.type == "heredoc_content":
                continue
            yield self._source.of_document(start, self._source.start(child))
            yield self.joined(child)
            start = child.end_byte
        yield self._source.of_document(start, body.end_byte)

    def _together(self, words: Iterable[Word], node: Node) -> Word:
        """One word of those that a node becomes side by side."""
        return concatenated(self._costs.counted(words, node))

    def names_of_wanted(self, nodes: Iterable[Node]) -> list[str]:
        """The variables in some nodes that may hold what is wanted: one program or another."""
        variables = self.state.environment.variables
        names = (name for name in variables_in(nodes, self._source) if name in variables)
        return [name for name in names if variables[name].holds(self._costs.wanted)]

    def _fields_of(self, argument: Sequence[Node | Word]) -> list[Word]:
        nodes = [piece for piece in argument if not isinstance(piece, Word)]
        parts = (part for piece in argument for part in self._parts(piece))
        return self._costs.counted(map(concatenated, fields(self._paid(parts))), *nodes)

    def _paid(self, parts: Iterable[Part]) -> Iterator[Part]:
        for part in parts:
            if len(part.words) > 1:
                self._costs.budget.spend(len(part.words))
            yield part

    def _starts_with_tilde(self, piece: Node | Word, word: Word) -> bool:
        """Whether the shell expands a tilde at the start of an argument."""
        is_written = not isinstance(piece, Word) and self._source.text(piece).startswith("~")
        return is_written and (word.text == "~" or word.text.startswith("~/"))

    def _bare(self, argument: Sequence[Node | Word]) -> frozenset[int]:
        """The places of the characters of an argument that are not quoted, in any way."""
        places: set[int] = set()
        for piece in argument:
            if not isinstance(piece, Word):
                places |= self._source.unquoted(piece, (*_QUOTED, *EXPANSIONS, *_OPAQUE))
        return frozenset(places)

    def _parts(self, node: Node | Word) -> Iterator[Part]:
        """What one argument is made of, from left to right."""
        if isinstance(node, Word):
            yield Part((node,))
        elif node.type in EXPANSIONS:
            yield from self._expansion_parts(node)
        elif node.type == "string":
            yield from self._quoted_parts(node)
        elif node.type in ("concatenation", "command_name"):
            for piece in self._pieces(node, node.start_byte, node.end_byte, quoted=False):
                yield from self._parts(piece)
        elif node.type == "command_substitution" and (shown := self._shown(node)) is not None:
            yield self._split((shown,))
        else:
            word = self.joined(node)
            if word.text or node.type in _QUOTED:
                yield Part((word,))

    def _expansion_parts(self, node: Node) -> Iterator[Part]:
        """What an expansion without quotes becomes; a default may have quotes of its own."""
        instead = alternative_of(node, self.state)
        if instead is None:
            yield self._split(words_of(node, self.state))
            return
        nodes, is_sure = instead
        for child in nodes:
            if self._source.text(child).startswith("~"):
                yield Part((self._expand_tilde(child),))
                continue
            for part in self._parts(child):
                part = part if child.type in _QUOTED else self._split(part.words)
                yield part if is_sure else replace(part, words=unsure(part.words))

    def _split(self, words: Sequence[Word]) -> Part:
        self._costs.budget.spend(sum(len(word.text) for word in words) // 2)
        return split(words, self.state.environment)

    def _quoted_parts(self, node: Node) -> Iterator[Part]:
        pieces = list(self._pieces(node, *self._source.inside(node, b'"'), quoted=True))
        for piece in pieces:
            if isinstance(piece, Word):
                yield Part((piece,))
            elif spreads(piece, self.state):
                yield Part(words_of(piece, self.state))
            else:
                yield Part((self.joined(piece),))
        if not pieces:
            yield Part((EMPTY,))

    def _expand_tilde(self, value: Node) -> Word:
        """What an assignment makes of a value: there the shell expands a tilde at its start."""
        word = self.joined(value)
        if self._source.text(value).startswith("~"):
            return self._source.unknown(value) + word.cut(1)
        return word

    def joined(self, node: Node) -> Word:
        """One word of everything inside `node`, quotes taken off."""
        if node.type in EXPANSIONS:
            return self._joined_expansion(node)
        if node.type == "raw_string":
            return self._source.literal(*self._source.inside(node, b"'"))
        if node.type == "ansi_c_string":
            return self._source.ansi_c(node.start_byte + 2, node.end_byte - 1)
        if node.type == "string":
            return self._whole(node, *self._source.inside(node, b'"'), quoted=True)
        if node.type == ARITHMETIC:
            return self._arithmetic(node)
        if node.type in _OPAQUE:
            shown = self._shown(node) if node.type == "command_substitution" else None
            return shown if shown is not None else self._source.unknown(node)
        if node.type == "concatenation" or node.children:
            return self._whole(node, node.start_byte, node.end_byte, quoted=False)
        return self._source.unescaped(node.start_byte, node.end_byte, quoted=False)

    def _shown(self, substitution: Node) -> Word | None:
        """The text that `$(echo …)` stands for, `$(cat <<END … END)` and a function that prints."""
        inside = [child for child in substitution.children if child.is_named]
        return self.printed(inside[0]) if len(inside) == 1 else None

    def printed(self, node: Node) -> Word | None:
        """What a statement prints, without its last line end; None where nobody knows."""
        if node.type == "command":
            arguments = arguments_of(node, self._source)
            name = self._source.text(node.children[0])
            function = self.state.environment.functions.get(name)
            if function is not None and len(arguments) == 1:
                return self._printed_by(function)
            if name not in (*PRINTERS, "expr"):
                return None
            words = [word for argument in arguments for word in self.expand(*argument)]
            if name == "expr":
                return self._calculated_with(_FOR_EXPR, spaced(words[1:]), node)
            return printed(words) if all(word.sure for word in words) else None
        if node.type == "pipeline":
            commands = [child for child in node.children if child.is_named]
            if [self._source.text(command) for command in commands[1:]] != ["bc"]:
                return None
            shown = self.printed(commands[0])
            return self._calculated_with(_FOR_BC, shown, node) if shown is not None else None
        if node.type != "redirected_statement":
            return None
        body, *redirects = node.children
        is_cat = self._source.text(body) == "cat"
        if not is_cat or [redirect.type for redirect in redirects] != ["heredoc_redirect"]:
            return None
        document = next(iter(self.documents(redirects[0])), EMPTY)
        return document.cut(0, len(document.text.rstrip("\n")))

    def _calculated_with(self, form: re.Pattern[str], text: Word, node: Node) -> Word | None:
        """What `expr` or `bc` prints for a plain calculation with decimal numbers."""
        digits = sum(map(str.isdigit, text.text))
        if form.fullmatch(text.text) is None or digits > _MOST_DIGITS:
            return None
        plain = re.sub(r"(?<![0-9])0+(?=[0-9])", "", text.text)  # they know no octal numbers
        value, _ = calculate(replace(text, text=plain), node, self.state)
        return value if value.text != UNKNOWN else None

    def _printed_by(self, function: Function) -> Word | None:
        """What a function prints that does nothing else, and looks at no argument."""
        inside = [child for child in function.body.children if child.is_named]
        if len(inside) != 1:
            return None
        text = function.source.text(inside[0])
        if inside[0].type == "command" and _ARGUMENT.search(text):
            return None
        is_printer = text.split(maxsplit=1)[0] in (*PRINTERS, "cat")
        inner = Expander(replace(self.state, source=function.source))
        return inner.printed(inside[0]) if is_printer else None

    def _joined_expansion(self, node: Node) -> Word:
        instead = alternative_of(node, self.state)
        if instead is not None:
            in_string = node.parent is not None and node.parent.type == "string"
            pieces = (
                self._source.literal(child.start_byte, child.end_byte)
                if in_string and child.type == "raw_string"
                else self._expand_tilde(child)
                for child in instead[0]
            )
            word = self._together(pieces, node)
            return word if instead[1] else replace(word, sure=False)
        between = separator(self.state.environment)
        space = Word(between, (self._source.at(node.start_byte),) * len(between))
        words = (part for word in words_of(node, self.state) for part in (space, word))
        return self._together(islice(words, 1, None), node)

    def _whole(self, node: Node, start: int, end: int, *, quoted: bool) -> Word:
        pieces = self._pieces(node, start, end, quoted=quoted)
        words = (self.joined(piece) if not isinstance(piece, Word) else piece for piece in pieces)
        return self._together(words, node)

    def _pieces(self, node: Node, start: int, end: int, *, quoted: bool) -> Iterator[Node | Word]:
        """The nodes inside `node`, and the text beside them, partly left out by the grammar."""
        for child in node.children:
            if child.type == '"' or child.end_byte > end or child.start_byte < start:
                continue
            begin = self._source.start(child) if child.type in EXPANSIONS else child.start_byte
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


def _is_whole(piece: Node) -> bool:
    """Whether the piece is a variable or a string, and nothing else."""
    return piece.type in ("string", *EXPANSIONS)
