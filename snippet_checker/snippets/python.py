"""Python -> settings: assignments to a config object, override strings, and commands."""

from __future__ import annotations

import re
from collections.abc import Iterator

from snippet_checker.documents.block import Block
from snippet_checker.hydra.setting import Operator, Setting
from snippet_checker.snippets import commands, launch, literals, overrides
from snippet_checker.snippets.python_strings import lists
from snippet_checker.snippets.snippet import Fragment, Snippet
from snippet_checker.text.words import Word
from snippet_checker.work import Work

_NAME = r"(?:\w+\.)*(?:config|cfg|conf)"
_ASSIGNMENT = re.compile(
    r"^[^\S\n]*(?P<target>\w+(?:\.\w+|\[([\"'])[\w.]+\2\])+)\s*=(?!=)[ \t]*"
    r"(?P<value>[^\n#]*)",
    re.MULTILINE,
)
_CONFIG = re.compile(rf"{_NAME}(?=[.\[])")
_PATH_IN_CONFIG = re.compile(r"(?:\.[A-Za-z_]\w*|\[([\"'])[\w.]+\1\])+")
_UPDATE = re.compile(
    rf"OmegaConf\.update\(\s*{_NAME}\s*,\s*([\"'])(?P<path>[\w.]+)\1\s*,\s*"
    r"(?:value\s*=\s*)?(?P<value>[\"'][^\"']*[\"']|[^\s,()]+(?:\([^()]*\))?)(?P<more>[^)\n]*)"
)
_SHELL_LINE = re.compile(r"^[^\S\n]*[+~]{0,2}[a-z_]\w*(?:\.\w+)+=\S+[ \t]+\\$", re.MULTILINE)
_ADDS_KEYS = re.compile(r"open_dict\(|set_struct\([^)]*False\)")
_PATH = re.compile(r"[A-Za-z_].*\w", re.DOTALL)


def read(block: Block, work: Work) -> Iterator[Snippet]:
    """The commands that the code starts, and one snippet of everything else that it sets."""
    if _SHELL_LINE.search(block.text):
        yield from commands.read(block, work)  # tagged as Python by mistake
        return
    loose: list[Word] = []
    for arguments in lists(block.text):
        program = launch.program(arguments)
        if program is not None:
            yield launch.read(block, program, work, through_shell=False)
            continue
        for word in arguments:
            if launch.starts_program(word.text):
                yield from commands.read_word(block, word, work)
            elif launch.OVERRIDE.match(word.text):
                loose.append(word)
    found = overrides.read(block, loose, work)
    settings = (*_assigned(block), *found.settings)
    if settings or found.faults:
        span = block.span(0, len(block.text))
        yield Fragment(block, span, settings=settings, faults=found.faults)


def _assigned(block: Block) -> Iterator[Setting]:
    adds_keys = _ADDS_KEYS.search(block.text) is not None
    for match in _ASSIGNMENT.finditer(block.text):
        config = _CONFIG.match(match["target"])
        if config is not None and _PATH_IN_CONFIG.fullmatch(match["target"], config.end()):
            place = match.start("target") + config.end(), match.end("target")
            yield from _setting(block, match, place, forced=adds_keys)
    for match in _UPDATE.finditer(block.text):
        forced = adds_keys or "force_add=True" in match["more"]
        yield from _setting(block, match, match.span("path"), forced=forced)


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
