"""Word splitting: which words the parts of one argument become, at white space or at `IFS`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from snippet_checker.shell.variables import Environment
from snippet_checker.text.words import UNKNOWN, Word

_BETWEEN_BLANKS = re.compile(r"\S+")


class Part(Struct, frozen=True):
    """Words that a part of an argument becomes; the first and the last may join what is beside."""

    words: tuple[Word, ...]
    joins_left: bool = True
    joins_right: bool = True


def fields(parts: Iterable[Part]) -> list[list[Word]]:
    """The pieces of each word of an argument.

    Parts side by side make one word, white space in a part ends it.
    """
    found: list[list[Word]] = []
    is_open = False
    for part in parts:
        is_open = is_open and part.joins_left
        if is_open and part.words:
            found[-1].append(part.words[0])
        found += ([word] for word in part.words[is_open:])
        is_open = part.joins_right and (is_open or bool(part.words))
    return found


def split(words: Sequence[Word], environment: Environment) -> Part:
    """What the shell makes of an expansion without quotes."""
    separators = _separators(environment)
    if separators is None:
        pieces = _BETWEEN_BLANKS
    elif separators == "" or UNKNOWN in separators:
        return Part(tuple(words))
    else:
        pieces = re.compile(f"[^{re.escape(separators)}]+")
    text = "".join(word.text for word in words)
    found = (word.cut(*match.span()) for word in words for match in pieces.finditer(word.text))
    return Part(
        tuple(replace(word, sure=False) if word.text == UNKNOWN else word for word in found),
        not text[:1].isspace(),
        not text[-1:].isspace(),
    )


def separator(environment: Environment) -> str:
    """What stands between the words of `"${NAME[*]}"`."""
    separators = _separators(environment)
    return separators[:1] if separators is not None else " "


def _separators(environment: Environment) -> str | None:
    """What `IFS` is set to, UNKNOWN where that is not certain; None where it is not set."""
    variable = environment.variables.get("IFS")
    if variable is None:
        return None
    if not variable.is_certain:
        return UNKNOWN
    return variable.values[0][0].text if variable.values[0] else ""
