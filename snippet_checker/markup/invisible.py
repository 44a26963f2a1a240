"""Characters that no reader sees, written as they are or as entities."""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Iterator

from snippet_checker.markup.types import Markup, MarkupKind

_NOT_PLAIN = re.compile(r"[^ -~\u3001-\u30ff\u4e00-\u9fff\uff01-\uff5e]")
_ENTITY = re.compile(r"&#?\w{1,31};", re.ASCII)
_WHITE = frozenset("\t\n\r\u00a0\u2002\u2003\u2009\u202f\u3000")
# Unicode counts these among letters and signs: fillers, a Braille cell without dots, and the sign
# for a character that was lost.
_BLANK = frozenset("\u115f\u1160\u3164\uffa0\u2800\ufffd")
_JOINS_EMOJI = frozenset("\u200d\ufe0f")
_UNSEEN_CATEGORIES = frozenset({"Cc", "Cf", "Co", "Zl", "Zp"})


def find(text: str) -> Iterator[Markup]:
    """The characters of a text that show nothing, hide others or turn their order around."""
    for match in _NOT_PLAIN.finditer(text):
        if _is_unseen(match[0]) and not _joins_emoji(text, match.start()):
            yield Markup(MarkupKind.INVISIBLE, match[0], *match.span())


def find_entities(text: str) -> Iterator[Markup]:
    """Those that HTML's entities stand for: `&#x202e;`."""
    for match in _ENTITY.finditer(text):
        char = html.unescape(match[0])
        if len(char) == 1 and _is_unseen(char):
            yield Markup(MarkupKind.INVISIBLE, char, *match.span())


def _is_unseen(char: str) -> bool:
    if char in _WHITE:
        return False
    return char in _BLANK or unicodedata.category(char) in _UNSEEN_CATEGORIES


def _joins_emoji(text: str, place: int) -> bool:
    """Whether a joiner makes one emoji of two."""
    before, after = text[place - 1 : place], text[place + 1 : place + 2]
    is_emoji = [unicodedata.category(char) == "So" for char in (before, after) if char]
    return text[place] in _JOINS_EMOJI and (before in _JOINS_EMOJI or is_emoji == [True, True])
