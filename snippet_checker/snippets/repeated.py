"""One setting made twice on one line of a script: only the last counts, and nobody says so.

A variable, an array or an argument that comes from elsewhere may well be meant to override another.
So both have to be written out in the command itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from snippet_checker.documents.block import Block
from snippet_checker.findings import Severity, Stage
from snippet_checker.hydra import override
from snippet_checker.hydra.setting import Operator
from snippet_checker.snippets.snippet import Fault, FaultKind
from snippet_checker.text.inert import shown
from snippet_checker.text.words import Word
from snippet_checker.work import TooMuchWork

_SAME_LINE = re.compile(r"(?:\\\n|[^\n;&|])*+")


def find(block: Block, entry: Word, words: Sequence[Word]) -> Iterator[Fault]:
    """The settings of a command that a later one on its line makes with another value."""
    last: dict[str, tuple[Word, override.Override]] = {}
    for word in reversed(words):
        if not _is_on_line(block, entry, word):
            continue
        made = _made(word.text)
        if made is None or "." not in made.key or made.operator is Operator.ADD:
            continue
        later = last.setdefault(made.key, (word, made))
        if later[0] is not word and later[1].value != made.value:
            line = later[0].span(block).line
            message = (
                f"'{shown(word.text)}' is set again on line {line}, and the last one counts: "
                f"'{shown(later[0].text)}'"
            )
            yield Fault(
                word.span(block),
                message,
                made.key,
                stage=Stage.SILENT,
                severity=Severity.WARNING,
                kind=FaultKind.DUPLICATE_KEY,
            )


def _made(text: str) -> override.Override | None:
    """What a plain override sets; None of others, and of those that cannot be read."""
    try:
        return override.parse(text) if override.PLAIN.fullmatch(text) else None
    except (override.OverrideError, TooMuchWork):  # which is said where it is read
        return None


def _is_on_line(block: Block, entry: Word, word: Word) -> bool:
    """Whether a word is written out behind the program's name, and the command goes on to it."""
    if not word.sure or not word.offsets or not entry.offsets:
        return False
    first, last = word.offsets[0], word.offsets[-1]
    if block.text[first : last + 1] != word.text or first <= entry.offsets[-1]:
        return False
    return _SAME_LINE.fullmatch(block.text, entry.offsets[-1] + 1, first) is not None
