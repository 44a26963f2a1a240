"""Commands that set variables: assignments, `local`, `declare`, `unset`, arithmetic, and `read`."""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec.structs import replace

from snippet_checker.shell.costs import CHARACTERS_A_STEP
from snippet_checker.shell.grammar import assigned
from snippet_checker.shell.node import Node
from snippet_checker.shell.printing import formatted
from snippet_checker.shell.variables import NOT_SET, Variable
from snippet_checker.shell.walk import Commands, Walk
from snippet_checker.text.words import UNKNOWN, Word
from snippet_checker.work import TooMuchWork

SETTERS = frozenset({"read", "mapfile", "readarray", "let", "printf", "getopts"})
"""Commands that set variables."""

_STEPS_FOR_A_LINE = 3
_FEWEST_WORDS = 4  # of `printf -v NAME FORMAT`


def read_assignment(walk: Walk, node: Node) -> Commands:
    yield from walk.substitutions(node)
    walk.assign(node)
    _keep_list(walk, node)


def _keep_list(walk: Walk, node: Node) -> None:
    """Keep the elements of an array that the script itself hands to nothing."""
    name, value = node.child_by_field_name("name"), node.child_by_field_name("value")
    if name is None or value is None or value.type != "array" or walk.run.used is None:
        return
    place = walk.source.at(node.start_byte)
    if walk.source.text(name) not in walk.run.used and place not in walk.run.lists:
        walk.run.lists[place] = tuple(walk.expander.expand_all(value.children[1:-1]))


def read_declaration(walk: Walk, node: Node) -> Commands:
    """`local`, `declare` and the like; only `local` may hide a variable by naming it."""
    flags = "".join(walk.source.text(c) for c in node.children if c.type == "word")
    is_local = node.children[0].type == "local"
    is_integer = re.search(r"-\w*i", flags) is not None
    is_own = node.children[0].type in ("declare", "typeset") and walk.run.calls != []
    hides = is_local or (is_own and "g" not in flags)
    later: dict[str, Variable] = {}
    for child in node.children:
        name = child.child_by_field_name("name") or child
        if is_integer or hides:
            _make_integer(walk, name, is_integer=is_integer)
        if child.type == "variable_assignment":
            before = walk.here.variables.get(walk.source.text(name))
            yield from read_assignment(walk, child)
            if re.search(r"-\w*n", flags):
                walk.forget(walk.source.text(name), child)
            elif _is_plain(child) and not is_integer:
                later |= _taken_back(walk, walk.source.text(name), before)
        elif child.type == "variable_name" and is_local:
            walk.here.variables[walk.source.text(child)] = replace(NOT_SET, is_integer=is_integer)
        elif child.type == "variable_name" and re.search(r"-\w*[aA]", flags):
            walk.here.variables.setdefault(walk.source.text(child), NOT_SET)
    walk.here.variables.update(later)


def _is_plain(assignment: Node) -> bool:
    """Whether it is `NAME=TEXT`, which a declaration sets when all of its words are expanded.

    The elements of an array are set on the way.
    """
    name, value = (assignment.child_by_field_name(field) for field in ("name", "value"))
    is_array = value is not None and value.type == "array"
    appends = any(child.type == "+=" for child in assignment.children)
    return name is not None and name.type == "variable_name" and not is_array and not appends


def _taken_back(walk: Walk, name: str, before: Variable | None) -> dict[str, Variable]:
    """What a variable is set to, after the variable got back what it had before."""
    found = walk.here.variables.pop(name)
    if before is not None:
        walk.here.variables[name] = before
    return {name: found}


def _make_integer(walk: Walk, name: Node, *, is_integer: bool) -> None:
    """Whether what is assigned to a variable from here on is calculated."""
    key = walk.source.text(name)
    before = walk.here.variables.get(key)
    if name.type != "variable_name" or (before is None and not is_integer):
        return
    if before is None:
        walk.forget(key, name)
    known = walk.here.variables[key]
    walk.here.variables[key] = replace(known, is_integer=is_integer and not known.is_array)


def read_unset(walk: Walk, node: Node) -> Commands:
    for child in node.children[1:]:
        name, bracket, _ = walk.source.text(child).strip("\"'").partition("[")
        if bracket:
            walk.forget(name, child)
        else:
            walk.here.variables[name] = NOT_SET
    yield from ()


def read_arithmetic_or_block(walk: Walk, node: Node) -> Commands:
    """`((…))`, which may change variables, or `{ …; }`."""
    if node.children and node.children[0].type == "((":
        walk.calculate(node)
        return
    yield from walk.over_all(node.children)


def set_by_file(walk: Walk, node: Node) -> None:
    """What a file that is sourced may put into the variables that were set to nothing before."""
    if not walk.has_room(node):
        return
    for name, variable in list(walk.here.variables.items()):
        if not variable.is_array and all(map(_is_empty, variable.values)):
            walk.forget(name, node)


def _is_empty(value: tuple[Word, ...]) -> bool:
    return value != () and not any(word.text for word in value)


def set_by_command(walk: Walk, node: Node, words: Sequence[Word], given: Word | None) -> None:
    """What `read` and its like put into variables: a constant text, or nobody knows what."""
    if words[0].text == "let":
        for word in words[1:]:
            walk.calculate(node, word if word.sure else walk.source.unknown(node))
        return
    if words[0].text == "printf":
        _print_into(walk, node, words)
        return
    names = [word.text for word in words[1:] if re.fullmatch(r"[A-Za-z_]\w*", word.text)]
    for name in names:
        walk.forget(name, node)
    if given is None or not names or not _can_take(walk, node, given):
        return
    if words[0].text == "read" and any(word.text == "-d" for word in words):
        walk.here.variables[names[-1]] = Variable(((given.stripped(),),))
    elif words[0].text in ("mapfile", "readarray"):
        lines = [given.cut(*m.span()) for m in re.finditer(r"[^\n]+", given.text)]
        walk.here.variables[names[-1]] = Variable((tuple(lines),), is_array=True)
    elif words[0].text == "read":
        read_line(walk, node, words, given)


def _print_into(walk: Walk, node: Node, words: Sequence[Word]) -> None:
    """`printf -v NAME FORMAT …` sets a variable to what it would print."""
    if len(words) < _FEWEST_WORDS or words[1].text != "-v":
        return
    text = formatted(words[3:]) if all(word.sure for word in words) else None
    if text is None or not re.fullmatch(r"[A-Za-z_]\w*", words[2].text):
        walk.forget(words[2].text.partition("[")[0], node)
    else:
        walk.here.variables[words[2].text] = Variable(((text,),))


def read_line(walk: Walk, node: Node, words: Sequence[Word], given: Word) -> None:
    """What `read` makes of the first line of a text: one variable, several, or an array."""
    line = given.cut(0, len(given.text.partition("\n")[0]))
    flags, names = _options_of_read(words[1:])
    separators = _separators(walk, node)
    is_escaped = "\\" in line.text and "r" not in flags
    if separators is None or is_escaped or UNKNOWN in line.text or flags.strip("rasep"):
        return
    blanks = "".join(filter(str.isspace, separators))
    text = line.text.strip(blanks) if blanks else line.text
    start = line.text.find(text)
    pieces = re.compile(rf"[^{re.escape(separators)}]+") if separators else re.compile(r".+")
    found = [match.span() for match in pieces.finditer(line.text)]
    if "a" in flags and names:
        fields = tuple(line.cut(*span) for span in found)
        walk.here.variables[names[0]] = Variable((fields,), is_array=True)
        return
    for number, name in enumerate(names):
        is_last = number == len(names) - 1
        if number >= len(found):
            value = line.cut(0, 0)
        elif is_last:
            value = line.cut(found[number][0] if number else start, start + len(text))
        else:
            value = line.cut(*found[number])
        walk.here.variables[name] = Variable(((value,),))


def _options_of_read(words: Sequence[Word]) -> tuple[str, list[str]]:
    """The letters of the options of `read`, and the names that it sets."""
    flags = ""
    names: list[str] = []
    waiting = False
    for word in words:
        if waiting:
            waiting = False
        elif word.text.startswith("-") and not names:
            flags += word.text[1:]
            waiting = word.text[-1:] in "pdintNu"
        else:
            names.append(word.text)
    return flags, names


def _separators(walk: Walk, node: Node) -> str | None:
    """The characters at which `read` splits; None where only the launch tells."""
    own = [one for one in assigned(node) if walk.source.text(one).startswith("IFS=")]
    if own:
        value = own[-1].child_by_field_name("value")
        words = walk.expander.expand(value) if value is not None else []
        return "".join(word.text for word in words)
    known = walk.here.variables.get("IFS")
    if known is None:
        return " \t\n"
    return "".join(word.text for word in known.values[0]) if known.is_certain else None


def _can_take(walk: Walk, node: Node, given: Word) -> bool:
    """Whether there are steps left to put a text, or its lines, into a variable."""
    lines = _STEPS_FOR_A_LINE * given.text.count("\n")
    try:
        walk.run.costs.budget.reserve(lines + len(given.text) // CHARACTERS_A_STEP)
    except TooMuchWork as error:
        walk.skip(node, error)
        return False
    return True
