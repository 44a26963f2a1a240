"""Python -> settings: assignments to a config object, override strings, and commands."""

from __future__ import annotations

import posixpath
import re
import sys
from bisect import bisect_right
from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from snippet_checker.documents.block import Block, BlockKind
from snippet_checker.hydra.setting import Operator, Setting
from snippet_checker.snippets import (
    commands,
    launch,
    literals,
    overrides,
    python_code,
    python_strings,
    unreadable,
)
from snippet_checker.snippets.python_program import BuiltArguments, Composed, Pair, PythonProgram
from snippet_checker.snippets.python_strings import lists
from snippet_checker.snippets.recipes import logical_lines
from snippet_checker.snippets.snippet import Command, Fragment, Snippet
from snippet_checker.text import python_tree
from snippet_checker.text.lines import line_starts
from snippet_checker.text.words import UNKNOWN, Word
from snippet_checker.verl.release import is_verls_program, load, newest
from snippet_checker.work import Work

_SHARED = re.compile(r"[+~]{0,2}actor_rollout_ref\.[\w.]+=")

_NEXT_OVERRIDE = re.compile(rf"(?<!\s)\s++(?={launch.OVERRIDE_START})", re.ASCII)
_FEWEST = 3  # overrides that say of a list, or of a text, that a program gets them

_NAME = r"(?:\w+\.)*(?:config|cfg|conf)"
_ASSIGNMENT = re.compile(
    r"^[^\S\n]*(?P<target>\w+(?:\.\w+|\[([\"'])[\w.]+\2\])+)\s*=(?!=)[ \t]*"
    r"(?P<value>[^\n#]*)",
    re.MULTILINE,
)
_CONFIG = re.compile(rf"{_NAME}(?=[.\[])")
_WORKERS = re.compile(r"self\.config\.(?:actor|model|ref|rollout)\b")
_PATH_IN_CONFIG = re.compile(r"(?:\.[A-Za-z_]\w*|\[([\"'])[\w.]+\1\])+")
_LOADED = re.compile(
    rf"(?m)^[^\S\n]*{_NAME}[ \t]*=[ \t]*OmegaConf\.load\(\s*"
    r"[fr]?([\"'])(?P<path>[^\"'\n]+)\1"
)
_UPDATE = re.compile(
    rf"OmegaConf\.update\(\s*{_NAME}\s*,\s*([\"'])(?P<path>[\w.]+)\1\s*,\s*"
    r"(?:value\s*=\s*)?(?P<value>[\"'][^\"']*[\"']|[^\s,()]+(?:\([^()]*\))?)(?P<more>[^)\n]*)"
)
_SHELL_LINE = re.compile(r"^[^\S\n]*[+~]{0,2}[a-z_]\w*(?:\.\w+)+=\S+[ \t]+\\$", re.MULTILINE)
_ADDS_KEYS = re.compile(r"open_dict\(|set_struct\([^)]*False\)")
_PATH = re.compile(r"[A-Za-z_].*\w", re.DOTALL)


def read(block: Block, work: Work) -> Iterator[Snippet]:
    """The commands that the code starts, and one snippet of everything else that it sets."""
    if block.whole_file:
        yield from _read_file(block, work)
        return
    if _SHELL_LINE.search(block.text):
        yield from commands.read(block, work)  # tagged as Python by mistake
        return
    program = python_code.read(block.text, work.following)
    loose: list[Word] = []
    # Half of a program, as documents show it, does not parse.
    made_here = map(BuiltArguments, lists(block.text)) if program is None else program.made
    for made in made_here:
        if not made.is_part:
            yield from _commands(block, made, work, loose)
    found = overrides.read(block, loose, work)
    settings = (*_assigned(block), *found.settings)
    if settings or found.faults:
        span = block.span(0, len(block.text))
        yield Fragment(block, span, settings=settings, faults=found.faults)


def _commands(
    block: Block, made: BuiltArguments, work: Work, loose: list[Word]
) -> Iterator[Snippet]:
    """The commands of a list or a string; overrides without one are added to `loose`."""
    program = launch.program(made.words) if not made.is_text else None
    if program is not None:
        yield launch.read(block, program, work, through_shell=False)
        return
    for word in [made.word] if made.is_text else made.words:
        if launch.starts_program(word.text):
            yield from commands.read_word(block, word, work)
        else:
            loose += _split(word.stripped())


def _split(word: Word) -> Iterator[Word]:
    """The overrides of a string that holds several, and is split into words later."""
    if not launch.is_override(word.text):
        return
    start = 0
    for blanks in _NEXT_OVERRIDE.finditer(word.text):
        yield word.cut(start, blanks.start())
        start = blanks.end()
    yield word.cut(start, len(word.text.rstrip()))


def _read_file(block: Block, work: Work) -> Iterator[Snippet]:
    """The commands of a program, and what it does to configs of verl's that it composes.

    Most programs have other things in mind: nothing else of a program is read.
    """
    if len(block.text) > python_code.MOST_CHARACTERS:
        most = f"a program has no more than {python_code.MOST_CHARACTERS:,} characters"
        yield unreadable.too_much(block, block.span(0, 1), most)
        return
    yield from _shown(block, python_strings.comments(block.text), work)
    program = python_code.read(block.text, work.following)
    if program is None:
        yield from _broken(block, work)
    else:
        yield from _of_program(block, program, work)


def read_program(block: Block, work: Work) -> Iterator[Snippet]:
    """The snippets of a program inside of another text, which may not be all of it."""
    short = len(block.text) <= python_code.MOST_CHARACTERS
    program = python_code.read(block.text, work.following) if short else None
    if program is not None:
        yield from _of_program(block, program, work)


def _of_program(block: Block, program: PythonProgram, work: Work) -> Iterator[Snippet]:
    loose: list[Word] = []
    starts_verl = bool(program.composed)
    for made in program.made:
        if made.is_prose:
            yield from _shown(block, [made.word], work)
        elif not made.is_part and _is_ours(made):
            whole = replace(block, kind=BlockKind.TEXT, whole_file=False) if made.is_text else block
            found = list(_commands(whole, made, work, loose))
            starts_verl = starts_verl or bool(found) or _sets_enough(made)
            yield from found
    for composed in program.composed:
        yield _composed(block, program, composed, work)
    if starts_verl and loose:
        yield overrides.fragment(block, loose, work)


def _broken(block: Block, work: Work) -> Iterator[Snippet]:
    """What is wrong with a program that does not parse."""
    line = python_tree.broken_line(block.text)
    if line is None:
        yield from unreadable.read_nested(block, work)
        return
    starts = line_starts(block.text)[:-1]
    place = min(starts[min(line, len(starts)) - 1], max(len(block.text) - 1, 0))
    # A newer Python may know what this one does not.
    language = f"Python {sys.version_info.major}.{sys.version_info.minor}"
    message = f"this is not valid {language}, so nothing of its code is checked"
    yield unreadable.refused(block, block.span(place, place + 1), message)


def _is_ours(made: BuiltArguments) -> bool:
    """Whether words start a program of verl's, or set what only verl has."""
    if made.is_text:
        return launch.starts_program(made.word.text) or _sets_enough(made)
    program = launch.program(made.words)
    if program is not None and is_verls_program(program.entry.text):
        return True
    if program is None and not all(_is_open_or_override(word) for word in made.words):
        return any(launch.starts_program(word.text) for word in made.words)
    return any(_sets_verls_part(word.text) for word in made.words)


def _sets_enough(made: BuiltArguments) -> bool:
    """Whether nothing but overrides is put together, some of them, and one that only verl has."""
    texts = made.word.text.split() if made.is_text else [word.text for word in made.words]
    given = [text for text in texts if launch.is_override(text)]
    if len(given) < _FEWEST or not any(map(_sets_verls_part, given)):
        return False
    return all(text.startswith(UNKNOWN) for text in texts if text not in given)


def _sets_verls_part(text: str) -> bool:
    """Whether an override sets what no other trainer has."""
    return _SHARED.match(text) is not None


def _is_open_or_override(word: Word) -> bool:
    return word.text.startswith(UNKNOWN) or launch.is_override(word.text)


def _shown(block: Block, texts: Iterable[Word], work: Work) -> Iterator[Snippet]:
    """The commands on lines of text that people read; nobody promised that all of it is one."""
    prose = replace(block, kind=BlockKind.TEXT, whole_file=False)
    for text in texts:
        if not launch.starts_program(text.text):
            continue
        for start, end in logical_lines(text.text):
            if launch.starts_program(text.text[start:end]):
                found = commands.read_word(prose, text.cut(start, end), work)
                yield from (snippet for snippet in found if isinstance(snippet, Command))


def _composed(block: Block, program: PythonProgram, composed: Composed, work: Work) -> Fragment:
    """A config of verl's, with the overrides and what is assigned to it further down."""
    given = [w for w in composed.overrides.words if "=" in w.text or w.text.startswith("~")]
    found = overrides.read(block, given, work)
    merged = (_merged(block, pair) for pair in composed.pairs if "." in pair.key)
    settings = (*found.settings, *merged)
    if composed.variable is not None:
        starts = line_starts(block.text)
        assigned = _assignments(block, composed.variable)
        settings += tuple(
            setting
            for place, setting in assigned
            if program.holds(composed, bisect_right(starts, place))
        )
    span = settings[0].span if settings else block.span(0, 0)
    return Fragment(block, span, composed.config, settings, found.unparsed, found.faults)


def _merged(block: Block, pair: Pair) -> Setting:
    value = literals.read(block.text[pair.start : pair.end])
    places = pair.word.span(block), block.span(pair.start, pair.end)
    return Setting(pair.key, Operator.SET, value, *places)


def _assigned(block: Block) -> Iterator[Setting]:
    """What is assigned below a name such as `config`, and what `OmegaConf.update` sets.

    A config that is loaded from a file of another name than verl's is somebody's own.
    """
    if any(not _is_verls(one["path"]) for one in _LOADED.finditer(block.text)):
        return
    adds_keys = _ADDS_KEYS.search(block.text) is not None
    yield from (setting for _, setting in _assignments(block))
    for match in _UPDATE.finditer(block.text):
        forced = adds_keys or "force_add=True" in match["more"]
        yield from _setting(block, match, match.span("path"), forced=forced)


def _is_verls(path: str) -> bool:
    """Whether a config file is called like one that verl's programs start from."""
    name = posixpath.basename(path).removesuffix(".yaml")
    return any(one.config_name == name for one in load(newest()).primaries)


def _assignments(block: Block, variable: str | None = None) -> Iterator[tuple[int, Setting]]:
    """What is assigned below a variable, or a name like `config`, and where it is assigned."""
    adds_keys = _ADDS_KEYS.search(block.text) is not None
    for match in _ASSIGNMENT.finditer(block.text):
        end = _end_of_config(match["target"], variable)
        if end and _PATH_IN_CONFIG.fullmatch(match["target"], end):
            if _WORKERS.match(match["target"]):
                continue  # a worker is handed that part of the config alone
            place = match.start("target") + end, match.end("target")
            for setting in _setting(block, match, place, forced=adds_keys):
                yield match.start("target"), setting


def _end_of_config(target: str, variable: str | None) -> int:
    """Where the name of a config ends that something is assigned below; 0 for other names."""
    if variable is not None:
        return len(variable) if target.startswith((f"{variable}.", f"{variable}[")) else 0
    config = _CONFIG.match(target)
    return config.end() if config is not None else 0


def _setting(
    block: Block, match: re.Match[str], place: tuple[int, int], *, forced: bool
) -> Iterator[Setting]:
    path = _PATH.search(block.text, *place)
    key = ".".join(re.findall(r"\w+", block.text[slice(*place)]))
    if path is None or "." not in key:
        return
    start = match.start("value")
    yield Setting(
        key,
        Operator.FORCE if forced else Operator.SET,
        literals.read(match["value"]),
        block.span(*path.span()),
        block.span(start, start + len(match["value"].rstrip())),
    )
