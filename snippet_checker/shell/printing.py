"""What `echo` and `printf` print: text that becomes a variable, a script or further arguments."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from snippet_checker.text.words import UNKNOWN, Word, concatenated, decoded, spaced

PRINTERS = frozenset({"echo", "printf"})
_FLAGS = re.compile(r"-[neE]+")  # of echo
_ESCAPE = re.compile(
    r"\\(?:0(?P<octal>[0-7]{1,3})|x(?P<hex>[0-9A-Fa-f]{1,2})|(?P<letter>[abefnrtv\\\"]))"
)
_LETTERS = dict(zip("abefnrtv", "\a\b\x1b\f\n\r\t\v", strict=True))
_CONVERSION = re.compile(r"%(?P<flags>[-+ #0-9.]*)(?P<letter>[sdiqb%])|%")
_MOST_ROUNDS = 1_000  # of a format over its arguments


def printed(words: Sequence[Word]) -> Word | None:
    """The text that a command prints, without its last line end; None where that is not known."""
    name = words[0].text if words else ""
    if name == "echo":
        return _echoed(words[1:])
    if name == "printf" and len(words) > 1 and words[1].text != "-v":
        return formatted(words[1:])
    return None


def _echoed(words: Sequence[Word]) -> Word:
    flags = 0
    while flags < len(words) and _FLAGS.fullmatch(words[flags].text):
        flags += 1
    text = spaced(words[flags:])
    has_escapes = any("e" in word.text for word in words[:flags])
    return decoded(text, _ESCAPE, meaning) if has_escapes else text


def formatted(words: Sequence[Word]) -> Word | None:
    """What printf makes of a format and its arguments; the format counts as often as they last."""
    if words and words[0].text == "--":
        words = words[1:]
    if not words or UNKNOWN in words[0].text:
        return None
    form, arguments = decoded(words[0], _ESCAPE, meaning), list(words[1:])
    parts: list[Word] = []
    for _ in range(_MOST_ROUNDS):
        before = len(arguments)
        for part in _filled(form, arguments):
            if part is None:
                return None
            parts.append(part)
        if not arguments or len(arguments) == before:
            break
    text = concatenated(parts) if parts else form.cut(0, 0)
    return text.cut(0, len(text.text.rstrip("\n"))) if not arguments else None


def _filled(form: Word, arguments: list[Word]) -> Iterator[Word | None]:
    """The pieces of a format with the next arguments in it; None where one is calculated."""
    end = 0
    for conversion in _CONVERSION.finditer(form.text):
        yield form.cut(end, conversion.start())
        end = conversion.end()
        if conversion["letter"] == "%":
            yield form.cut(conversion.start(), conversion.start() + 1)
        elif conversion["letter"] in ("s", "d", "i") and not conversion["flags"]:
            yield arguments.pop(0) if arguments else form.cut(0, 0)
        else:
            yield None
    yield form.cut(end)


def meaning(escape: re.Match[str]) -> str:
    """What an escape of a letter or a number stands for, in a format or between `$'` and `'`."""
    if escape["letter"]:
        return _LETTERS.get(escape["letter"], escape["letter"])
    if escape["octal"]:
        return chr(int(escape["octal"], 8))
    code = int(escape["hex"] or escape["code"], 16)
    return "\ufffd" if 0xD800 <= code < 0xE000 else chr(code)  # half a character is none
