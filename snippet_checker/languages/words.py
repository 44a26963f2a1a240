"""Command-line words that remember where each of their characters stands."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, pairwise

from snippet_checker.model import (
    UNKNOWN,
    Block,
    Context,
    Fault,
    FaultKind,
    Operator,
    Setting,
    Snippet,
    Span,
    Value,
    shown,
)
from snippet_checker.schema import override
from snippet_checker.work import TooMuchWork, Work, unchecked

_Maker = Callable[[re.Match[str]], "Word"]


@dataclass(frozen=True, slots=True)
class Word:
    """A word after expansion; `offsets` has the place in the block's text of each character.

    A word is not `sure` where a branch or a default value decides whether it is there. It is
    `split_off` where the shell made several words of one argument, at a blank in a variable.
    """

    text: str
    offsets: tuple[int, ...]
    sure: bool = True
    split_off: bool = False

    def __add__(self, other: Word) -> Word:
        return replace(
            self,
            text=self.text + other.text,
            offsets=self.offsets + other.offsets,
            sure=self.sure and other.sure,
        )

    def cut(self, start: int, end: int | None = None) -> Word:
        return Word(self.text[start:end], self.offsets[start:end], self.sure, self.split_off)

    def span(self, block: Block) -> Span:
        if not self.offsets:
            return block.span(0, 0)
        first, last = self.offsets[0], self.offsets[-1]
        if last - first != len(self.offsets) - 1:
            first, last = _where_used(block.text, sorted(self.offsets))
        return block.span(first, last + 1)


EMPTY = Word("", ())


def concatenated(words: Iterable[Word]) -> Word:
    """One word of several, side by side."""
    parts = list(words)
    if len(parts) == 1:
        return parts[0]
    return Word(
        "".join(part.text for part in parts),
        tuple(chain.from_iterable(part.offsets for part in parts)),
        all(part.sure for part in parts),
        bool(parts) and parts[0].split_off,
    )


def unknown_at(place: int) -> Word:
    """A word for what is known at launch only."""
    return Word(UNKNOWN, (place,))


def replaced(word: Word, matches: Iterable[re.Match[str]], make: _Maker) -> Word:
    """The word with another one in the place of each match in its text."""
    pieces, end = [word.cut(0, 0)], 0
    for match in matches:
        pieces += (word.cut(end, match.start()), make(match))
        end = match.end()
    return concatenated([*pieces, word.cut(end)])


def opaque(word: Word, pattern: re.Pattern[str]) -> Word:
    """The word with what is filled in before anything runs made unknown."""

    def make(match: re.Match[str]) -> Word:
        return unknown_at(word.offsets[match.start()])

    return replaced(word, pattern.finditer(word.text), make)


_BETWEEN_WORDS = re.compile(r"(?<![\\\s])\s")  # not where a line goes on
_EXPANSION_BEFORE = re.compile(r"\$(?:\w+|\{[^\s{}]+\})\"?$")
_EXPANSION_AFTER = re.compile(r"\"?\$(?:\w+|\{[^\s{}]+\})")
_PLACEHOLDER = re.compile(r"[<‹《〈].+[>›》〉]|\{(?:[^\W\d][^{}:,$=]*|\.{3}|…)\}")  # a reader's own


def _where_used(text: str, offsets: Sequence[int]) -> tuple[int, int]:
    """The first and last character of what is put together from variables and text beside them.

    A variable is set before it is used, so what stands last is where it all comes together.
    """
    start, end = first_in_place(text, offsets), offsets[-1] + 1
    if start == offsets[0]:
        return start, end - 1
    line = text.rfind("\n", 0, start) + 1
    if (before := _EXPANSION_BEFORE.search(text[line:start])) is not None:
        start = line + before.start()
    if (after := _EXPANSION_AFTER.match(text, end)) is not None:
        end = after.end()
    return start, end - 1


def first_in_place(text: str, offsets: Sequence[int]) -> int:
    """The first character of the argument that the last of some characters stands in.

    The `offsets` go up; what stands before that argument comes from where a variable is set.
    """
    start = offsets[-1]
    for one, other in pairwise(reversed(offsets)):
        if _BETWEEN_WORDS.search(text, other + 1, one):
            break
        start = other
    return start


def read_override(block: Block, word: Word, *, multirun: bool = False) -> Setting | Fault | None:
    """The setting of one override, or why Hydra refuses it; None where its key is not known."""
    start, end = override.key_offsets(word.text)
    key, value = word.cut(start, end), word.cut(end + 1)
    if UNKNOWN in key.text:
        return None
    value_span = value.span(block) if value.text else None
    if UNKNOWN in word.text:
        package = word.text[end:].partition("=")[0].removeprefix("@")
        operator = Operator(word.text[:start] or "=")
        span = key.span(block)
        return Setting(
            key.text, operator, Value.UNKNOWN, span, value_span, package or None, word.sure
        )
    if _PLACEHOLDER.fullmatch(value.text) and not (block.whole_file and value.text[0] == "{"):
        if block.whole_file and value.text.startswith("<"):
            return _left_open(block, value, key.text)
        return Setting(
            key.text, Operator(word.text[:start] or "="), Value.UNKNOWN, key.span(block), value_span
        )
    parsed = _parse(block, word, key.text)
    if isinstance(parsed, Fault):
        return parsed
    if parsed.is_sweep and not multirun:
        return _sweep(block, word, value, parsed.key)
    return Setting(
        parsed.key,
        parsed.operator,
        Value.UNKNOWN if parsed.is_sweep else parsed.value,
        key.span(block),
        value_span,
        parsed.package,
        word.sure,
    )


def _left_open(block: Block, value: Word, key: str) -> Fault:
    message = (
        f"'{shown(value.text)}' stands for a value of your own, and Hydra cannot read it as it is"
    )
    return Fault(FaultKind.OVERRIDE_SYNTAX, message, value.span(block), key)


def _sweep(block: Block, word: Word, value: Word, key: str) -> Fault:
    message = (
        f"'{shown(word.text)}' is a sweep, which Hydra takes with --multirun only; "
        "a list stands in brackets"
    )
    is_list = re.fullmatch(r"[^()\[\]{}]+", value.text) is not None
    suggestion = f"{word.text[: -len(value.text)]}[{value.text}]" if is_list else None
    return Fault(FaultKind.OVERRIDE_SYNTAX, message, value.span(block), key, suggestion)


def _parse(block: Block, word: Word, key: str) -> override.Override | Fault:
    if not word.text.strip():
        message = "a backslash with a blank after it continues no line: Hydra gets the blank"
        return Fault(FaultKind.OVERRIDE_SYNTAX, message, word.span(block), key or None)
    try:
        parsed = override.parse(word.text)
    except override.OverrideError as error:
        reason = str(error)
    else:
        if parsed.key:
            return parsed
        reason = "the key is missing"
    message = f"Hydra cannot read '{shown(word.text)}': {reason}"
    return Fault(FaultKind.OVERRIDE_SYNTAX, message, word.span(block), key or None)


def snippet(
    block: Block,
    context: Context,
    words: Iterable[Word],
    work: Work,
    *,
    entry: Word | None = None,
    multirun: bool = False,
) -> Snippet:
    """A snippet of the overrides among `words`, each read as Hydra would.

    What is too much work to read is among its `unread` settings, and it is `elided`.
    """
    settings: list[Setting] = []
    unread: dict[Setting, None] = {}  # a word that is handed on several times counts once
    faults: list[Fault] = []
    place = entry
    is_cut_short = False
    for word in words:
        place = place or word
        try:
            work.judging.spend(override.steps(word.text))
            read = read_override(block, word, multirun=multirun)
        except TooMuchWork as error:
            if not is_cut_short or work.judging.has_room():
                faults.append(Fault(FaultKind.UNCHECKED_PART, unchecked(error), word.span(block)))
            is_cut_short = True
            unread |= dict.fromkeys(_unread(block, word))
            continue
        if isinstance(read, Setting):
            settings.append(read)
        elif read is not None:
            faults.append(read)
    return Snippet(
        block,
        context,
        (place or EMPTY).span(block),
        entry=entry.text if entry else None,
        entry_span=entry.span(block) if entry else None,
        settings=tuple(settings),
        faults=tuple(faults),
        unread=tuple(unread),
        elided=is_cut_short,
    )


def _unread(block: Block, word: Word) -> Iterator[Setting]:
    """The setting of an override that is not read."""
    start, end = override.key_offsets(word.text)
    key = word.cut(start, end)
    if "=" in word.text and key.text and UNKNOWN not in key.text:
        operator = Operator(word.text[:start] or "=")
        yield Setting(key.text, operator, Value.UNKNOWN, key.span(block))
