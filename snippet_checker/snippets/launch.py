"""A command's words -> the snippet of the program that it starts, as Hydra gets them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from msgspec import Struct

from snippet_checker.documents.block import Block, BlockKind
from snippet_checker.hydra import arguments as hydra_arguments
from snippet_checker.hydra import override
from snippet_checker.hydra.arguments import Arguments
from snippet_checker.hydra.setting import Setting
from snippet_checker.snippets import overrides, quoting, repeated
from snippet_checker.snippets.snippet import Command, Fault, FaultKind, Fragment, Mention
from snippet_checker.text.places import Span
from snippet_checker.text.words import UNKNOWN, Word
from snippet_checker.verl.history import takes_no_overrides
from snippet_checker.verl.release import is_verls_program
from snippet_checker.work import Work

OVERRIDE_START = r"(?:[+~]{1,2})?[A-Za-z_][\w-]*(?:\.[\w-]+)+(?:@[\w.]+)?="
"""How an override of a key with a parent begins, which few other words do."""

_OVERRIDE = re.compile(OVERRIDE_START, re.ASCII)
_SEVERAL = re.compile(rf"\s{OVERRIDE_START}", re.ASCII)  # that a program takes apart itself
_ANY_OVERRIDE = re.compile(r"[+~]{0,2}[A-Za-z_][\w./-]*(?:@[\w.]+)?=|~[A-Za-z_]", re.ASCII)
_LAUNCHER = re.compile(
    rf"(?:.*[/{UNKNOWN}])?(?:python[\d.]*(?:\.sh)?|torchrun|accelerate|deepspeed|pypy\d*)"
)
_SWITCHES = quoting.MODULE_FLAGS.union(
    ("--no-python", "--no_python", "--run-path", "--run_path", "--standalone")
)
"""Options of torchrun, and of what is built as it is, that take no value."""
_JOINED_MODULE = re.compile(r"-m[A-Za-z_]\w*(?:\.\w+)+")
_ELISIONS = frozenset({"...", "......", "…", "……"})
_PROGRAM_IN_TEXT = re.compile(
    r"\s(?:-m\s*verl\.\S*\w|\S*verl/\S+\.py)(?!\S)(?!\s+[A-Za-z]+[.,:;]?(?:\s|$))"
)
_OVERRIDE_IN_TEXT = re.compile(r"~|[^=]+=")
_WITHOUT_OVERRIDES = ("version", "shell_completion", "experimental_rerun")
_EMPTY_ARGUMENT = re.compile(r"[\"']?\s(?:\s|\\\n){0,200}(?P<written>[\"'$]\S*)")


def is_override(text: str) -> bool:
    """Whether a word begins as an override of a key with a parent does."""
    return _OVERRIDE.match(text) is not None


def starts_program(text: str) -> bool:
    """Whether a text is a script that starts a program of verl's, and not prose that names one."""
    return _PROGRAM_IN_TEXT.search(text) is not None


class LaunchedProgram(Struct, frozen=True):
    """The word that names the Python module or file which a command runs, and what follows."""

    entry: Word
    arguments: Sequence[Word]


def program(words: Sequence[Word]) -> LaunchedProgram | None:
    """What Python program a command runs, if it runs one."""
    words = [part for word in words for part in _separated(word)]
    number = _program(words)
    return LaunchedProgram(words[number], words[number + 1 :]) if number is not None else None


def _separated(word: Word) -> tuple[Word, ...]:
    """`-mverl.trainer.main_ppo` as Python reads it: a flag and its value."""
    joined = _JOINED_MODULE.fullmatch(word.text) is not None
    return (word.cut(0, 2), word.cut(2)) if joined else (word,)


def _program(words: Sequence[Word]) -> int | None:
    """Which word names the Python module or file that the command runs."""
    flags = (n for n, word in enumerate(words[:-1]) if word.text in quoting.MODULE_FLAGS)
    first = _first_arguments(words)
    modules = dict.fromkeys(first[flag + 1] for flag in flags)
    for number in modules:
        if is_verls_program(words[number].text):
            return number
    launcher = next((n for n in range(len(words)) if _is_launcher(words, n)), None)
    if launcher is None and words and words[0].text in quoting.MODULE_FLAGS:
        launcher = 0  # data says elsewhere that Python gets the arguments
    if launcher is None:
        return None
    for number, word in enumerate(words[launcher + 1 :], launcher + 1):
        is_file = word.text.endswith(".py") and "=" not in word.text
        is_module = number in modules and re.fullmatch(r"[A-Za-z_][\w.]*", word.text) is not None
        if is_file or (is_module and not word.text.startswith("torch.distributed")):
            return number
    return _open_program(words, launcher)


def _open_program(words: Sequence[Word], launcher: int) -> int | None:
    """Which word stands for a program that is known at launch only: `python $MAIN a.b=c`."""
    behind = range(launcher + 1, len(words))
    if not any(is_override(words[n].text) for n in behind):
        return None
    first = next(n for n in behind if _ANY_OVERRIDE.match(words[n].text)) - 1
    return first if first > launcher and words[first].text == UNKNOWN else None


def _first_arguments(words: Sequence[Word]) -> list[int]:
    """The first word from each one on that is no option: the `-m` of torchrun is a switch."""
    last = len(words) - 1
    found = list(range(len(words)))
    for number in range(last - 1, -1, -1):
        text = words[number].text
        if text.startswith("-"):
            taken = 1 if "=" in text or text in _SWITCHES else 2
            found[number] = found[min(number + taken, last)]
    return found


def _is_launcher(words: Sequence[Word], number: int) -> bool:
    """Whether a word is the name of Python or the like, or is to be: `$PYTHON -m mine.main`."""
    word = words[number].text
    is_open = word == UNKNOWN and [next_.text for next_ in words[number + 1 : number + 2]] == ["-m"]
    return is_open or _LAUNCHER.fullmatch(word) is not None


def read(
    block: Block, program: LaunchedProgram, work: Work, *, through_shell: bool = True
) -> Command | Fragment:
    """The snippet of a command, which a shell may have read before."""
    entry = program.entry
    if entry.text.startswith("verl") and UNKNOWN in entry.text:  # any of its programs may be meant
        loose = [word for word in program.arguments if is_override(word.text)]
        return overrides.fragment(block, loose, work)
    written = hydra_arguments.read(program.arguments, _left_out(block, program.arguments))
    is_hydras = not takes_no_overrides(entry.text)
    arguments = program.arguments if is_hydras else ()
    read = written if is_hydras else hydra_arguments.read((), frozenset())
    given = [word for word in _overrides(read) if _is_meant(block, entry, word)]
    whole, faults = quoting.check(block, given) if through_shell else (given, [])
    kept = whole if block.whole_file else _without_elisions(whole)
    found = overrides.read(block, kept, work, multirun=_sweeps(read))
    if is_verls_program(entry.text):
        faults += _refused(block, program, read)
        if through_shell:
            faults += repeated.find(block, entry, kept)
    has_open = not block.whole_file and _leaves_out(arguments)
    name, path, added = map(written.options.get, ("config_name", "config_path", "config_dir"))
    return Command(
        block=block,
        span=entry.span(block),
        entry=entry.text,
        settings=found.settings,
        unparsed=found.unparsed,
        faults=(*found.faults, *faults),
        config_name=Mention(name.text, name.span(block)) if name is not None else None,
        config_dir=path.text if path is not None else None,
        added_dir=added.text if added is not None else None,
        elided=found.is_cut_short or has_open or len(kept) < len(whole),
        every_setting=_every_setting(block, entry.text, written, work),
    )


def _every_setting(block: Block, entry: str, read: Arguments, work: Work) -> tuple[Setting, ...]:
    """All that may be overrides, if a program that is not known has Hydra's command line."""
    if is_verls_program(entry) and not takes_no_overrides(entry):
        return ()
    words = [word for word in _overrides(read) if _ANY_OVERRIDE.match(word.text)]
    return overrides.read(block, words, work, multirun=_sweeps(read)).settings


def _sweeps(read: Arguments) -> bool:
    """Whether Hydra starts the program several times, so that a value may be a sweep."""
    chosen = any(word.text == "hydra.mode=MULTIRUN" for word in read.overrides)
    return chosen or "multirun" in read.options


def _overrides(read: Arguments) -> list[Word]:
    """The overrides that Hydra looks at, less what may be nothing at all."""
    if any(name in read.options for name in _WITHOUT_OVERRIDES):
        return []
    return [word for word in read.overrides if word.text.strip(UNKNOWN)]


def _is_meant(block: Block, entry: Word, word: Word) -> bool:
    """Whether an argument is an override for Hydra, and no other program's argument or prose."""
    if not is_verls_program(entry.text):
        return is_override(word.text) and not _SEVERAL.search(word.text)
    return not _is_prose(block, word)


def _refused(block: Block, program: LaunchedProgram, read: Arguments) -> Iterator[Fault]:
    """What Hydra's command line does not take, and empty arguments, which its grammar does not."""
    for refusal in read.refusals:
        start, end = override.key_offsets(refusal.word.text)
        key = refusal.word.text[start:end].lstrip("-")
        span = refusal.word.span(block)
        yield Fault(span, refusal.reason, key, kind=FaultKind.OVERRIDE_SYNTAX)
    if (reason := hydra_arguments.misused(read.options)) is not None:
        yield Fault(program.entry.span(block), reason, kind=FaultKind.OVERRIDE_SYNTAX)
    for before, word in pairwise((program.entry, *read.overrides)):
        if not word.text and word.sure:
            message = "the argument is empty, and Hydra reads no override in it"
            yield Fault(_after(block, before), message, kind=FaultKind.OVERRIDE_SYNTAX)


def _after(block: Block, before: Word) -> Span:
    """Where the empty argument after another one is written."""
    span = before.span(block)
    if not before.offsets:
        return span
    written = _EMPTY_ARGUMENT.match(block.text, before.offsets[-1] + 1)
    return block.span(*written.span("written")) if written is not None else span


def _left_out(block: Block, words: Sequence[Word]) -> frozenset[Word]:
    """The words that stand for others, or are prose: what is really given there is not known."""
    if block.whole_file:
        return frozenset()
    kept = frozenset(_without_elisions(words))
    return frozenset(word for word in words if word not in kept or _is_prose(block, word))


def _is_prose(block: Block, word: Word) -> bool:
    """Whether a word may go on with a sentence: nobody promised that such text is a command."""
    is_text = block.kind is BlockKind.TEXT and not word.text.startswith("-")
    return is_text and not _OVERRIDE_IN_TEXT.match(word.text)


def _leaves_out(words: Sequence[Word]) -> bool:
    """Whether some arguments are not said, or stand for others."""
    unknown = any(word.text == UNKNOWN for word in words)
    return unknown or len(_without_elisions(words)) < len(words)


def _without_elisions(words: Sequence[Word]) -> list[Word]:
    """The words less those that stand for what a document leaves out.

    `…`, `[your paths]`, `{your args}`, and the words after dots: `... other args ...`.
    """
    kept: list[Word] = []
    inside = after_dots = False
    for word in words:
        inside = inside or (word.text.startswith(("[", "<", "{")) and "=" not in word.text)
        after_dots = word.text in _ELISIONS or (after_dots and "=" not in word.text)
        if not inside and not after_dots:
            kept.append(word)
        inside = inside and not word.text.endswith(("]", ">", "}"))
    return kept
