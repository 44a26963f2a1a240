"""The quote that a shell script ends in, found as a shell does: from the first to the last.

The grammar says that a script is broken, but not where it began to be; and it takes some sound
scripts for broken ones.
"""

from __future__ import annotations

import re

_PLAIN = re.compile(r"[^\\'\"$`#(){}<\n]++")
_SINGLE, _ANSI = re.compile(r"'[^']*+'"), re.compile(r"\$'(?:[^\\']++|\\.)*+'", re.DOTALL)
_COMMENT = re.compile(r"#[^\n]*+")
_HERE = re.compile(
    r"<<(?P<tabs>-?)[ \t]*+(?P<quote>['\"\\]?)(?P<word>[A-Za-z_][\w.-]*+)(?P=quote)?"
)
_STARTS_WORD = frozenset(" \t\n;&|()")
_OPENING = {"$(": ")", "${": "}", "(": ")", '"': '"', "`": "`"}


def unclosed(text: str) -> int | None:
    """The offset of the quote that the text ends in."""
    stack: list[tuple[str, int]] = []  # what closes each part that is open, and where it began
    waiting: list[re.Match[str]] = []  # here-documents that begin with the next line
    place = doubled = 0
    while place < len(text):
        inside = stack[-1][0] if stack else ""
        is_text, quoted = inside in ('"', "}"), inside == '"' or (inside == "}" and doubled > 0)
        letter, pair = text[place], text[place : place + 2]
        opening = pair if pair in _OPENING else letter
        if letter == "\\":
            place += 2
        elif inside and letter == inside:
            doubled -= stack.pop()[0] == '"'
            place += 1
        elif opening in _OPENING and not (is_text and opening == "("):
            stack.append((_OPENING[opening], place))
            doubled += opening == '"'
            place += len(opening)
        elif not quoted and (letter == "'" or pair == "$'"):
            match = (_SINGLE if letter == "'" else _ANSI).match(text, place)
            if match is None:
                return text.index("'", place)
            place = match.end()
        elif is_text:
            place += 1
        elif pair == "<<":
            here = _HERE.match(text, place)
            waiting += [here] if here is not None else []
            place = here.end() if here is not None else _behind(text, place)
        elif letter == "\n" and waiting:
            place = _behind_documents(text, place + 1, waiting)
            waiting = []
        else:
            place = _behind_code(text, place)
    return next((start for end, start in reversed(stack) if end == '"'), None)


def _behind_code(text: str, place: int) -> int:
    """Where a comment ends, or what opens nothing."""
    starts_word = not place or text[place - 1] in _STARTS_WORD
    match = (_COMMENT if text[place] == "#" and starts_word else _PLAIN).match(text, place)
    return match.end() if match is not None else place + 1


def _behind(text: str, place: int) -> int:
    """The first character that is no `<`: of `<<<`, or of a shift."""
    while text.startswith("<", place):
        place += 1
    return place


def _behind_documents(text: str, place: int, documents: list[re.Match[str]]) -> int:
    """Where the shell goes on behind some here-documents; at the end where one is not closed."""
    for document in documents:
        tabs = r"\t*" if document["tabs"] else ""
        last = re.compile(rf"^{tabs}{re.escape(document['word'])}$", re.MULTILINE)
        found = last.search(text, place)
        if found is None:
            return len(text)
        place = found.end()
    return place
