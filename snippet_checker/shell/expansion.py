"""Words after expansion: variables, arrays, quotes and braces, as far as they are constant."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from msgspec import Struct
from msgspec.structs import replace

from snippet_checker.shell import arithmetic, parameters
from snippet_checker.shell.arguments import arguments_of
from snippet_checker.shell.braces import expand_braces
from snippet_checker.shell.costs import Costs
from snippet_checker.shell.grammar import descendants
from snippet_checker.shell.node import Node
from snippet_checker.shell.parameters import Parameter
from snippet_checker.shell.printing import PRINTERS, printed
from snippet_checker.shell.source import Source
from snippet_checker.shell.variables import (
    NOT_SET,
    Environment,
    Function,
    Variable,
    any_of,
    either,
)
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

Numbers = dict[str, Word]
"""What arithmetic sets, by the names of the variables."""

_EXPANSIONS = ("simple_expansion", "expansion")
_QUOTED = frozenset({"string", "raw_string", "ansi_c_string"})
_SUM = "arithmetic_expansion"
_OPAQUE = frozenset({"command_substitution", _SUM, "process_substitution"})
_WORD_END = re.compile(r"\S+")
_STEPS_FOR_AN_ELEMENT = 3  # that an index may pick
_INDEX = re.compile(r"\$\{?([A-Za-z_]\w*)\}?")
_ARGUMENT = re.compile(r"\$\{?[\d@*#]")
_NEXT = "${{#{}[@]}}"  # as an index: behind the last element
_SUM_OPENED = re.compile(rb"\s*(?:\$\(\(|\(\(|\$\[)")
_SUM_CLOSED = re.compile(rb"(?:\)\)|\])\s*\Z")
_OF_THE_SHELL = frozenset({"RANDOM", "SRANDOM", "SECONDS", "LINENO", "EPOCHSECONDS"})
_CALCULATED_WITH = re.compile(r"(-?[0-9]{1,18})\s*([-+*/%])\s*(-?[0-9]{1,18})")
_SUM_OF_BC = re.compile(r"[0-9]{1,9}(?: ?[-+*/%] ?[0-9]{1,9})*+")
_STEPS_FOR_A_SIGN = 4  # of arithmetic
_MOST_DIGITS = 18  # whose product has 64 bits


class Expander:
    """What arguments become in an environment."""

    def __init__(self, source: Source, environment: Environment, costs: Costs) -> None:
        self._source = source
        self._costs = costs
        self.environment = environment
        self.sums: dict[int, Word] = {}  # of the command that is read, by the byte they start at

    def assign(self, node: Node) -> None:
        """Follow `NAME=…`, `NAME+=…` and `NAME[index]=…`; what grows too large is unknown."""
        name = node.child_by_field_name("name")
        if name is None:
            return
        try:
            self._assign(name, node)
        except (TooMuchWork, RecursionError) as error:
            self._costs.skip(self._source, node, error)
            array = name.child_by_field_name("name") or name
            self.forget(self._source.text(array), node)

    def _assign(self, name: Node, node: Node) -> None:
        value = node.child_by_field_name("value")
        if name.type == "subscript":
            self._assign_element(name, value)
            return
        key = self._source.text(name)
        appends = any(child.type == "+=" for child in node.children)
        before = self.environment.variables.get(key, NOT_SET)
        is_array = value is not None and value.type == "array"
        names = set() if is_array else self._names([node])
        found = []
        for inner in self._readings(names | ({key} if appends else set())):
            words = (
                inner._elements(value) if value is not None and is_array else inner._scalar(value)
            )
            if before.is_integer and not is_array:
                words = (inner._counted_up(words[0], node, appends=appends),)
            elif appends:
                earlier = inner.environment.variables.get(key, NOT_SET)
                words = _appended(earlier, words, is_array=is_array)
                words = tuple(self._costs.counted(words, node))
            found.append(Variable((words,), is_array or (appends and before.is_array)))
        whole = either(found, self._costs.pool)
        self.environment.variables[key] = replace(whole, is_integer=before.is_integer)

    def _assign_element(self, name: Node, value: Node | None) -> None:
        array, index = name.child_by_field_name("name"), name.child_by_field_name("index")
        key = self._source.text(array if array is not None else name)
        before = self.environment.variables.get(key)
        label = self._source.text(index).strip("\"'") if index is not None else ""
        if before is None or not before.is_certain or "$" in label.replace(_NEXT.format(key), ""):
            self.forget(key, name)
            return
        place = self._source.at(name.start_byte)
        words = parameters.with_element(
            before.values[0],
            label,
            self._scalar(value)[0],
            place,
            is_next=label == _NEXT.format(key),
        )
        self.environment.variables[key] = Variable((words,), is_array=True)

    def forget(self, name: str, node: Node) -> None:
        """Take a variable for unknown: something else than an assignment sets it."""
        is_integer = self.environment.variables.get(name, NOT_SET).is_integer
        unknown = (self._source.unknown(node),)
        self.environment.variables[name] = Variable((unknown,), is_integer=is_integer)

    def set_number(self, name: str, word: Word) -> None:
        """Keep what arithmetic sets a variable to; of an array, that is one element."""
        before = self.environment.variables.get(name, NOT_SET)
        if before.is_array:
            self.environment.variables[name] = Variable(((unknown_at(word.offsets[0]),),))
        else:
            self.environment.variables[name] = Variable(((word,),), is_integer=before.is_integer)

    def calculate(self, expression: Word, node: Node) -> tuple[Word, Numbers]:
        """The value of an expression, and of the variables that it sets."""
        is_sure = expression.sure

        def read(name: str, index: int | None) -> str | None:
            nonlocal is_sure
            word = self._operand(name, index)
            is_sure = is_sure and (word is None or word.sure)
            if word is not None:
                self._costs.pool.spend(_STEPS_FOR_A_SIGN * len(word.text))
            return word.text if word is not None else None

        self._costs.pool.spend(_STEPS_FOR_A_SIGN * len(expression.text))
        result = arithmetic.evaluate(expression.text, read)
        place = self._source.at(self._source.start(node))

        def placed(number: int | None) -> Word:
            text = str(number) if number is not None else UNKNOWN
            return Word(text, (place,) * len(text), is_sure)

        return placed(result.value), {name: placed(n) for name, n in result.changed.items()}

    def expression(self, node: Node) -> Word:
        """What stands in `$((…))`, `$[…]` or `((…))`, with what the shell puts in before."""
        text = self._source.bytes[node.start_byte : node.end_byte]
        opened, closed = _SUM_OPENED.match(text), _SUM_CLOSED.search(text)
        if opened is None or closed is None or node.has_error:
            return self._source.unknown(node)
        start, end = node.start_byte + opened.end(), node.start_byte + closed.start()
        return self.expression_between(node, start, end)

    def expression_between(self, node: Node, start: int, end: int) -> Word:
        """The expression that some bytes of a node hold."""
        pieces: list[Word] = []
        for child in descendants(node, *_EXPANSIONS, *_OPAQUE):
            if child.start_byte < start or child.end_byte > end:
                continue
            begin = self._source.start(child)
            pieces += (self._source.unescaped(start, begin, quoted=True), self._joined(child))
            start = child.end_byte
        pieces.append(self._source.unescaped(start, end, quoted=True))
        whole = self._together(pieces, node)
        return replace(whole, text=whole.text.replace('"', " "))

    def _operand(self, name: str, index: int | None) -> Word | None:
        """The text of a variable in arithmetic: none is 0; None where only the launch tells."""
        variable = self.environment.variables.get(name)
        if variable is None or not variable.is_certain or name in _OF_THE_SHELL:
            return None
        words = variable.values[0]
        if variable.is_array and (parameters.labels(words) or not all(w.sure for w in words)):
            return None
        self._costs.pool.spend(len(words))
        label = str(index) if index is not None else None
        found = parameters.elements(words, label, variable.is_array)
        return next(iter(found), EMPTY) if found is not None else None

    def _counted_up(self, word: Word, node: Node, *, appends: bool) -> Word:
        """What an integer becomes, which `declare -i` makes of a variable."""
        name = self._source.text(node.child_by_field_name("name") or node)
        expression = word
        if appends:
            sign = Word("+(", word.offsets[:1] * 2)
            ends = Word(")", word.offsets[:1])
            earlier = Word(name, (self._source.at(node.start_byte),) * len(name))
            expression = earlier + sign + word + ends
        value, changed = self.calculate(expression, node)
        return value if not changed else self._source.unknown(node)

    def _sum(self, node: Node) -> Word:
        """The value of `$((…))`; what it sets is known only where a command is read as a whole."""
        known = self.sums.get(node.start_byte)
        if known is not None:
            return known
        value, changed = self.calculate(self.expression(node), node)
        return value if not changed else self._source.unknown(node)

    def assign_default(self, node: Node) -> None:
        """What `${NAME:=…}` sets, where the variable may have had no value."""
        parameter = Parameter.of(self._source.text(node))
        if parameter is None or parameter.alternative not in ("=", ":="):
            return
        try:
            if parameter.index is None and self._instead(node) is not None:
                self.environment.variables[parameter.name] = Variable(((self._joined(node),),))
        except (TooMuchWork, RecursionError) as error:
            self._costs.skip(self._source, node, error)
            self.forget(parameter.name, node)

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
            readings = self._readings(self._names([piece]))
            several = (inner._fields_of(argument) for inner in readings)
            return list(any_of(map(tuple, several), self._costs.pool))
        words = self._fields_of(argument)
        if words and self._starts_with_tilde(piece, words[0]):
            words[0] = unknown_at(words[0].offsets[0]) + words[0].cut(1)
        if len(words) == 1 and "{" in words[0].text:
            nodes = [piece for piece in argument if not isinstance(piece, Word)]
            return self._costs.counted(expand_braces(words[0], self._bare(argument)), *nodes)
        return [Word(w.text, w.offsets, w.sure, number > 0) for number, w in enumerate(words)]

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
            yield self._joined(child)
            start = child.end_byte
        yield self._source.of_document(start, body.end_byte)

    def _together(self, words: Iterable[Word], node: Node) -> Word:
        """One word of those that a node becomes side by side."""
        return concatenated(self._costs.counted(words, node))

    def _readings(self, names: Iterable[str]) -> Iterator[Expander]:
        """Expanders with one value for each of the named variables, in every combination."""
        for reading in self.environment.readings(names):
            if reading is not self.environment:
                self._costs.pool.spend(1 + len(reading.variables))
            yield Expander(self._source, reading, self._costs)

    def names_of_wanted(self, nodes: Iterable[Node]) -> list[str]:
        """The variables in some nodes that may hold what is wanted: one program or another."""
        variables = self.environment.variables
        names = (name for name in self._names(nodes) if name in variables)
        return [name for name in names if variables[name].holds(self._costs.wanted)]

    def _fields_of(self, argument: Sequence[Node | Word]) -> list[Word]:
        nodes = [piece for piece in argument if not isinstance(piece, Word)]
        parts = (part for piece in argument for part in self._parts(piece))
        fields = _fields(self._paid(parts))
        return self._costs.counted(map(concatenated, fields), *nodes)

    def _paid(self, parts: Iterable[_Part]) -> Iterator[_Part]:
        for part in parts:
            if len(part.words) > 1:
                self._costs.pool.spend(len(part.words))
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
                places |= self._source.unquoted(piece, (*_QUOTED, *_EXPANSIONS, *_OPAQUE))
        return frozenset(places)

    def _names(self, nodes: Iterable[Node]) -> set[str]:
        """The variables that some nodes name."""
        nodes = list(nodes)
        named = {
            self._source.text(name)
            for node in nodes
            for expansion in (node, *descendants(node, *_EXPANSIONS))
            for name in descendants(expansion, "variable_name")
        }
        sums = (sum_ for node in nodes for sum_ in descendants(node, _SUM))
        return named.union(*(arithmetic.names_in(self._source.text(sum_)) for sum_ in sums))

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
        elif node.type == "command_substitution" and (shown := self._shown(node)) is not None:
            yield self._split((shown,))
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
                yield _Part((self._expand_tilde(child),))
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
        words = (word for child in inner for word in self.expand(child))
        return tuple(self._costs.counted(words, array))

    def _scalar(self, value: Node | None) -> tuple[Word, ...]:
        return (self._expand_tilde(value) if value is not None else EMPTY,)

    def _expand_tilde(self, value: Node) -> Word:
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
        or_empty = parameter.alternative[0] != ":"
        is_one_of_several = value is None and self._is_always_set(parameter, or_empty=or_empty)
        is_set = is_one_of_several or (value is not None and _is_set(value, or_empty=or_empty))
        is_sure = is_one_of_several or (value is not None and all(word.sure for word in value))
        if parameter.alternative.endswith("+"):
            if is_sure and not is_set:
                return (), True
        elif is_set:
            return None
        first = next(n for n, c in enumerate(node.children) if c.type == parameter.alternative)
        return node.children[first + 1 : -1], is_sure

    def _is_always_set(self, parameter: Parameter, *, or_empty: bool) -> bool:
        """Whether each value that a variable may have is one, whichever branch set it."""
        variable = self.environment.variables.get(parameter.name)
        if variable is None or variable.is_array or parameter.prefix:
            return False
        return all(_is_set(value, or_empty=or_empty) for value in variable.values)

    def _value(self, parameter: Parameter, node: Node) -> tuple[Word, ...] | None:
        """The words that a name stands for; None where only the launch tells."""
        if parameter.prefix == "!":
            return self._indirect(parameter, node)
        if parameter.name in ("@", "*"):
            return self.environment.arguments or ()
        if parameter.name == "#":
            return self._count(node)
        if (number := parameters.number(parameter.name)) is not None:
            return self._argument(number)
        variable = self.environment.variables.get(parameter.name)
        if variable is None:
            return None
        if not variable.is_certain:
            return self._either_text(variable)
        words = variable.values[0]
        self._costs.pool.spend((_STEPS_FOR_AN_ELEMENT if variable.is_array else 1) * len(words))
        return parameters.elements(words, self._index(parameter.index), variable.is_array)

    def _index(self, index: str | None) -> str | None:
        """An index, or what the variable holds that is one: `${NAME[$key]}`."""
        named = _INDEX.fullmatch(index) if index is not None else None
        variable = self.environment.variables.get(named[1]) if named is not None else None
        if variable is None or not variable.is_certain or variable.is_array:
            return index
        text = "".join(word.text for word in variable.values[0])
        return index if UNKNOWN in text else text

    def _indirect(self, parameter: Parameter, node: Node) -> tuple[Word, ...] | None:
        """`${!NAME}`, the variable of that name, and `${!NAME[@]}`, the indices of an array."""
        variable = self.environment.variables.get(parameter.name)
        if variable is None or not variable.is_certain:
            return None
        if parameter.index is not None:
            return parameters.labels(variable.values[0]) or None
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
        self._costs.pool.spend(parameters.steps(parameter, value))
        words = parameters.apply(parameter, value, self._source.at(node.start_byte))
        return words if words is not None else unknown

    def _split(self, words: Sequence[Word]) -> _Part:
        """What the shell makes of an unquoted expansion: words at white space."""
        self._costs.pool.spend(sum(len(word.text) for word in words) // 2)
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
        if node.type == _SUM:
            return self._sum(node)
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
            function = self.environment.functions.get(name)
            if function is not None and len(arguments) == 1:
                return self._printed_by(function)
            if name not in (*PRINTERS, "expr"):
                return None
            words = [word for argument in arguments for word in self.expand(*argument)]
            if name == "expr":
                return self._calculated_with(_CALCULATED_WITH, spaced(words[1:]), node)
            return printed(words) if all(word.sure for word in words) else None
        if node.type == "pipeline":
            commands = [child for child in node.children if child.is_named]
            if [self._source.text(command) for command in commands[1:]] != ["bc"]:
                return None
            shown = self.printed(commands[0])
            return self._calculated_with(_SUM_OF_BC, shown, node) if shown is not None else None
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
        value, _ = self.calculate(replace(text, text=plain), node)
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
        inner = Expander(function.source, self.environment, self._costs)
        return inner.printed(inside[0]) if is_printer else None

    def _joined_expansion(self, node: Node) -> Word:
        instead = self._instead(node)
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
        separator = self._separator()
        space = Word(separator, (self._source.at(node.start_byte),) * len(separator))
        words = (part for word in self._words(node) for part in (space, word))
        return self._together(islice(words, 1, None), node)

    def _separator(self) -> str:
        """What stands between the words of `"${NAME[*]}"`."""
        separators = self.environment.variables.get("IFS")
        if separators is None:
            return " "
        known = separators.values[0][0].text[:1] if separators.values[0] else ""
        return known if separators.is_certain else UNKNOWN

    def _whole(self, node: Node, start: int, end: int, *, quoted: bool) -> Word:
        pieces = self._pieces(node, start, end, quoted=quoted)
        words = (self._joined(piece) if not isinstance(piece, Word) else piece for piece in pieces)
        return self._together(words, node)

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


class _Part(Struct, frozen=True):
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


def _fields(parts: Iterable[_Part]) -> list[list[Word]]:
    """The pieces of each word of an argument.

    Parts side by side make one word, white space in a part ends it.
    """
    fields: list[list[Word]] = []
    is_open = False
    for part in parts:
        is_open = is_open and part.joins_left
        if is_open and part.words:
            fields[-1].append(part.words[0])
        fields += ([word] for word in part.words[is_open:])
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
