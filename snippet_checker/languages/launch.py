"""A command's words -> the snippet of the program that it starts, as Hydra gets them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from snippet_checker.languages import shell_quoting
from snippet_checker.languages import words as overrides
from snippet_checker.languages.words import Word
from snippet_checker.model import UNKNOWN, Block, BlockKind, Context, Fault, FaultKind, Snippet
from snippet_checker.schema.history import takes_no_overrides
from snippet_checker.schema.release import is_verls_program

OVERRIDE = re.compile(r"(?:[+~]{1,2})?[A-Za-z_][\w-]*(?:\.[\w-]+)+(?:@[\w.]+)?=", re.ASCII)
"""How an override of a key with a parent begins, which few other words do."""

_VALUED_FLAGS = {
    "--config-name": "name",
    "-cn": "name",
    "--config-path": "dir",
    "-cp": "dir",
    "--config-dir": "extra",
    "-cd": "extra",
    "--package": "other",
    "-p": "other",
    "--cfg": "other",
    "-c": "other",
    "--info": "other",
    "-i": "other",
}
_FLAGS = (
    *_VALUED_FLAGS,
    "--help",
    "--hydra-help",
    "--version",
    "--resolve",
    "--run",
    "--multirun",
    "--shell-completion",
    "--experimental-rerun",
)
_LAUNCHER = re.compile(r"(?:.*/)?(?:python[\d.]*|torchrun|accelerate|deepspeed|pypy\d*)")
_JOINED_MODULE = re.compile(r"-m[A-Za-z_]\w*(?:\.\w+)+")
_ELISIONS = frozenset({"...", "…"})
_PROGRAM_IN_TEXT = re.compile(
    r"\s(?:-m\s*verl\.\S*\w|\S*verl/\S+\.py)(?!\S)(?!\s+[A-Za-z]+[.,:;]?(?:\s|$))"
)
_OVERRIDE_IN_TEXT = re.compile(r"~|[^=]+=")
_MULTIRUN = frozenset({"--multirun", "-m"})


def starts_program(text: str) -> bool:
    """Whether a text is a script that starts a program of verl's, and not prose that names one."""
    return _PROGRAM_IN_TEXT.search(text) is not None


@dataclass(frozen=True, slots=True)
class Program:
    """The word that names the Python module or file which a command runs, and what follows."""

    entry: Word
    arguments: Sequence[Word]


def program(words: Sequence[Word]) -> Program | None:
    """What Python program a command runs, if it runs one."""
    words = [part for word in words for part in _separated(word)]
    number = _program(words)
    return Program(words[number], words[number + 1 :]) if number is not None else None


def _separated(word: Word) -> tuple[Word, ...]:
    """`-mverl.trainer.main_ppo` as Python reads it: a flag and its value."""
    joined = _JOINED_MODULE.fullmatch(word.text) is not None
    return (word.cut(0, 2), word.cut(2)) if joined else (word,)


def _program(words: Sequence[Word]) -> int | None:
    """Which word names the Python module or file that the command runs."""
    modules = [n + 1 for n, word in enumerate(words[:-1]) if word.text in ("-m", "--module")]
    for number in modules:
        if is_verls_program(words[number].text):
            return number
    launcher = next((n for n, w in enumerate(words) if _LAUNCHER.fullmatch(w.text)), None)
    if launcher is None:
        return None
    for number, word in enumerate(words[launcher + 1 :], launcher + 1):
        is_file = word.text.endswith(".py") and "=" not in word.text
        is_module = number in modules and re.fullmatch(r"[A-Za-z_][\w.]*", word.text) is not None
        if is_file or (is_module and not word.text.startswith("torch.distributed")):
            return number
    return None


def read(block: Block, program: Program, *, through_shell: bool = True) -> Snippet:
    """The snippet of a command, which a shell may have read before."""
    entry = program.entry
    if entry.text.startswith("verl") and UNKNOWN in entry.text:  # any of its programs may be meant
        loose = [word for word in program.arguments if OVERRIDE.match(word.text)]
        return overrides.snippet(block, Context.FRAGMENT, loose)
    arguments = () if takes_no_overrides(entry.text) else program.arguments
    given: list[Word] = []
    options: dict[str, str] = {}
    unknown: list[Fault] = []
    multirun = any(word.text == "hydra.mode=MULTIRUN" for word in arguments)
    has_open = not block.whole_file and any(word.text == UNKNOWN for word in arguments)
    waiting: str | None = None
    for word in arguments:
        flag, equals, value = word.text.partition("=")
        if waiting is not None:
            options[waiting], waiting = word.text, None
        elif flag in _VALUED_FLAGS:
            if equals:
                options[_VALUED_FLAGS[flag]] = value
            else:
                waiting = _VALUED_FLAGS[flag]
        elif word.text in _MULTIRUN:
            multirun = True
        elif _is_no_flag(flag) and is_verls_program(entry.text):
            unknown.append(_no_flag(block, word, flag))
        elif word.text.startswith("-") or not word.text.strip(UNKNOWN):
            continue
        elif not is_verls_program(entry.text) and not OVERRIDE.match(word.text):
            continue  # another program's arguments need not be overrides
        elif block.kind is BlockKind.TEXT and not _OVERRIDE_IN_TEXT.match(word.text):
            continue  # nobody promised that it is a command, and not the rest of a sentence
        else:
            given.append(word)
    whole, faults = shell_quoting.mend(block, given) if through_shell else (given, [])
    kept = whole if block.whole_file else _without_elisions(whole)
    snippet = overrides.snippet(block, Context.COMMAND, kept, entry=entry, multirun=multirun)
    return replace(
        snippet,
        faults=(*snippet.faults, *faults, *unknown),
        config_name=options.get("name"),
        config_dir=options.get("dir"),
        extended="extra" in options,
        elided=has_open or len(kept) < len(whole),
    )


def _is_no_flag(flag: str) -> bool:
    """Whether Hydra knows no flag that begins so; argparse takes any beginning that is clear."""
    return flag.startswith("--") and not any(name.startswith(flag) for name in _FLAGS)


def _no_flag(block: Block, word: Word, flag: str) -> Fault:
    message = f"'{flag}' is no flag of Hydra's, and an override begins without dashes"
    return Fault(FaultKind.OVERRIDE_SYNTAX, message, word.span(block), flag.lstrip("-"))


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
