"""What an expression of a Python program comes to: a list of words, a text, or a mapping."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Sequence

from snippet_checker.snippets import launch
from snippet_checker.snippets.python_mappings import Loop, Mapping, MappingEntry, loop_over, text_of
from snippet_checker.snippets.python_places import PythonPlaces
from snippet_checker.snippets.python_program import BuiltArguments
from snippet_checker.text.python_tree import last_name
from snippet_checker.text.words import UNKNOWN, Word, concatenated, opaque, replaced, spaced, unsure
from snippet_checker.verl.release import is_verls_program
from snippet_checker.work import LONGEST_VALUE, MOST_WORDS, Budget

_PERCENT = re.compile(r"%(?:\(\w+\))?[sdrif]")
_WORDS = re.compile(r"\S+")
_FIELD = re.compile(UNKNOWN)
_FIELDS = re.compile(r"\{[^{}]*\}")
_SAME_TEXT = frozenset({"strip", "rstrip", "lstrip"})
_COPIES = frozenset({"list", "tuple"})
_LEAVES = (ast.Name, ast.expr_context, ast.operator, ast.cmpop, ast.boolop, ast.unaryop)

SELF = "self."
"""Stands before the name of an attribute."""

Names = dict[str, tuple[BuiltArguments | Mapping, ...]]
"""What each variable may hold, where that is known."""


def name_of(node: ast.expr) -> str | None:
    """The name of a variable, or of an attribute of `self`."""
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        return f"{SELF}{node.attr}" if node.value.id == "self" else None
    return node.id if isinstance(node, ast.Name) else None


def either(ends: Sequence[Names]) -> Names:
    """What variables hold where one of several branches was taken."""
    names = dict.fromkeys(name for end in ends for name in end)
    return {
        name: tuple({id(made): made for end in ends for made in end.get(name, ())}.values())
        for name in names
    }


def _starts_own_program(words: Sequence[Word]) -> bool:
    """Whether words start a program that is not verl's, which a text of them does not show."""
    program = launch.program(words)
    return program is not None and not is_verls_program(program.entry.text)


class Evaluator:
    """Reads expressions; `names` are what the variables hold at the place that is read.

    `found` are the lists and texts so far. A call that `is_other` is read by somebody else.
    """

    def __init__(
        self, places: PythonPlaces, budget: Budget, is_other: Callable[[ast.Call], bool]
    ) -> None:
        self.places = places
        self._budget = budget
        self._is_other = is_other
        self.names: Names = {}
        self.loops: list[Loop] = []
        self.found: list[BuiltArguments] = []

    def scan(self, nodes: Iterable[ast.AST]) -> None:
        """The outermost lists and strings of some expressions."""
        waiting = list(nodes)[::-1]
        while waiting:
            node = waiting.pop()
            if isinstance(node, ast.Call) and self._is_other(node):
                continue
            if not isinstance(node, ast.expr) or self.value(node) is None:
                children = [n for n in ast.iter_child_nodes(node) if not isinstance(n, _LEAVES)]
                waiting += children[::-1]

    def value(self, node: ast.expr) -> BuiltArguments | None:
        """A list or a text that an expression makes, which counts unless it becomes a part."""
        made = self._made(node)
        if made is not None:
            self.found.append(made)
        return made

    def _made(self, node: ast.expr) -> BuiltArguments | None:
        """A list of words, or a text; None where an expression is neither."""
        if isinstance(node, ast.List | ast.Tuple):
            return BuiltArguments(
                self.paid([w for part in node.elts for w in self._element(part)], node)
            )
        if isinstance(node, ast.Constant | ast.JoinedStr):
            word = self.places.literal(node)
            if word is not None and isinstance(node, ast.JoinedStr):
                word = self._filled_in(node, word)
            return BuiltArguments([word], is_text=True) if word is not None else None
        if isinstance(node, ast.BinOp):
            return self._operation(node)
        if isinstance(node, ast.Call):
            return self._called(node)
        if isinstance(node, ast.ListComp | ast.GeneratorExp):
            return self._comprehended(node)
        return None

    def _filled_in(self, node: ast.JoinedStr, word: Word) -> Word:
        """An f-string with the texts that are known of what it names."""
        fields = [part for part in node.values if isinstance(part, ast.FormattedValue)]
        places = list(_FIELD.finditer(word.text))
        if len(places) != len(fields):
            return word
        known = {
            place.start(): self._shown_in(field)
            for place, field in zip(places, fields, strict=True)
        }
        whole = replaced(word, places, lambda place: known[place.start()])
        return concatenated(self.paid([whole], node))

    def _shown_in(self, field: ast.FormattedValue) -> Word:
        """What a field of an f-string shows."""
        value = field.value
        is_join = isinstance(value, ast.Call) and last_name(value.func) == "join"
        is_plain = field.conversion in (-1, ord("s")) and field.format_spec is None
        if not is_plain or not (is_join or isinstance(value, ast.Name | ast.Attribute)):
            return self.places.unknown(value)
        return concatenated(self.parts(value, is_text=True))

    def _element(self, node: ast.expr) -> list[Word]:
        if isinstance(node, ast.Starred):
            return self.parts(node.value, is_text=False)
        for loop in reversed(self.loops):
            if (formatted := loop.formatted(node)) is not None:
                return self.paid(formatted, node)
        made = self._made(node) or self.known(node)
        if made is not None and made.is_text:
            made.is_part = True
            return [made.word]
        self.scan(ast.iter_child_nodes(node))
        return [self.places.unknown(node)]

    def parts(self, node: ast.expr, *, is_text: bool) -> list[Word]:
        """What an expression adds to a list or to a text; one unknown word where nobody knows."""
        if isinstance(node, ast.IfExp):
            both = [
                *self.parts(node.body, is_text=False),
                *self.parts(node.orelse, is_text=False),
            ]
            return [self.places.unknown(node)] if is_text else [*unsure(both)]
        made = self._made(node)
        if made is not None and made.is_text == is_text:
            return made.words
        known = self.known(node)
        if known is not None and known.is_text == is_text:
            known.is_part = True
            return self.paid(list(known.words), node)
        if made is None:
            self.scan(ast.iter_child_nodes(node))
        return [self.places.unknown(node)]

    def known(self, node: ast.expr) -> BuiltArguments | None:
        """What a variable holds, where that is one thing."""
        if isinstance(node, ast.Call) and not node.args and last_name(node.func) == "copy":
            node = node.func.value if isinstance(node.func, ast.Attribute) else node
        if isinstance(node, ast.Call) and len(node.args) == 1 and last_name(node.func) == "list":
            node = node.args[0]
        name = name_of(node)
        known = self.names.get(name, ()) if name is not None else ()
        return known[0] if len(known) == 1 and isinstance(known[0], BuiltArguments) else None

    def _operation(self, node: ast.BinOp) -> BuiltArguments | None:
        left = self._made(node.left)
        if isinstance(node.op, ast.Mod) and left is not None and left.is_text:
            return BuiltArguments([opaque(left.word, _PERCENT)], is_text=True)
        if not isinstance(node.op, ast.Add):
            return None
        left = left or self.known(node.left)
        if left is not None:
            left.is_part = True
            whole = [*left.words, *self.parts(node.right, is_text=left.is_text)]
        else:
            left = self._made(node.right)
            if left is None:
                return None
            whole = [self.places.unknown(node.left), *left.words]
        whole = self.paid(whole, node)
        return BuiltArguments([concatenated(whole)] if left.is_text else whole, left.is_text)

    def _called(self, node: ast.Call) -> BuiltArguments | None:
        """`"…".format(x)`, `"…".split()`, `shlex.split("…")`, `" ".join([…])`."""
        function, method = node.func, last_name(node.func)
        if any(isinstance(part, ast.Constant) and part.value == "-m" for part in node.args):
            return BuiltArguments([word for part in node.args for word in self._element(part)])
        if not isinstance(function, ast.Attribute):
            is_copy = method in _COPIES and len(node.args) == 1
            return self._made(node.args[0]) if is_copy else None
        if method == "split" and isinstance(function.value, ast.Name) and node.args:
            return self._split(node.args[0])
        if method == "split" and not node.args:
            return self._split(function.value)
        if method == "join" and len(node.args) == 1 and self._is_blank(function.value):
            made = self._made(node.args[0]) or self.known(node.args[0])
            if made is None or made.is_text:
                return None
            made.is_part = made.is_part or not _starts_own_program(made.words)
            return BuiltArguments([spaced(made.words)], is_text=True)
        if method in _SAME_TEXT or method == "format":
            made = self._made(function.value)
            if made is not None and made.is_text:
                word = opaque(made.word, _FIELDS) if method == "format" else made.word
                return BuiltArguments([word], is_text=True)
        return None

    def _split(self, node: ast.expr) -> BuiltArguments | None:
        made = self._made(node)
        if made is None or not made.is_text:
            return None
        word = made.word
        if not {"'", '"', "\\"}.isdisjoint(word.text):
            return made  # which a shell's reader takes apart
        return BuiltArguments([word.cut(*match.span()) for match in _WORDS.finditer(word.text)])

    def _is_blank(self, node: ast.expr) -> bool:
        value = node.value if isinstance(node, ast.Constant) else None
        return isinstance(value, str) and not value.strip(" \\\n")

    def mapping(self, node: ast.expr) -> Mapping | None:
        """What a mapping holds: that of a variable, or one that is written there."""
        if isinstance(node, ast.Name):
            held = [one for one in self.names.get(node.id, ()) if isinstance(one, Mapping)]
            return held[0] if len(held) == 1 else None
        if not isinstance(node, ast.Dict):
            return None
        mapping = Mapping([])
        for key, value in zip(node.keys, node.values, strict=True):
            mapping.update(self._entries(key, value), sure=True)
        self._budget.count(len(mapping.entries))
        return mapping

    def _entries(self, key: ast.expr | None, value: ast.expr) -> Sequence[MappingEntry]:
        """The entry `key: value` of a mapping, or those of `**value`."""
        if key is None:
            inner = self.mapping(value)
            return inner.entries if inner is not None else ()
        word = self.places.literal(key) if isinstance(key, ast.Constant | ast.JoinedStr) else None
        return [MappingEntry(word, self._shown(value))] if word is not None and word.offsets else ()

    def _shown(self, node: ast.expr) -> Word:
        """The text that an f-string makes of a value."""
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            return self.places.literal(node) or self.places.unknown(node)
        text = text_of(node)
        return self.places.shown(node, text) if text is not None else self.places.unknown(node)

    def _comprehended(self, node: ast.ListComp | ast.GeneratorExp) -> BuiltArguments | None:
        """The words of a comprehension that makes an override of each entry of a mapping."""
        generator = node.generators[0]
        loop = loop_over(generator.target, generator.iter, self.mapping)
        words = loop.formatted(node.elt) if loop is not None else None
        if words is None or len(node.generators) > 1:
            return None
        if generator.ifs:
            words = [*unsure(words)]
        return BuiltArguments(self.paid(words, node))

    def paid(self, words: list[Word], node: ast.AST) -> list[Word]:
        """Words that are put together; one that is unknown where they grow too many or too long."""
        length = sum(len(word.text) for word in words)
        self._budget.count(len(words) + length)
        is_much = len(words) > MOST_WORDS or length > LONGEST_VALUE
        return [self.places.unknown(node)] if is_much or not self._budget.has_room() else words
