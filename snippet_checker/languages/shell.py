"""Shell -> snippets: one for each command that starts verl or hands overrides on."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from snippet_checker.languages import shell_quoting
from snippet_checker.languages import words as overrides
from snippet_checker.languages.shell_script import Script
from snippet_checker.languages.words import Word
from snippet_checker.model import Block, Context, Fault, Snippet
from snippet_checker.schema.release import is_verls_program

_OVERRIDE = re.compile(r"(?:[+~]{1,2})?[A-Za-z_][\w-]*(?:\.[\w-]+)+(?:@[\w.]+)?=", re.ASCII)
_SHELLS = frozenset({"bash", "sh", "zsh"})
_PROMPT = re.compile(
    r"^(\s*(?:\([\w.-]+\)\s*)?(?:\[[^\]\n]*\][$#%]|[\w.@~:/-]*[$#%]|>)\s)", re.MULTILINE
)
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
_INNER_COMMAND = re.compile(
    r"(?:(?<=^--wrap=)|^)(?=\S+\s(?:.*\s)?(?:-m\s+verl\.|\S*verl/\S+\.py\s))", re.DOTALL
)
_ELISIONS = frozenset({"...", "…"})
_MULTIRUN = frozenset({"--multirun", "-m"})


def read(block: Block) -> Iterator[Snippet]:
    """The launch commands of a script or a shell block, and its loose lists of overrides."""
    yield from _read_script(block, Script(block.text))


def read_console(block: Block) -> Iterator[Snippet]:
    """The commands of a session: what stands after a prompt, output left out."""
    yield from _read_script(block, Script(_typed(block.text)))


def _read_script(block: Block, script: Script) -> Iterator[Snippet]:
    loose: list[Word] = []
    quoting: list[Fault] = []
    launched = -1
    for words in script.commands():
        inner = _inner_script(words)
        program = _program(words)
        if inner is not None and len(inner.text) < len(script):
            yield from _read_script(block, Script(inner.text, inner.offsets))
        elif program is not None:
            yield _launch(block, words[program], words[program + 1 :])
            launched = max((max(word.offsets) for word in words if word.offsets), default=-1)
        elif _OVERRIDE.match(words[0].text) or _SHELLS.intersection(_commands(words)):
            # Overrides without a command, or handed on to a script: judged as a fragment.
            whole, changed = shell_quoting.mend(block, words)
            quoting += changed
            loose += [word for word in whole if _OVERRIDE.match(word.text)]
            if launched >= 0 and words[0].offsets and _OVERRIDE.match(words[0].text):
                faults = tuple(shell_quoting.left_behind(block, launched + 1, words))
                if faults:
                    span = words[0].span(block)
                    yield Snippet(block, Context.FRAGMENT, span, faults=faults)
    if loose or quoting:
        snippet = overrides.snippet(block, Context.FRAGMENT, loose)
        yield replace(snippet, faults=(*snippet.faults, *quoting))


def _commands(words: Sequence[Word]) -> set[str]:
    return {word.text.rpartition("/")[2] for word in words}


def _inner_script(words: Sequence[Word]) -> Word | None:
    """A command line inside a word: what `bash -c`, `eval`, `ssh` or `--wrap=` hand to a shell."""
    for word in words:
        start = _INNER_COMMAND.search(word.text)
        if start is not None:
            return word.cut(start.start())
    return None


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


def _launch(block: Block, entry: Word, arguments: Sequence[Word]) -> Snippet:
    given: list[Word] = []
    options: dict[str, str] = {}
    unknown: list[Fault] = []
    multirun = any(word.text == "hydra.mode=MULTIRUN" for word in arguments)
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
        elif word.text.startswith("-") or not word.text.strip(overrides.UNKNOWN):
            continue
        elif not is_verls_program(entry.text) and not _OVERRIDE.match(word.text):
            continue  # another program's arguments need not be overrides
        else:
            given.append(word)
    whole, faults = shell_quoting.mend(block, given)
    kept = whole if block.whole_file else _without_elisions(whole)
    snippet = overrides.snippet(block, Context.COMMAND, kept, entry=entry, multirun=multirun)
    return replace(
        snippet,
        faults=(*snippet.faults, *faults, *unknown),
        config_name=options.get("name"),
        config_dir=options.get("dir"),
        extended="extra" in options,
        elided=len(kept) < len(whole),
    )


def _is_no_flag(flag: str) -> bool:
    """Whether Hydra knows no flag that begins so; argparse takes any beginning that is clear."""
    return flag.startswith("--") and not any(name.startswith(flag) for name in _FLAGS)


def _no_flag(block: Block, word: Word, flag: str) -> Fault:
    message = f"'{flag}' is no flag of Hydra's, and an override begins without dashes"
    return Fault("override-syntax", message, word.span(block), flag.lstrip("-"))


def _without_elisions(words: Sequence[Word]) -> list[Word]:
    """The words less those that stand for what a document leaves out: `…`, `[your paths]`."""
    kept: list[Word] = []
    inside = False
    for word in words:
        inside = inside or (word.text.startswith(("[", "<")) and "=" not in word.text)
        if not inside and word.text not in _ELISIONS:
            kept.append(word)
        inside = inside and not word.text.endswith(("]", ">"))
    return kept


def _typed(session: str) -> str:
    """The session with prompts and output blanked out, so that offsets stay."""
    kept: list[str] = []
    continued = False
    for line in session.split("\n"):
        prompt = _PROMPT.match(line)
        if prompt is not None:
            line = " " * prompt.end() + line[prompt.end() :]
        elif not continued:
            line = " " * len(line)
        continued = line.endswith("\\")
        kept.append(line)
    return "\n".join(kept)
