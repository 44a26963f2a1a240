"""Commands: their words, and what calls to functions, `eval`, `shift` and `exit` do."""

from __future__ import annotations

import re
from collections.abc import Sequence

from snippet_checker.shell import parameters
from snippet_checker.shell.arguments import arguments_of
from snippet_checker.shell.costs import CHARACTERS_A_STEP
from snippet_checker.shell.grammar import REDIRECTS, assigned, local_names, without_comments
from snippet_checker.shell.here_documents import given_by
from snippet_checker.shell.node import Node
from snippet_checker.shell.setters import SETTERS, set_by_command, set_by_file
from snippet_checker.shell.source import Source
from snippet_checker.shell.variables import Function, Variable
from snippet_checker.shell.walk import MOST_ROUNDS, STEPS_FOR_A_COMMAND, Commands, Walk
from snippet_checker.text.words import Word, replaced, spaced, unsure

_ALIAS = "alias "  # before the name of one: no variable has a blank in its name
_PLAIN_TEXT = re.compile(r"[^\\'\"$`;&|<>()#*?~]*")
_REPLACES = re.compile(r"-[Ii]")  # an option of xargs: what stands for a line


def read_definition(walk: Walk, node: Node) -> Commands:
    """A function is followed where it is called."""
    name = node.child_by_field_name("name")
    body = node.child_by_field_name("body")
    if name is not None and body is not None:
        walk.here.functions[walk.source.text(name)] = Function(
            body, walk.source, local_names(body, walk.source)
        )
    yield from ()


def read_command(walk: Walk, node: Node) -> Commands:
    redirects = [child for child in node.children if child.type in REDIRECTS]
    yield from _command(walk, node, (), redirects)
    yield from walk.over_all(redirects)


def read_redirected(walk: Walk, node: Node) -> Commands:
    """A command with its redirections around it."""
    body = node.child_by_field_name("body")
    redirects = [child for child in node.children if child.type in REDIRECTS]
    if body is not None and body.type == "command":
        redirects += [child for child in body.children if child.type in REDIRECTS]
        further = [word for redirect in redirects for word in _behind(walk, redirect)]
        yield from _command(walk, body, further, redirects)
    elif body is not None:
        yield from walk.over(body)
    yield from walk.over_all(redirects)


def _behind(walk: Walk, redirect: Node) -> list[Node]:
    """The arguments behind a redirection, which the grammar takes for further destinations."""
    words = redirect.children_by_field_name("destination")
    return [word for word in words[1:] if walk.source.starts_word(word)]


def _command(
    walk: Walk, node: Node, further: Sequence[Node], redirects: Sequence[Node]
) -> Commands:
    """A command, once for each program that a variable may name in it."""
    for assignment in _statements_before(walk, node):
        walk.expander.calculated.clear()
        walk.assign(assignment)
    yield from walk.substitutions(node)
    arguments = [
        argument
        for argument in arguments_of(node, walk.source) + [[piece] for piece in further]
        if not _is_descriptor(argument, redirects)
    ]
    pieces = [p for argument in arguments for p in argument if not isinstance(p, Word)]
    ends = []
    outer = walk.here
    for reading in outer.readings(walk.expander.names_of_wanted(pieces)):
        walk.here = reading
        words = [word for argument in arguments for word in walk.expander.expand(*argument)]
        copied = sum(len(word.text) for word in words) // CHARACTERS_A_STEP
        walk.run.costs.budget.count(STEPS_FOR_A_COMMAND + len(words) + copied)
        yield from _started(walk, node, _without_time(words), redirects)
        ends.append(walk.here)
    walk.here = ends[0] if len(ends) == 1 else walk.joined(ends, node)


def _statements_before(walk: Walk, node: Node) -> list[Node]:
    """The assignments on a line of their own, which the grammar takes for a part of the next line.

    It does so where there are several of them: `A=1 B=2`.
    """
    assignments = assigned(node)
    last = 0
    for number, assignment in enumerate(assignments, 1):
        if walk.source.ends_line(assignment.end_byte):
            last = number
    return assignments[:last]


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


def _started(walk: Walk, node: Node, words: list[Word], redirects: Sequence[Node]) -> Commands:
    """What a command does to the shell, and the words of what it starts."""
    if not words:
        return
    words = _without_alias(walk, words)
    name = words[0].text
    if name == "alias":
        words = _name_commands(walk, node, words)
    elif name in ("shift", "set"):
        _change_arguments(walk, words)
    elif name == "break":
        walk.is_broken = True
    elif name in ("exit", "return"):
        _end(walk, node, is_return=name == "return")
    elif name in SETTERS:
        set_by_command(walk, node, words, given_by(walk, redirects))
    elif name in ("source", "."):
        set_by_file(walk, node)
    if name in walk.here.functions and _may_call(walk, node, name):
        yield from _call(walk, node, name, tuple(words[1:]))
    elif name == "eval" and _may_call(walk, node, name):
        yield from _evaluate(walk, words[1:])
    else:
        yield _with_input(words, given_by(walk, redirects)) if name == "xargs" else words


def _name_commands(walk: Walk, node: Node, words: Sequence[Word]) -> list[Word]:
    """`alias NAME=TEXT`: the words of the text stand for the name, where they are plain.

    Returns the command without the aliases that the script goes on to use.
    """
    kept: list[Word] = [words[0]]
    for word in words[1:]:
        name, equals, text = word.text.partition("=")
        is_plain = equals != "" and _PLAIN_TEXT.fullmatch(text) is not None
        if is_plain:
            value = word.cut(len(name) + 1)
            parts = tuple(value.cut(*part.span()) for part in re.finditer(r"\S+", text))
            walk.here.variables[f"{_ALIAS}{name}"] = Variable((parts,), is_array=True)
        if not (is_plain and walk.source.names_behind(name, node.end_byte)):
            kept.append(word)
    return kept


def _without_alias(walk: Walk, words: list[Word]) -> list[Word]:
    """A command with what its name stands for; a function of that name comes first."""
    name = words[0].text
    known = walk.here.variables.get(f"{_ALIAS}{name}")
    if known is None or not known.is_certain or name in walk.here.functions:
        return words
    return [*known.values[0], *words[1:]]


def _with_input(words: list[Word], given: Word | None) -> list[Word]:
    """The command of xargs with the words that it is given to read, where they are plain."""
    if given is None or not _PLAIN_TEXT.fullmatch(given.text) or not given.text.strip():
        return words
    place = next((n for n, word in enumerate(words) if _REPLACES.match(word.text)), None)
    if place is None:
        further = [given.cut(*part.span()) for part in re.finditer(r"\S+", given.text)]
        return words + further if len(further) <= MOST_ROUNDS else words
    if "\n" in given.text:  # a command for each line
        return words
    own = words[place].text[2:]  # `-I{}`, or `-I {}`
    behind = words[place + (1 if own else 2) :]
    sign = own or "".join(word.text for word in words[place + 1 : place + 2])
    if not sign:
        return words
    signs = re.compile(re.escape(sign))
    rest = [replaced(word, signs.finditer(word.text), lambda _: given) for word in behind]
    return [*words[: len(words) - len(behind)], *rest]


def _end(walk: Walk, node: Node, *, is_return: bool) -> None:
    """Nothing more happens on this way, unless a function returns from it."""
    if is_return and walk.run.returns:
        walk.run.returns[-1].append(walk.copied(walk.here, node))
    walk.here.is_over = True


def _may_call(walk: Walk, node: Node, name: str) -> bool:
    """Whether a function is followed where it is called."""
    return not walk.run.is_deep(name) and walk.has_room(node)


def _call(walk: Walk, node: Node, name: str, arguments: tuple[Word, ...]) -> Commands:
    function = walk.here.functions[name]
    outer = walk.copied(walk.here, node)
    own = set(function.own)
    for assignment in assigned(node):
        walk.assign(assignment)
        own |= {walk.source.text(n) for n in assignment.children_by_field_name("name")}
    walk.run.called.add(name)
    walk.run.calls.append(name)
    walk.here.arguments = arguments
    walk.run.returns.append([])
    try:
        yield from walk.within(function.source, function.body)
    finally:
        walk.run.calls.pop()
        returns = walk.run.returns.pop()
    walk.here = walk.joined([walk.here, *returns], node)
    walk.here.arguments = outer.arguments
    for hidden in own:
        walk.here.variables.pop(hidden, None)
        if hidden in outer.variables:
            walk.here.variables[hidden] = outer.variables[hidden]


def _evaluate(walk: Walk, words: Sequence[Word]) -> Commands:
    """What `eval` makes of its arguments: a script that is read here and now."""
    text = spaced(words)
    if not text.text or not walk.run.costs.can_read(text):
        return
    source = Source(without_comments(text.text), text.offsets)
    walk.run.calls.append("eval")
    try:
        yield from walk.read(source)
    finally:
        walk.run.calls.pop()


def _change_arguments(walk: Walk, words: Sequence[Word]) -> None:
    """What `set -- …` and `shift` make of the arguments."""
    if words[0].text == "set":
        dashes = next((n for n, word in enumerate(words) if word.text == "--"), None)
        if dashes is not None:
            walk.here.arguments = tuple(words[dashes + 1 :])
        return
    arguments = walk.here.arguments
    if arguments is None:
        return
    count = words[1].text if len(words) > 1 else "1"
    if (number := parameters.number(count)) is not None:
        walk.here.arguments = arguments[number:]
    else:  # any of them may be left, of which the overrides are of interest
        walk.here.arguments = unsure(word for word in arguments if "=" in word.text)
