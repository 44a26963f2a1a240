"""A shell script's commands, as far as they can be known without running it.

tree-sitter reads the grammar. Functions are followed where they are called, loops over constant
words as often as they run; what a branch does counts as possible. Every character keeps its place.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from snippet_checker.shell import parameters
from snippet_checker.shell.arguments import arguments_of
from snippet_checker.shell.cases import Cases
from snippet_checker.shell.costs import CHARACTERS_A_STEP, Costs
from snippet_checker.shell.expansion import Expander
from snippet_checker.shell.grammar import (
    REDIRECTS,
    SUBSTITUTIONS,
    assigned,
    behind,
    descendants,
    local_names,
    parse,
    parts_of_if,
    parts_of_list,
    without_comments,
)
from snippet_checker.shell.node import Node
from snippet_checker.shell.source import Source
from snippet_checker.shell.variables import NOT_SET, Environment, Function, Variable, joined, unsure
from snippet_checker.text.words import UNKNOWN, Word, concatenated
from snippet_checker.work import DEEPEST, MOST_WORDS, TooMuchWork, Work

_DEEPEST_CALLS = 20  # of functions within each other
_MOST_CALLS = 3  # of a function within itself
_STEPS_FOR_A_COMMAND = 150
_STEPS_FOR_A_NODE = 10
_STEPS_FOR_A_LINE = 3
_NAMES_A_STEP = 2  # that are copied where a script may go on in several ways
_MOST_ROUNDS = 50  # of one loop
_SETTERS = frozenset({"read", "mapfile", "readarray", "let", "printf", "getopts"})
_QUESTIONS = frozenset({"[", "test", "grep", "command", "which", "type", "false", "pgrep"})
_CHANGED = re.compile(
    r"(?<!\w)([A-Za-z_]\w*+)\s*+(?:\+\+|--|[-+*/%&|^]?=(?!=))|(?:\+\+|--)([A-Za-z_]\w*)"
)
_FIRST_ARGUMENT = re.compile(r"\"?\$(?:1|\{1(?::?-)?\})\"?")
_ARGUMENTS_LEFT = re.compile(r"\$[#1*@]|\$\{(?:[#@*]|1[:}+-])")


@dataclass(slots=True)
class _Run:
    """What is counted over a script and all that it reads on its way."""

    costs: Costs
    cases: Cases
    called: set[str] = field(default_factory=set)
    calls: list[str] = field(default_factory=list)
    returns: list[list[Environment]] = field(default_factory=list)

    def is_deep(self, name: str) -> bool:
        """Whether a function is not followed once more: it would call itself for ever."""
        return len(self.calls) >= _DEEPEST_CALLS or self.calls.count(name) >= _MOST_CALLS


class Script:
    """One script, or a piece of one that another command hands to a shell."""

    def __init__(
        self,
        text: str,
        offsets: Sequence[int] | None = None,
        arguments: tuple[Word, ...] | None = None,
        *,
        costs: Costs | None = None,
    ) -> None:
        costs = costs or Costs.of(Work(len(text)))
        self._source = Source(without_comments(text), offsets)
        self._expander = Expander(self._source, Environment(arguments=arguments or None), costs)
        self._run = _Run(costs, Cases(costs.pool))
        self._is_broken = False

    @property
    def costs(self) -> Costs:
        """What this script, and all that it hands to other shells, may still cost."""
        return self._run.costs

    def __len__(self) -> int:
        return len(self._source.bytes.decode())

    def commands(self) -> Iterator[list[Word]]:
        """Each command's words, in the order of the text, functions where they are called."""
        yield from self._read(self._source)
        for name, function in list(self._here.functions.items()):
            if name not in self._run.called:
                yield from self._within(function.source, function.body)

    @property
    def _here(self) -> Environment:
        """What is known at the place that the walk has come to."""
        return self._expander.environment

    @_here.setter
    def _here(self, environment: Environment) -> None:
        self._expander.environment = environment

    def _read(self, source: Source) -> Iterator[list[Word]]:
        """The commands of a text; where it takes too long to read, of the halves that do not."""
        try:
            root = parse(source, self._run.costs.parsing)
        except TooMuchWork as error:
            halves = source.halves()
            if halves is None:
                self._run.costs.skip_all(source, error)
            for half in halves or ():
                yield from self._read(half)
        else:
            yield from self._within(source, root)

    def _walk(self, node: Node) -> Iterator[list[Word]]:
        costs = self._run.costs
        if costs.depth >= DEEPEST:
            error = TooMuchWork(f"more than {DEEPEST} statements lie around it")
            costs.skip(self._source, node, error)
            return
        costs.depth += 1
        costs.pool.take(_STEPS_FOR_A_NODE)
        try:
            yield from self._walk_into(node)
        except RecursionError as error:
            costs.skip(self._source, node, error)
        finally:
            costs.depth -= 1

    def _walk_into(self, node: Node) -> Iterator[list[Word]]:
        walk = _WALKS.get(node.type)
        if walk is not None:
            yield from walk(self, node)
        elif node.type not in ("comment", "test_command"):
            yield from self._all(node.children)

    def _all(self, nodes: Iterable[Node]) -> Iterator[list[Word]]:
        for node in nodes:
            yield from self._walk(node)

    def _apart(self, node: Node) -> Iterator[list[Word]]:
        """In a shell of its own: what is set there is lost."""
        outer = self._here
        self._here = self._copied(outer, node)
        yield from self._all(node.children)
        self._here = outer

    def _pipeline(self, node: Node) -> Iterator[list[Word]]:
        outer = self._here
        for child in node.children:
            self._here = self._copied(outer, node)
            yield from self._walk(child)
        self._here = outer

    def _substitutions(self, *nodes: Node) -> Iterator[list[Word]]:
        for node in nodes:
            if node.type in SUBSTITUTIONS:
                yield from self._apart(node)
                continue
            for substitution in descendants(node, *SUBSTITUTIONS):
                yield from self._apart(substitution)

    def _assignment(self, node: Node) -> Iterator[list[Word]]:
        yield from self._substitutions(node)
        self._expander.assign(node)

    def _declaration(self, node: Node) -> Iterator[list[Word]]:
        """`local`, `declare` and the like; only `local` may hide a variable by naming it."""
        flags = "".join(self._source.text(c) for c in node.children if c.type == "word")
        is_local = node.children[0].type == "local"
        for child in node.children:
            if child.type == "variable_assignment":
                yield from self._assignment(child)
                name = child.child_by_field_name("name")
                if re.search(r"-\w*[in]", flags) and name is not None:
                    self._expander.forget(self._source.text(name), child)
            elif child.type == "variable_name" and is_local:
                self._here.variables[self._source.text(child)] = NOT_SET

    def _unset(self, node: Node) -> Iterator[list[Word]]:
        for child in node.children[1:]:
            name, bracket, _ = self._source.text(child).strip("\"'").partition("[")
            if bracket:
                self._expander.forget(name, child)
            else:
                self._here.variables[name] = NOT_SET
        yield from ()

    def _arithmetic_or_block(self, node: Node) -> Iterator[list[Word]]:
        if node.children and node.children[0].type == "((":
            for match in _CHANGED.finditer(self._source.text(node)):
                self._expander.forget(match[1] or match[2], node)
            return
        yield from self._all(node.children)

    def _if(self, node: Node) -> Iterator[list[Word]]:
        """Each branch from what is known before it; its end is one of several."""
        ends: list[Environment] = []
        is_complete = yield from self._branches(node, ends)
        if not is_complete:
            ends.append(self._here)
        self._here = self._joined(ends, node)

    def _branches(self, node: Node, ends: list[Environment]) -> Generator[list[Word], None, bool]:
        """Adds what is known at the end of each branch; returns whether one is surely taken."""
        condition, body, others = parts_of_if(node)
        yield from self._all(condition)
        before = self._here
        self._here = self._copied(before, node)
        yield from self._all(body)
        ends.append(self._here)
        self._here = before
        is_complete = False
        for other in others:
            if other.type == "elif_clause":
                is_complete = yield from self._branches(other, ends)
            else:
                self._here = self._copied(before, node)
                yield from self._all(other.children)
                ends.append(self._here)
                self._here = before
                is_complete = True
        return is_complete

    def _case(self, node: Node) -> Iterator[list[Word]]:
        items = [child for child in node.children if child.type == "case_item"]
        value = node.child_by_field_name("value")
        known = self._known_argument(value)
        if known is not None:
            try:
                items = self._run.cases.first(items, known, self._source)
            except TooMuchWork as error:
                self._run.costs.skip(self._source, node, error)
                known = None
        before, ends = self._here, []
        for item in items:
            self._here = self._copied(before, node)
            yield from self._all(behind(item, ")"))
            ends.append(self._here)
        takes_rest = any(self._run.cases.takes_all(item, self._source) for item in items)
        if not ends or not (takes_rest or known is not None):
            ends.append(before)
        self._here = self._joined(ends, node)

    def _known_argument(self, value: Node | None) -> str | None:
        """The first argument of a function that is followed, where `case` looks at that."""
        arguments = self._here.arguments
        if value is None or not arguments or not arguments[0].sure:
            return None
        if not _FIRST_ARGUMENT.fullmatch(self._source.text(value)) or UNKNOWN in arguments[0].text:
            return None
        return arguments[0].text

    def _for(self, node: Node) -> Iterator[list[Word]]:
        variable, body = node.child_by_field_name("variable"), node.child_by_field_name("body")
        if variable is None or body is None:
            yield from self._all(node.children)
            return
        name = self._source.text(variable)
        values = node.children_by_field_name("value")
        yield from self._substitutions(*(child for child in node.children if child != body))
        words = self._expander.expand_all(values) if values else self._here.arguments
        is_known = words is not None and all(w.sure and UNKNOWN not in w.text for w in words)
        if words and is_known and len(words) <= _MOST_ROUNDS and self._has_room(node):
            for number, word in enumerate(words):
                if number > 0 and not self._has_room(node):
                    break
                self._here.variables[name] = Variable(((word,),))
                yield from self._walk(body)
            return
        self._expander.forget(name, variable)
        yield from self._rounds(node, body.children)

    def _while(self, node: Node) -> Iterator[list[Word]]:
        body = node.child_by_field_name("body")
        condition = [child for child in node.children if child != body]
        if body is not None and self._takes_arguments(condition):
            yield from self._until_no_argument(body)
        else:
            yield from self._rounds(node, node.children)

    def _takes_arguments(self, condition: Sequence[Node]) -> bool:
        """Whether a loop goes through the known arguments of a function that is followed."""
        arguments = self._here.arguments
        if not arguments or not all(word.sure for word in arguments):
            return False
        return any(_ARGUMENTS_LEFT.search(self._source.text(node)) for node in condition)

    def _until_no_argument(self, body: Node) -> Iterator[list[Word]]:
        self._is_broken = False
        for _ in range(_MOST_ROUNDS):
            if not self._here.arguments or self._is_broken or not self._has_room(body):
                break
            yield from self._walk(body)
        self._is_broken = False

    def _rounds(self, node: Node, nodes: Sequence[Node]) -> Iterator[list[Word]]:
        """A loop of which nobody knows how often it runs: what a round sets holds in the next."""
        before = self._here
        self._here = self._copied(before, node)
        if self._has_room(node):
            for _ in self._all(nodes):
                pass
        before = self._joined([before, self._here], node)
        self._here = self._copied(before, node)
        yield from self._all(nodes)
        self._here = self._joined([before, self._here], node)

    def _list(self, node: Node) -> Iterator[list[Word]]:
        """`a && b`, `a || b`: what comes behind `||`, or behind a question, may not happen."""
        operator = next((c.type for c in node.children if c.type in ("&&", "||")), "&&")
        left, right = node.children[0], node.children[-1]
        yield from self._walk(left)
        before = self._here
        if operator == "&&" and not self._is_question(left):
            yield from self._walk(right)
            return
        self._here = self._copied(before, node)
        yield from self._walk(right)
        self._here = self._joined([before, self._here], node)

    def _is_question(self, node: Node) -> bool:
        if node.type == "list":
            return any(self._is_question(part) for part in parts_of_list(node))
        name = node.child_by_field_name("name")
        asks = name is not None and self._source.text(name) in _QUESTIONS
        return asks or node.type in ("test_command", "negated_command", "compound_statement")

    def _redirected(self, node: Node) -> Iterator[list[Word]]:
        body = node.child_by_field_name("body")
        redirects = [child for child in node.children if child.type in REDIRECTS]
        if body is not None and body.type == "command":
            redirects += [child for child in body.children if child.type in REDIRECTS]
            further = [word for redirect in redirects for word in self._behind(redirect)]
            yield from self._command(body, further, redirects)
        elif body is not None:
            yield from self._walk(body)
        yield from self._all(redirects)

    def _behind(self, redirect: Node) -> list[Node]:
        """The arguments behind a redirection, which the grammar takes for further destinations."""
        words = redirect.children_by_field_name("destination")
        return [word for word in words[1:] if self._source.starts_word(word)]

    def _given(self, redirects: Sequence[Node]) -> Word | None:
        """What a command gets to read."""
        for redirect in redirects:
            if redirect.type == "heredoc_redirect":
                return next(iter(self._expander.documents(redirect)), None)
            if redirect.type == "herestring_redirect":
                return next(iter(self._expander.expand(redirect.children[-1])), None)
        return None

    def _here_document(self, node: Node) -> Iterator[list[Word]]:
        """The commands in a here-document, unless it only serves as a comment (`: <<END`)."""
        statement = node.parent.children[0] if node.parent is not None else node
        if statement.type == "command" and not self._is_comment(statement):
            is_shown = self._is_shown(statement, node)
            for document in self._expander.documents(node):
                yield from self._handed_on(document, is_shown=is_shown)
        known = ("heredoc_start", "heredoc_body", "heredoc_end")
        yield from self._all(child for child in node.children if child.type not in known)

    def _is_shown(self, statement: Node, redirect: Node) -> bool:
        """Whether a document is printed for people: `cat <<END` without a file or a pipe."""
        name = statement.child_by_field_name("name")
        siblings = [*(statement.parent.children if statement.parent else ()), *redirect.children]
        leads_on = any(c.type in ("file_redirect", "pipeline", "|") for c in siblings)
        return name is not None and self._source.text(name) == "cat" and not leads_on

    def _here_string(self, node: Node) -> Iterator[list[Word]]:
        """The commands in `<<< "…"`, which a command is given to read."""
        parent = node.parent
        command = parent.child_by_field_name("body") or parent if parent is not None else node
        if not self._is_comment(command):
            for word in self._expander.expand(node.children[-1]):
                yield from self._handed_on(word)

    def _is_comment(self, statement: Node) -> bool:
        name = statement.child_by_field_name("name")
        return name is None or self._source.text(name) in (":", "true", *_SETTERS)

    def _define(self, node: Node) -> Iterator[list[Word]]:
        name = node.child_by_field_name("name")
        body = node.child_by_field_name("body")
        if name is not None and body is not None:
            self._here.functions[self._source.text(name)] = Function(
                body, self._source, local_names(body, self._source)
            )
        yield from ()

    def _plain_command(self, node: Node) -> Iterator[list[Word]]:
        redirects = [child for child in node.children if child.type in REDIRECTS]
        yield from self._command(node, (), redirects)
        yield from self._all(redirects)

    def _command(
        self, node: Node, further: Sequence[Node], redirects: Sequence[Node]
    ) -> Iterator[list[Word]]:
        """A command, once for each program that a variable may name in it."""
        yield from self._substitutions(node)
        arguments = [
            argument
            for argument in arguments_of(node, self._source) + [[piece] for piece in further]
            if not _is_descriptor(argument, redirects)
        ]
        pieces = [p for argument in arguments for p in argument if not isinstance(p, Word)]
        ends = []
        outer = self._here
        for reading in outer.readings(self._expander.names_of_wanted(pieces)):
            self._here = reading
            words = [word for argument in arguments for word in self._expander.expand(*argument)]
            copied = sum(len(word.text) for word in words) // CHARACTERS_A_STEP
            self._run.costs.pool.take(_STEPS_FOR_A_COMMAND + len(words) + copied)
            yield from self._started(node, _without_time(words), redirects)
            ends.append(self._here)
        self._here = ends[0] if len(ends) == 1 else self._joined(ends, node)

    def _started(
        self, node: Node, words: list[Word], redirects: Sequence[Node]
    ) -> Iterator[list[Word]]:
        if not words:
            return
        name = words[0].text
        if name in ("shift", "set"):
            self._change_arguments(words)
        elif name == "break":
            self._is_broken = True
        elif name in ("exit", "return"):
            self._end(node, is_return=name == "return")
        elif name in _SETTERS:
            self._set(node, words, self._given(redirects))
        if name in self._here.functions and self._may_call(node, name):
            yield from self._call(node, name, tuple(words[1:]))
        elif name == "eval" and self._may_call(node, name):
            yield from self._evaluate(words[1:])
        else:
            yield words

    def _end(self, node: Node, *, is_return: bool) -> None:
        """Nothing more happens on this way, unless a function returns from it."""
        if is_return and self._run.returns:
            self._run.returns[-1].append(self._copied(self._here, node))
        self._here.is_over = True

    def _set(self, node: Node, words: Sequence[Word], given: Word | None) -> None:
        """What `read` and its like put into variables: a constant text, or nobody knows what."""
        names = [word.text for word in words[1:] if re.fullmatch(r"[A-Za-z_]\w*", word.text)]
        for name in names:
            self._expander.forget(name, node)
        if given is None or not names or not self._can_take(node, given):
            return
        if words[0].text == "read" and any(word.text == "-d" for word in words):
            self._here.variables[names[-1]] = Variable(((_stripped(given),),))
        elif words[0].text in ("mapfile", "readarray"):
            lines = [given.cut(*m.span()) for m in re.finditer(r"[^\n]+", given.text)]
            self._here.variables[names[-1]] = Variable((tuple(lines),), is_array=True)

    def _can_take(self, node: Node, given: Word) -> bool:
        """Whether there are steps left to put a text, or its lines, into a variable."""
        lines = _STEPS_FOR_A_LINE * given.text.count("\n")
        try:
            self._run.costs.pool.buy(lines + len(given.text) // CHARACTERS_A_STEP)
        except TooMuchWork as error:
            self._run.costs.skip(self._source, node, error)
            return False
        return True

    def _call(self, node: Node, name: str, arguments: tuple[Word, ...]) -> Iterator[list[Word]]:
        function = self._here.functions[name]
        outer = self._copied(self._here, node)
        own = set(function.own)
        for assignment in assigned(node):
            self._expander.assign(assignment)
            own |= {self._source.text(n) for n in assignment.children_by_field_name("name")}
        self._run.called.add(name)
        self._run.calls.append(name)
        self._here.arguments = arguments
        self._run.returns.append([])
        try:
            yield from self._within(function.source, function.body)
        finally:
            self._run.calls.pop()
            returns = self._run.returns.pop()
        self._here = self._joined([self._here, *returns], node)
        self._here.arguments = outer.arguments
        for hidden in own:
            self._here.variables.pop(hidden, None)
            if hidden in outer.variables:
                self._here.variables[hidden] = outer.variables[hidden]

    def _may_call(self, node: Node, name: str) -> bool:
        """Whether a function is followed where it is called."""
        return not self._run.is_deep(name) and self._has_room(node)

    def _has_room(self, node: Node) -> bool:
        """Whether there are steps left for a round or a call, whose own costs this pays."""
        pool = self._run.costs.pool
        pool.take(_STEPS_FOR_A_COMMAND + len(self._here.variables))
        if not pool.has_room():
            self._run.costs.skip(self._source, node, pool.exhausted())
        return pool.has_room()

    def _copied(self, known: Environment, node: Node) -> Environment:
        """What is known before a node that may change it, or nothing where that is too much."""
        pool = self._run.costs.pool
        pool.take((len(known.variables) + len(known.functions)) // _NAMES_A_STEP)
        if pool.has_room():
            return known.copy()
        self._run.costs.skip(self._source, node, pool.exhausted())
        return Environment(functions=known.functions, arguments=known.arguments)

    def _joined(self, ends: Sequence[Environment], node: Node) -> Environment:
        pool = self._run.costs.pool
        whole = joined(ends, pool)
        if not pool.has_room():
            self._run.costs.skip(self._source, node, pool.exhausted())
        most = MOST_WORDS + max(len(end.arguments or ()) for end in ends)
        if len(whole.arguments or ()) > most:
            error = TooMuchWork(f"it leaves more than {MOST_WORDS:,} arguments open")
            self._run.costs.skip(self._source, node, error)
            whole.arguments = None
        return whole

    def _handed_on(self, text: Word, *, is_shown: bool = False) -> Iterator[list[Word]]:
        """The commands of a text that another command is given, if it holds what is wanted."""
        costs = self._run.costs
        if costs.wanted in text.text and costs.can_read(text):
            for words in Script(text.text, text.offsets, costs=costs).commands():
                if not (is_shown and is_sentence(words, costs.wanted)):
                    yield words

    def _within(self, source: Source, node: Node) -> Iterator[list[Word]]:
        """Walk a node of another text, with the variables of this one."""
        outer_source, outer_expander = self._source, self._expander
        self._source, self._expander = (
            source,
            Expander(source, outer_expander.environment, self._run.costs),
        )
        try:
            yield from self._walk(node)
        finally:
            outer_expander.environment = self._here
            self._source, self._expander = outer_source, outer_expander

    def _evaluate(self, words: Sequence[Word]) -> Iterator[list[Word]]:
        """What `eval` makes of its arguments: a script that is read here and now."""
        text = spaced(words)
        if not text.text or not self._run.costs.can_read(text):
            return
        source = Source(without_comments(text.text), text.offsets)
        self._run.calls.append("eval")
        try:
            yield from self._read(source)
        finally:
            self._run.calls.pop()

    def _change_arguments(self, words: Sequence[Word]) -> None:
        if words[0].text == "set":
            dashes = next((n for n, word in enumerate(words) if word.text == "--"), None)
            if dashes is not None:
                self._here.arguments = tuple(words[dashes + 1 :])
            return
        arguments = self._here.arguments
        if arguments is None:
            return
        count = words[1].text if len(words) > 1 else "1"
        if (number := parameters.number(count)) is not None:
            self._here.arguments = arguments[number:]
        else:  # any of them may be left, of which the overrides are of interest
            self._here.arguments = unsure(word for word in arguments if "=" in word.text)


_Walk = Callable[[Script, Node], Iterator[list[Word]]]
_WALKS: dict[str, _Walk] = {
    "variable_assignment": Script._assignment,
    "declaration_command": Script._declaration,
    "unset_command": Script._unset,
    "compound_statement": Script._arithmetic_or_block,
    "function_definition": Script._define,
    "command": Script._plain_command,
    "redirected_statement": Script._redirected,
    "heredoc_redirect": Script._here_document,
    "herestring_redirect": Script._here_string,
    "if_statement": Script._if,
    "case_statement": Script._case,
    "for_statement": Script._for,
    "while_statement": Script._while,
    "c_style_for_statement": Script._while,
    "list": Script._list,
    "pipeline": Script._pipeline,
    "subshell": Script._apart,
    "command_substitution": Script._apart,
    "process_substitution": Script._apart,
}


def _is_descriptor(argument: Sequence[Node | Word], redirects: Sequence[Node]) -> bool:
    """Whether digits that the grammar takes for an argument say what is redirected: `2>&1`.

    It does so behind a line that goes on without a blank before its backslash.
    """
    piece = argument[0]
    if isinstance(piece, Word) or len(argument) > 1 or piece.type != "number":
        return False
    return any(redirect.start_byte == piece.end_byte for redirect in redirects)


def _without_time(words: list[Word]) -> list[Word]:
    """The command that `time` measures."""
    while words and words[0].text == "time":
        words = words[2:] if len(words) > 1 and words[1].text == "-p" else words[1:]
    return words


def spaced(words: Sequence[Word]) -> Word:
    """One text of several words, with blanks between them."""
    parts: list[Word] = []
    for word in words:
        if parts and parts[-1].offsets:
            parts.append(Word(" ", parts[-1].offsets[-1:]))
        if word.text:
            parts.append(word)
    return concatenated(parts)


def _stripped(word: Word) -> Word:
    text = word.text
    return word.cut(len(text) - len(text.lstrip()), len(text.rstrip()))


def is_sentence(words: Sequence[Word], name: str) -> bool:
    """Whether words that hold the name of a program are a text about it: other words follow."""
    names = [number for number, word in enumerate(words) if name in word.text]
    rest = words[names[0] + 1 :] if names else ()
    return any(
        "=" not in word.text and not word.text.startswith("-") and UNKNOWN not in word.text
        for word in rest
    )
