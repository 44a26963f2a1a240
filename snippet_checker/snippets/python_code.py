"""What a Python program puts together: lists of arguments, command lines, and configs of verl's.

The program is read with `ast` and never run. A branch may or may not be taken, so that what it adds
is not sure; what only a run knows, such as the value of `f"{path}"`, is unknown.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import cast

from snippet_checker.snippets import python_strings
from snippet_checker.snippets.python_mappings import Entry, Loop, Mapping, loop_over, text_of
from snippet_checker.snippets.python_paths import loads_verls_configs
from snippet_checker.text.python_tree import parsed
from snippet_checker.text.words import UNKNOWN, Word, concatenated, opaque, unknown_at
from snippet_checker.work import LONGEST_VALUE, MOST_WORDS, Pool

MOST_CHARACTERS = 1_000_000
"""The length of the longest program that is read."""

_PERCENT = re.compile(r"%(?:\(\w+\))?[sdrif]")
_WORDS = re.compile(r"\S+")
_FIELDS = re.compile(r"\{[^{}]*\}")
_RAISING = frozenset({"raises", "assertRaises", "assertRaisesRegex"})
_SAME_TEXT = frozenset({"strip", "rstrip", "lstrip"})
_COPIES = frozenset({"list", "tuple"})
_LEAVES = (ast.Name, ast.expr_context, ast.operator, ast.cmpop, ast.boolop, ast.unaryop)
_CHECKS = (ast.If, ast.For, ast.AsyncFor, ast.While, ast.Try, ast.Match)


@dataclass(slots=True)
class Made:
    """Words that a program puts together: arguments in a list, or the text of one string.

    `is_part` says that they went into others, `is_prose` that people are to read them.
    """

    words: list[Word]
    is_text: bool = False
    is_part: bool = False
    is_prose: bool = False

    @property
    def word(self) -> Word:
        return concatenated(self.words)


@dataclass(frozen=True, slots=True)
class Pair:
    """A leaf of a mapping: its key, where the last part of it stands, and where its value does."""

    key: str
    word: Word
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Composed:
    """A config of verl's that a program composes: its name, the overrides, and its variable.

    `pairs` are merged into it. The variable holds it on the lines from `first` to `last`.
    """

    config: str
    overrides: Made
    variable: str | None
    first: int
    last: int
    pairs: tuple[Pair, ...] = ()

    def is_held_by(self, variable: str, line: int) -> bool:
        """Whether it is in a variable on a line."""
        return self.variable == variable and self.first <= line <= self.last


@dataclass(slots=True)
class Program:
    """What a program puts together, in the order of its text.

    `failing` are the first and last lines of what a test says to fail.
    """

    made: list[Made] = field(default_factory=list)
    composed: list[Composed] = field(default_factory=list)
    failing: list[tuple[int, int]] = field(default_factory=list)

    def holds(self, composed: Composed, line: int) -> bool:
        """Whether the variable of a config holds it on a line that is meant to work."""
        is_there = composed.first <= line <= composed.last
        return is_there and not any(first <= line <= last for first, last in self.failing)


def read(text: str, pool: Pool) -> Program | None:
    """What a program puts together, as far as the steps last; None where it is no Python."""
    tree = parsed(text)
    if tree is None:
        return None
    reader = _Reader(text, pool, loads_verls="compose" in text and loads_verls_configs(tree))
    reader.scope(tree.body, {}, 1, text.count("\n") + 1)
    return reader.program


def _managers(node: ast.With | ast.AsyncWith) -> Iterator[ast.expr]:
    return (item.context_expr for item in node.items)


def _name(function: ast.expr) -> str:
    """The last part of the name of what is called."""
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""


Names = dict[str, tuple[Made | Mapping, ...]]
"""What each variable may hold, where that is known."""


class _Reader:
    """Goes through the statements of a program once, in their order."""

    def __init__(self, text: str, pool: Pool, *, loads_verls: bool) -> None:
        self._text = text
        self._pool = pool
        self._lines = text.split("\n")
        self._starts = [0]
        for line in self._lines:
            self._starts.append(self._starts[-1] + len(line) + 1)
        self._loads_verls = loads_verls
        self._names: Names = {}
        self._loops: list[Loop] = []
        self._is_sure = True
        self._span = (1, 1)
        self.program = Program()

    def scope(self, body: Sequence[ast.stmt], names: Names, first: int, last: int) -> None:
        """The body of a module, a class or a function, which knows `names` from around it."""
        around = self._names, self._is_sure, self._span
        self._names, self._is_sure, self._span = dict(names), True, (first, last)
        self._body(body[self._docstring(body) :])
        self._names, self._is_sure, self._span = around

    def _docstring(self, body: Sequence[ast.stmt]) -> int:
        """Read the docstring of a body; returns how many statements it is."""
        first = body[0] if body else None
        if not (isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)):
            return 0
        made = self._value(first.value)
        if made is not None:
            made.is_prose = True
        return 1

    def _body(self, body: Iterable[ast.stmt]) -> None:
        for statement in body:
            self._statement(statement)

    def _statement(self, node: ast.stmt) -> None:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            inner = {
                argument.arg for argument in ast.walk(node.args) if isinstance(argument, ast.arg)
            }
            names = {name: made for name, made in self._names.items() if name not in inner}
            self._expressions([*node.decorator_list, node.args])
            self.scope(node.body, names, node.lineno, node.end_lineno or node.lineno)
        elif isinstance(node, ast.ClassDef):
            self.scope(node.body, self._names, node.lineno, node.end_lineno or node.lineno)
        elif isinstance(node, ast.For) and (loop := self._loop(node.target, node.iter)):
            self._loops.append(loop)
            self._branches(node)
            self._loops.pop()
        elif isinstance(node, _CHECKS):
            self._branches(node)
        elif isinstance(node, ast.With | ast.AsyncWith):
            self._expressions(node.items)
            if any(isinstance(n, ast.Call) and _name(n.func) in _RAISING for n in _managers(node)):
                self.program.failing.append((node.lineno, node.end_lineno or node.lineno))
            else:
                self._body(node.body)
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            self._assign(node)
        elif isinstance(node, ast.AugAssign):
            self._add(node.target, node.value)
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            self._call_statement(node.value)
        else:
            self._expressions(ast.iter_child_nodes(node))

    def _branches(self, node: ast.stmt) -> None:
        """Each part of a statement from what is known before it, and any of them behind it."""
        before, was_sure = self._names, self._is_sure
        ends = [before]
        self._is_sure = False
        for name, part in ast.iter_fields(node):
            if isinstance(part, ast.AST):
                self._expressions([part])
            elif name in ("handlers", "cases"):
                ends += [self._branch(clause.body, before) for clause in part]
            elif isinstance(part, list) and part:
                ends.append(self._branch(part, before))
        if isinstance(node, ast.If) and node.orelse:
            ends.pop(0)
        self._names, self._is_sure = _either(ends), was_sure

    def _branch(self, body: Sequence[ast.stmt], before: Names) -> Names:
        self._names = dict(before)
        self._body(body)
        return self._names

    def _assign(self, node: ast.Assign | ast.AnnAssign) -> None:
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        if node.value is None:
            return
        name = targets[0].id if isinstance(targets[0], ast.Name) else None
        if self._is_compose(node.value):
            self._compose(cast(ast.Call, node.value), name)
            return
        if (merged := self._merged(node.value)) is not None:
            self._merge(merged, cast(ast.Call, node.value), name)
            return
        alias = node.value.id if isinstance(node.value, ast.Name) else None
        held: Made | Mapping | None = self._value(node.value)
        if held is None:
            held = self._mapping(node.value) if alias is None else None
            self._expressions([node.value])
        for target in targets:
            if isinstance(target, ast.Name):
                self._rebind(target.id, node.lineno)
                self._names.pop(target.id, None)
                if held is not None:
                    self._names[target.id] = (held,)
                elif alias is not None and alias in self._names:
                    self._names[target.id] = self._names[alias]
            elif isinstance(target, ast.Subscript):
                self._put(target.value, ast.Dict([target.slice], [node.value]))

    def _rebind(self, variable: str, line: int) -> None:
        """Let a variable hold no config any more."""
        for number, composed in enumerate(self.program.composed):
            if composed.variable == variable and composed.first < line <= composed.last:
                self.program.composed[number] = replace(composed, last=line - 1)

    def _add(self, target: ast.expr, value: ast.expr) -> None:
        """`target += value`, or `target.extend(value)`."""
        name = target.id if isinstance(target, ast.Name) else None
        held = self._names.get(name, ()) if name is not None else ()
        if any(isinstance(one, Mapping) for one in held):
            self._put(target, value)
        known = [one for one in held if isinstance(one, Made)]
        added = self._parts(value, is_text=bool(known) and known[0].is_text)
        for made in known:
            sure = added if self._is_sure else [replace(word, sure=False) for word in added]
            made.words = self._paid([*made.words, *sure], value)

    def _call_statement(self, call: ast.Call) -> None:
        function = call.func
        is_method = isinstance(function, ast.Attribute) and len(call.args) == 1
        if is_method and function.attr == "extend":  # type: ignore[attr-defined]
            self._add(function.value, call.args[0])  # type: ignore[attr-defined]
        elif is_method and function.attr == "append":  # type: ignore[attr-defined]
            element = ast.copy_location(ast.List([call.args[0]], ast.Load()), call.args[0])
            self._add(function.value, element)  # type: ignore[attr-defined]
        else:
            if is_method and function.attr == "update":  # type: ignore[attr-defined]
                self._put(function.value, call.args[0])  # type: ignore[attr-defined]
            self._expressions([call])

    def _expressions(self, nodes: Iterable[ast.AST]) -> None:
        """The outermost lists and strings of some expressions."""
        waiting = list(nodes)[::-1]
        while waiting:
            node = waiting.pop()
            if isinstance(node, ast.stmt):
                self._statement(node)
            elif self._is_compose(node):
                self._compose(cast(ast.Call, node), None)
            elif (merged := self._merged(node)) is not None:
                self._merge(merged, cast(ast.Call, node), None)
            elif not isinstance(node, ast.expr) or self._value(node) is None:
                children = [n for n in ast.iter_child_nodes(node) if not isinstance(n, _LEAVES)]
                waiting += children[::-1]

    # What an expression comes to.

    def _value(self, node: ast.expr) -> Made | None:
        """A list or a text that an expression makes, which counts unless it becomes a part."""
        words, is_text = self._words(node)
        if words is None:
            return None
        made = Made(words, is_text)
        self.program.made.append(made)
        return made

    def _words(self, node: ast.expr) -> tuple[list[Word] | None, bool]:
        """The words of a list, or the one of a text; None where it is neither."""
        if isinstance(node, ast.List | ast.Tuple):
            return self._paid([w for part in node.elts for w in self._element(part)], node), False
        if isinstance(node, ast.Constant | ast.JoinedStr):
            word = self._literal(node)
            return ([word], True) if word is not None else (None, False)
        if isinstance(node, ast.BinOp):
            return self._operation(node)
        if isinstance(node, ast.Call):
            return self._called(node)
        if isinstance(node, ast.ListComp | ast.GeneratorExp):
            return self._comprehended(node), False
        return None, False

    def _element(self, node: ast.expr) -> list[Word]:
        if isinstance(node, ast.Starred):
            return self._parts(node.value, is_text=False)
        for loop in reversed(self._loops):
            if (formatted := loop.formatted(node)) is not None:
                return self._paid(formatted, node)
        words, is_text = self._words(node)
        if words is not None and is_text:
            return words
        known = self._known(node)
        if known is not None and known.is_text:
            known.is_part = True
            return [known.word]
        self._expressions(ast.iter_child_nodes(node))
        return [self._unknown(node)]

    def _parts(self, node: ast.expr, *, is_text: bool) -> list[Word]:
        """What an expression adds to a list or to a text; one unknown word where nobody knows."""
        if isinstance(node, ast.IfExp):
            both = [
                *self._parts(node.body, is_text=False),
                *self._parts(node.orelse, is_text=False),
            ]
            return [self._unknown(node)] if is_text else [replace(w, sure=False) for w in both]
        words, found_text = self._words(node)
        if words is not None and found_text == is_text:
            return words
        known = self._known(node)
        if known is not None and known.is_text == is_text:
            known.is_part = True
            return self._paid(list(known.words), node)
        if words is None:
            self._expressions(ast.iter_child_nodes(node))
        return [self._unknown(node)]

    def _known(self, node: ast.expr) -> Made | None:
        """What a variable holds, where that is one thing."""
        if isinstance(node, ast.Call) and not node.args and _name(node.func) == "copy":
            node = node.func.value if isinstance(node.func, ast.Attribute) else node
        if isinstance(node, ast.Call) and len(node.args) == 1 and _name(node.func) == "list":
            node = node.args[0]
        known = self._names.get(node.id, ()) if isinstance(node, ast.Name) else ()
        return known[0] if len(known) == 1 and isinstance(known[0], Made) else None

    def _operation(self, node: ast.BinOp) -> tuple[list[Word] | None, bool]:
        left, is_text = self._words(node.left)
        if isinstance(node.op, ast.Mod) and left is not None and is_text:
            return [opaque(left[0], _PERCENT)], True
        if not isinstance(node.op, ast.Add):
            return None, False
        if left is None:
            known = self._known(node.left)
            if known is not None:
                known.is_part, left, is_text = True, list(known.words), known.is_text
        if left is None:
            right, is_text = self._words(node.right)
            if right is None:
                return None, False
            left = [self._unknown(node.left)]
        else:
            right = self._parts(node.right, is_text=is_text)
        whole = self._paid([*left, *right], node)
        return ([concatenated(whole)], True) if is_text else (whole, False)

    def _called(self, node: ast.Call) -> tuple[list[Word] | None, bool]:
        """`"…".format(x)`, `"…".split()`, `shlex.split("…")`, `" ".join([…])`."""
        function, method = node.func, _name(node.func)
        if any(isinstance(part, ast.Constant) and part.value == "-m" for part in node.args):
            return [word for part in node.args for word in self._element(part)], False
        if not isinstance(function, ast.Attribute):
            copied = node.args[0] if method in _COPIES and len(node.args) == 1 else None
            return self._words(copied) if copied is not None else (None, False)
        if method == "split" and isinstance(function.value, ast.Name) and len(node.args) >= 1:
            return self._split(node.args[0])
        if method == "split" and not node.args:
            return self._split(function.value)
        if method == "join" and len(node.args) == 1 and self._is_blank(function.value):
            words, is_text = self._words(node.args[0])
            return (None, False) if is_text or words is None else (_spaced(words), True)
        if method in _SAME_TEXT or method == "format":
            words, is_text = self._words(function.value)
            if words is not None and is_text:
                return [opaque(words[0], _FIELDS) if method == "format" else words[0]], True
        return None, False

    def _split(self, node: ast.expr) -> tuple[list[Word] | None, bool]:
        words, is_text = self._words(node)
        if words is None or not is_text:
            return None, False
        if "'" in words[0].text or '"' in words[0].text or "\\" in words[0].text:
            return words, True  # which a shell's reader takes apart
        return [words[0].cut(*m.span()) for m in _WORDS.finditer(words[0].text)], False

    def _is_blank(self, node: ast.expr) -> bool:
        value = node.value if isinstance(node, ast.Constant) else None
        return isinstance(value, str) and not value.strip(" \\\n")

    # Overrides in a mapping.

    def _mapping(self, node: ast.expr) -> Mapping | None:
        """What a mapping holds: that of a variable, or one that is written there."""
        if isinstance(node, ast.Name):
            held = [one for one in self._names.get(node.id, ()) if isinstance(one, Mapping)]
            return held[0] if len(held) == 1 else None
        if not isinstance(node, ast.Dict):
            return None
        mapping = Mapping([])
        for key, value in zip(node.keys, node.values, strict=True):
            mapping.update(self._entries(key, value), sure=True)
        self._pool.take(len(mapping.entries))
        return mapping

    def _entries(self, key: ast.expr | None, value: ast.expr) -> Sequence[Entry]:
        """The entry `key: value` of a mapping, or those of `**value`."""
        if key is None:
            inner = self._mapping(value)
            return inner.entries if inner is not None else ()
        word = self._literal(key) if isinstance(key, ast.Constant | ast.JoinedStr) else None
        return [Entry(word, self._shown(value))] if word is not None and word.offsets else ()

    def _put(self, target: ast.expr, added: ast.expr) -> None:
        """`target.update(added)`."""
        mapping, more = self._mapping(target), self._mapping(added)
        if isinstance(target, ast.Name) and mapping is not None and more is not None:
            mapping.update(more.entries, sure=self._is_sure)
            del mapping.entries[MOST_WORDS:]

    def _shown(self, node: ast.expr) -> Word:
        """The text that an f-string makes of a value."""
        text, (start, end) = text_of(node), self._offsets(node)
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            return self._literal(node) or self._unknown(node)
        if text is None:
            return self._unknown(node)
        is_verbatim = self._text[start:end] == text
        return Word(text, tuple(range(start, end)) if is_verbatim else (start,) * len(text))

    def _loop(self, target: ast.expr, iterated: ast.expr) -> Loop | None:
        return loop_over(target, iterated, self._mapping)

    def _comprehended(self, node: ast.ListComp | ast.GeneratorExp) -> list[Word] | None:
        """The words of a comprehension that makes an override of each entry of a mapping."""
        generator = node.generators[0]
        loop = self._loop(generator.target, generator.iter)
        words = loop.formatted(node.elt) if loop is not None else None
        if words is None or len(node.generators) > 1:
            return None
        if generator.ifs:
            words = [replace(word, sure=False) for word in words]
        return self._paid(words, node)

    # verl's configs.

    def _is_compose(self, node: ast.AST) -> bool:
        is_call = isinstance(node, ast.Call) and _name(node.func) == "compose"
        return is_call and self._loads_verls

    def _compose(self, call: ast.Call, variable: str | None) -> None:
        given = {keyword.arg: keyword.value for keyword in call.keywords}
        given |= dict(zip(("config_name", "overrides"), call.args, strict=False))
        name, overrides = given.get("config_name"), given.get("overrides")
        made = None
        if overrides is not None:
            made = self._value(overrides) or self._known(overrides)
        made = made or Made([])
        made.is_part = True
        if isinstance(name, ast.Constant) and isinstance(name.value, str):
            composed = Composed(name.value, made, variable, call.lineno, self._span[1])
            self.program.composed.append(composed)

    def _merged(self, node: ast.AST) -> Composed | None:
        """The config that a call of `OmegaConf.merge` begins with, or of `OmegaConf.update`."""
        if not isinstance(node, ast.Call) or _name(node.func) not in ("merge", "update"):
            return None
        first = node.args[0] if node.args else None
        if not isinstance(first, ast.Name):
            return None
        known = reversed(self.program.composed)
        return next((one for one in known if one.is_held_by(first.id, node.lineno)), None)

    def _merge(self, config: Composed, call: ast.Call, variable: str | None) -> None:
        """Note what is merged into a config, which the variable then holds."""
        words: list[Word] = []
        pairs: list[Pair] = []
        given = call.args[1:]
        if _name(call.func) == "update" and len(given) == 2:
            pairs += self._pairs(ast.Dict([given[0]], [given[1]]), "")
            given = []
        for part in given:
            inner = part.args[0] if isinstance(part, ast.Call) and part.args else part
            made = _name(part.func) if isinstance(part, ast.Call) else ""
            if made == "from_dotlist":
                words += self._parts(inner, is_text=False)
            elif isinstance(inner, ast.Dict) and made in ("", "create"):
                pairs += self._pairs(inner, "")
        if variable is not None:
            self._rebind(variable, call.lineno)
        last = self._span[1]
        overrides = Made(words, is_part=True)
        self.program.composed.append(
            Composed(config.config, overrides, variable, call.lineno, last, tuple(pairs))
        )

    def _pairs(self, mapping: ast.Dict, prefix: str) -> Iterator[Pair]:
        """The leaves of a mapping whose keys are known."""
        for key, value in zip(mapping.keys, mapping.values, strict=True):
            word = self._literal(key) if isinstance(key, ast.Constant) else None
            if word is None or UNKNOWN in word.text:
                continue
            name = f"{prefix}{word.text}"
            if isinstance(value, ast.Dict) and value.keys:
                yield from self._pairs(value, f"{name}.")
            else:
                yield Pair(name, word, *self._offsets(value))

    # Places.

    def _literal(self, node: ast.Constant | ast.JoinedStr) -> Word | None:
        """A string with its places; None where it is none, unknown where they are not found."""
        if isinstance(node, ast.Constant) and not isinstance(node.value, str):
            return None
        start, end = self._offsets(node)
        word = python_strings.word_of(self._text, start, end)
        return word if word.text == _value_of(node) else unknown_at(start)

    def _paid(self, words: list[Word], node: ast.AST) -> list[Word]:
        """Words that are put together; one that is unknown where they grow too many or too long."""
        length = sum(len(word.text) for word in words)
        self._pool.take(len(words) + length)
        is_much = len(words) > MOST_WORDS or length > LONGEST_VALUE
        return [self._unknown(node)] if is_much or not self._pool.has_room() else words

    def _unknown(self, node: ast.AST) -> Word:
        return unknown_at(self._offsets(node)[0])

    def _offsets(self, node: ast.AST) -> tuple[int, int]:
        first = self._offset(getattr(node, "lineno", 1), getattr(node, "col_offset", 0))
        end = self._offset(getattr(node, "end_lineno", 1), getattr(node, "end_col_offset", 0))
        return first, end

    def _offset(self, line: int, column: int) -> int:
        """The place of a character that `ast` counts in bytes of its line."""
        text = self._lines[line - 1]
        if not text.isascii():
            column = len(text.encode()[:column].decode(errors="ignore"))
        return self._starts[line - 1] + column


def _value_of(node: ast.Constant | ast.JoinedStr) -> str:
    if isinstance(node, ast.Constant):
        return python_strings.with_fields(str(node.value))
    parts = node.values
    return "".join(str(p.value) if isinstance(p, ast.Constant) else UNKNOWN for p in parts)


def _either(ends: Sequence[Names]) -> Names:
    """What variables hold where one of several branches was taken."""
    names = dict.fromkeys(name for end in ends for name in end)
    return {
        name: tuple({id(made): made for end in ends for made in end.get(name, ())}.values())
        for name in names
    }


def _spaced(words: Sequence[Word]) -> list[Word]:
    """Words as one text with blanks in between."""
    parts: list[Word] = []
    for word in words:
        if parts:
            parts.append(Word(" ", word.offsets[:1] or (0,)))
        parts.append(word)
    return [concatenated(parts)]
