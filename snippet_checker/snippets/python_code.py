"""What a Python program puts together: lists of arguments, command lines, and configs of verl's.

The program is read with `ast` and never run. A branch may or may not be taken, so that what it adds
is not sure; what only a run knows, such as the value of `f"{path}"`, is unknown.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Sequence

from msgspec.structs import replace

from snippet_checker.snippets.python_mappings import Entry, Loop, Mapping, loop_over, text_of
from snippet_checker.snippets.python_paths import loads_verls_configs
from snippet_checker.snippets.python_places import Places
from snippet_checker.snippets.python_program import Composed, Made, Pair, Program
from snippet_checker.text.python_tree import last_name, parsed
from snippet_checker.text.words import UNKNOWN, Word, concatenated, opaque, replaced, spaced, unsure
from snippet_checker.verl.release import is_verls_program
from snippet_checker.work import LONGEST_VALUE, MOST_WORDS, Pool

MOST_CHARACTERS = 1_000_000
"""The length of the longest program that is read."""

_PERCENT = re.compile(r"%(?:\(\w+\))?[sdrif]")
_WORDS = re.compile(r"\S+")
_FIELD = re.compile(UNKNOWN)
_FIELDS = re.compile(r"\{[^{}]*\}")
_SELF = "self."
_RAISING = frozenset({"raises", "assertRaises", "assertRaisesRegex"})
_SAME_TEXT = frozenset({"strip", "rstrip", "lstrip"})
_COPIES = frozenset({"list", "tuple"})
_LEAVES = (ast.Name, ast.expr_context, ast.operator, ast.cmpop, ast.boolop, ast.unaryop)
_CHECKS = (ast.If, ast.For, ast.AsyncFor, ast.While, ast.Try, ast.Match)


def read(text: str, pool: Pool) -> Program | None:
    """What a program puts together, as far as the steps last; None where it is no Python."""
    tree = parsed(text)
    if tree is None:
        return None
    loads_verls = "compose" in text and loads_verls_configs(tree)
    runs = _run_of(tree) if "argv" in text else None
    reader = _Reader(text, pool, runs, loads_verls=loads_verls)
    reader.scope(tree.body, {}, 1, text.count("\n") + 1)
    return reader.program


_Run = tuple[str, ast.AST]
"""The module of verl's whose `main` a program calls, and where it says so."""


def _run_of(tree: ast.Module) -> _Run | None:
    """The one program of verl's that a module imports the `main` of, or hands to `runpy`."""
    found: list[_Run] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and any(name.name == "main" for name in node.names):
            found.append((node.module or "", node))
        elif isinstance(node, ast.Call) and last_name(node.func) == "run_module" and node.args:
            named = node.args[0]
            if isinstance(named, ast.Constant) and isinstance(named.value, str):
                found.append((named.value, named))
    found = [run for run in found if run[0].startswith("verl.") and is_verls_program(run[0])]
    return found[0] if len(found) == 1 else None


def _name_of(node: ast.expr) -> str | None:
    """The name of a variable, or of an attribute of `self`."""
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        return f"{_SELF}{node.attr}" if node.value.id == "self" else None
    return node.id if isinstance(node, ast.Name) else None


def _takes_errors(item: ast.withitem) -> bool:
    """Whether what stands in a `with` is to fail, as in a test."""
    manager = item.context_expr
    return isinstance(manager, ast.Call) and last_name(manager.func) in _RAISING


Names = dict[str, tuple[Made | Mapping, ...]]
"""What each variable may hold, where that is known."""


class _Reader:
    """Goes through the statements of a program once, in their order."""

    def __init__(self, text: str, pool: Pool, runs: _Run | None, *, loads_verls: bool) -> None:
        self._places = Places(text)
        self._pool = pool
        self._loads_verls = loads_verls
        self._names: Names = {}
        self._loops: list[Loop] = []
        self._is_sure = True
        self._span = (1, 1)
        self._runs = runs
        self.program = Program()

    def scope(self, body: Sequence[ast.stmt], names: Names, first: int, last: int) -> Names:
        """The body of a module, a class or a function, which knows `names` from around it.

        Returns what the attributes of `self` hold behind it.
        """
        around = self._names, self._is_sure, self._span
        self._names, self._is_sure, self._span = dict(names), True, (first, last)
        self._body(body[self._docstring(body) :])
        own = {name: held for name, held in self._names.items() if name.startswith(_SELF)}
        self._names, self._is_sure, self._span = around
        return own

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
            own = self.scope(node.body, names, node.lineno, node.end_lineno or node.lineno)
            if node.name == "__init__":
                self._names |= own
        elif isinstance(node, ast.ClassDef):
            self.scope(node.body, self._names, node.lineno, node.end_lineno or node.lineno)
        elif isinstance(node, ast.For) and (
            loop := loop_over(node.target, node.iter, self._mapping)
        ):
            self._loops.append(loop)
            self._branches(node)
            self._loops.pop()
        elif isinstance(node, _CHECKS):
            self._branches(node)
        elif isinstance(node, ast.With | ast.AsyncWith):
            self._expressions(node.items)
            if any(map(_takes_errors, node.items)):
                self.program.failing.append((node.lineno, node.end_lineno or node.lineno))
            else:
                self._body(node.body)
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            self._assign(node)
        elif isinstance(node, ast.AugAssign):
            if self._is_argv(node.target) and (added := self._value(node.value)) is not None:
                self._start(added, node)
                return
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
        if self._makes_config(node.value, name):
            return
        alias = node.value.id if isinstance(node.value, ast.Name) else None
        held: Made | Mapping | None = self._value(node.value)
        if held is None:
            held = self._mapping(node.value) if alias is None else None
            self._expressions([node.value])
        for target in targets:
            if isinstance(held, Made) and self._is_argv(target):
                self._start(held, node)
            if (bound := _name_of(target)) is not None:
                self._rebind(bound, node.lineno)
                self._names.pop(bound, None)
                if held is not None:
                    self._names[bound] = (held,)
                elif alias is not None and alias in self._names:
                    self._names[bound] = self._names[alias]
            elif isinstance(target, ast.Subscript):
                self._put(target.value, ast.Dict([target.slice], [node.value]))

    def _is_argv(self, target: ast.expr) -> bool:
        """Whether `sys.argv`, or all of it but the name, is set in a program that runs verl's."""
        inner = target.value if isinstance(target, ast.Subscript) else target
        is_argv = isinstance(inner, ast.Attribute) and inner.attr == "argv"
        return is_argv and self._runs is not None

    def _start(self, arguments: Made, node: ast.stmt) -> None:
        """The command of a program that sets its own arguments and calls verl's `main`."""
        if self._runs is None or arguments.is_text:
            return
        whole = isinstance(node, ast.Assign) and not isinstance(node.targets[0], ast.Subscript)
        place = self._places.offsets(self._runs[1])[0]
        start = [Word(text, (place,) * len(text)) for text in ("-m", self._runs[0])]
        arguments.is_part = True
        self.program.made.append(Made([*start, *arguments.words[whole:]]))

    def _rebind(self, variable: str, line: int) -> None:
        """Let a variable hold no config any more."""
        for number, composed in enumerate(self.program.composed):
            if composed.variable == variable and composed.first < line <= composed.last:
                self.program.composed[number] = replace(composed, last=line - 1)

    def _add(self, target: ast.expr, value: ast.expr) -> None:
        """`target += value`, or `target.extend(value)`."""
        name = _name_of(target)
        held = self._names.get(name, ()) if name is not None else ()
        if any(isinstance(one, Mapping) for one in held):
            self._put(target, value)
        known = [one for one in held if isinstance(one, Made)]
        added = self._parts(value, is_text=bool(known) and known[0].is_text)
        for made in known:
            sure = added if self._is_sure else unsure(added)
            made.words = self._paid([*made.words, *sure], value)

    def _call_statement(self, call: ast.Call) -> None:
        function, given = call.func, call.args[0] if len(call.args) == 1 else None
        if isinstance(function, ast.Attribute) and given is not None:
            if function.attr == "extend":
                return self._add(function.value, given)
            if function.attr == "append":
                element = ast.copy_location(ast.List([given], ast.Load()), given)
                return self._add(function.value, element)
            if function.attr == "update":
                self._put(function.value, given)
        return self._expressions([call])

    def _expressions(self, nodes: Iterable[ast.AST]) -> None:
        """The outermost lists and strings of some expressions."""
        waiting = list(nodes)[::-1]
        while waiting:
            node = waiting.pop()
            if isinstance(node, ast.stmt):
                self._statement(node)
            elif self._makes_config(node, None):
                continue
            elif not isinstance(node, ast.expr) or self._value(node) is None:
                children = [n for n in ast.iter_child_nodes(node) if not isinstance(n, _LEAVES)]
                waiting += children[::-1]

    # What an expression comes to.

    def _value(self, node: ast.expr) -> Made | None:
        """A list or a text that an expression makes, which counts unless it becomes a part."""
        made = self._made(node)
        if made is not None:
            self.program.made.append(made)
        return made

    def _made(self, node: ast.expr) -> Made | None:
        """A list of words, or a text; None where an expression is neither."""
        if isinstance(node, ast.List | ast.Tuple):
            return Made(self._paid([w for part in node.elts for w in self._element(part)], node))
        if isinstance(node, ast.Constant | ast.JoinedStr):
            word = self._places.literal(node)
            if word is not None and isinstance(node, ast.JoinedStr):
                word = self._filled_in(node, word)
            return Made([word], is_text=True) if word is not None else None
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
        return concatenated(self._paid([whole], node))

    def _shown_in(self, field: ast.FormattedValue) -> Word:
        """What a field of an f-string shows."""
        value = field.value
        is_join = isinstance(value, ast.Call) and last_name(value.func) == "join"
        is_plain = field.conversion in (-1, ord("s")) and field.format_spec is None
        if not is_plain or not (is_join or isinstance(value, ast.Name | ast.Attribute)):
            return self._places.unknown(value)
        return concatenated(self._parts(value, is_text=True))

    def _element(self, node: ast.expr) -> list[Word]:
        if isinstance(node, ast.Starred):
            return self._parts(node.value, is_text=False)
        for loop in reversed(self._loops):
            if (formatted := loop.formatted(node)) is not None:
                return self._paid(formatted, node)
        made = self._made(node) or self._known(node)
        if made is not None and made.is_text:
            made.is_part = True
            return [made.word]
        self._expressions(ast.iter_child_nodes(node))
        return [self._places.unknown(node)]

    def _parts(self, node: ast.expr, *, is_text: bool) -> list[Word]:
        """What an expression adds to a list or to a text; one unknown word where nobody knows."""
        if isinstance(node, ast.IfExp):
            both = [
                *self._parts(node.body, is_text=False),
                *self._parts(node.orelse, is_text=False),
            ]
            return [self._places.unknown(node)] if is_text else [*unsure(both)]
        made = self._made(node)
        if made is not None and made.is_text == is_text:
            return made.words
        known = self._known(node)
        if known is not None and known.is_text == is_text:
            known.is_part = True
            return self._paid(list(known.words), node)
        if made is None:
            self._expressions(ast.iter_child_nodes(node))
        return [self._places.unknown(node)]

    def _known(self, node: ast.expr) -> Made | None:
        """What a variable holds, where that is one thing."""
        if isinstance(node, ast.Call) and not node.args and last_name(node.func) == "copy":
            node = node.func.value if isinstance(node.func, ast.Attribute) else node
        if isinstance(node, ast.Call) and len(node.args) == 1 and last_name(node.func) == "list":
            node = node.args[0]
        name = _name_of(node)
        known = self._names.get(name, ()) if name is not None else ()
        return known[0] if len(known) == 1 and isinstance(known[0], Made) else None

    def _operation(self, node: ast.BinOp) -> Made | None:
        left = self._made(node.left)
        if isinstance(node.op, ast.Mod) and left is not None and left.is_text:
            return Made([opaque(left.word, _PERCENT)], is_text=True)
        if not isinstance(node.op, ast.Add):
            return None
        left = left or self._known(node.left)
        if left is not None:
            left.is_part = True
            whole = [*left.words, *self._parts(node.right, is_text=left.is_text)]
        else:
            left = self._made(node.right)
            if left is None:
                return None
            whole = [self._places.unknown(node.left), *left.words]
        whole = self._paid(whole, node)
        return Made([concatenated(whole)] if left.is_text else whole, left.is_text)

    def _called(self, node: ast.Call) -> Made | None:
        """`"…".format(x)`, `"…".split()`, `shlex.split("…")`, `" ".join([…])`."""
        function, method = node.func, last_name(node.func)
        if any(isinstance(part, ast.Constant) and part.value == "-m" for part in node.args):
            return Made([word for part in node.args for word in self._element(part)])
        if not isinstance(function, ast.Attribute):
            is_copy = method in _COPIES and len(node.args) == 1
            return self._made(node.args[0]) if is_copy else None
        if method == "split" and isinstance(function.value, ast.Name) and node.args:
            return self._split(node.args[0])
        if method == "split" and not node.args:
            return self._split(function.value)
        if method == "join" and len(node.args) == 1 and self._is_blank(function.value):
            made = self._made(node.args[0]) or self._known(node.args[0])
            if made is None or made.is_text:
                return None
            made.is_part = True
            return Made([spaced(made.words)], is_text=True)
        if method in _SAME_TEXT or method == "format":
            made = self._made(function.value)
            if made is not None and made.is_text:
                word = opaque(made.word, _FIELDS) if method == "format" else made.word
                return Made([word], is_text=True)
        return None

    def _split(self, node: ast.expr) -> Made | None:
        made = self._made(node)
        if made is None or not made.is_text:
            return None
        word = made.word
        if not {"'", '"', "\\"}.isdisjoint(word.text):
            return made  # which a shell's reader takes apart
        return Made([word.cut(*match.span()) for match in _WORDS.finditer(word.text)])

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
        word = self._places.literal(key) if isinstance(key, ast.Constant | ast.JoinedStr) else None
        return [Entry(word, self._shown(value))] if word is not None and word.offsets else ()

    def _put(self, target: ast.expr, added: ast.expr) -> None:
        """`target.update(added)`."""
        mapping, more = self._mapping(target), self._mapping(added)
        if isinstance(target, ast.Name) and mapping is not None and more is not None:
            mapping.update(more.entries, sure=self._is_sure)
            del mapping.entries[MOST_WORDS:]

    def _shown(self, node: ast.expr) -> Word:
        """The text that an f-string makes of a value."""
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            return self._places.literal(node) or self._places.unknown(node)
        text = text_of(node)
        return self._places.shown(node, text) if text is not None else self._places.unknown(node)

    def _comprehended(self, node: ast.ListComp | ast.GeneratorExp) -> Made | None:
        """The words of a comprehension that makes an override of each entry of a mapping."""
        generator = node.generators[0]
        loop = loop_over(generator.target, generator.iter, self._mapping)
        words = loop.formatted(node.elt) if loop is not None else None
        if words is None or len(node.generators) > 1:
            return None
        if generator.ifs:
            words = [*unsure(words)]
        return Made(self._paid(words, node))

    # verl's configs.

    def _makes_config(self, node: ast.AST, variable: str | None) -> bool:
        """Whether a call composes a config of verl's, or merges into one; then it is noted."""
        if not isinstance(node, ast.Call):
            return False
        if self._loads_verls and last_name(node.func) == "compose":
            self._compose(node, variable)
            return True
        merged = self._merged(node)
        if merged is not None:
            self._merge(merged, node, variable)
        return merged is not None

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

    def _merged(self, node: ast.Call) -> Composed | None:
        """The config that a call of `OmegaConf.merge` begins with, or of `OmegaConf.update`."""
        if last_name(node.func) not in ("merge", "update"):
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
        if last_name(call.func) == "update" and len(given) == 2:
            pairs += self._pairs(ast.Dict([given[0]], [given[1]]), "")
            given = []
        for part in given:
            inner = part.args[0] if isinstance(part, ast.Call) and part.args else part
            made = last_name(part.func) if isinstance(part, ast.Call) else ""
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
            word = self._places.literal(key) if isinstance(key, ast.Constant) else None
            if word is None or UNKNOWN in word.text:
                continue
            name = f"{prefix}{word.text}"
            if isinstance(value, ast.Dict) and value.keys:
                yield from self._pairs(value, f"{name}.")
            else:
                yield Pair(name, word, *self._places.offsets(value))

    def _paid(self, words: list[Word], node: ast.AST) -> list[Word]:
        """Words that are put together; one that is unknown where they grow too many or too long."""
        length = sum(len(word.text) for word in words)
        self._pool.take(len(words) + length)
        is_much = len(words) > MOST_WORDS or length > LONGEST_VALUE
        return [self._places.unknown(node)] if is_much or not self._pool.has_room() else words


def _either(ends: Sequence[Names]) -> Names:
    """What variables hold where one of several branches was taken."""
    names = dict.fromkeys(name for end in ends for name in end)
    return {
        name: tuple({id(made): made for end in ends for made in end.get(name, ())}.values())
        for name in names
    }
