"""Code in the HTML of a Markdown document: `<pre>`, and a fence that no blank line sets apart."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from snippet_checker.text.lines import Line, dedented

_FENCE = re.compile(r"\s*(?P<fence>`{3,}|~{3,})(?P<tag>[^`\n]*)$")
_PRE = re.compile(r"<pre\b[^<>\n]*>", re.IGNORECASE)
_END_OF_PRE = re.compile(r"</pre\s*>", re.IGNORECASE)
_CODE_TAG = re.compile(r"</?(?:code|span|b|i|em|strong|kbd|samp)\b[^<>\n]*>", re.IGNORECASE)
_LANGUAGE = re.compile(r"\b(?:language|lang|highlight-source)[-=\"']{1,2}([\w+-]+)")
_ENTITY = re.compile(r"&(?:(?P<amp>amp)|lt|gt|quot|apos|nbsp|#\d{1,6}|#x[0-9a-fA-F]{1,6});")


def code(lines: Sequence[Line]) -> Iterator[tuple[str, list[Line]]]:
    """The tag and the lines of each piece of code in a block of HTML."""
    if lines and lines[0].text.lstrip().startswith("<!--"):
        return
    number = 0
    while number < len(lines):
        fence, pre = _FENCE.match(lines[number].text), _PRE.search(lines[number].text)
        if pre is not None:
            last, inside = _inside_of_pre(lines, number, pre.end())
            written = lines[number].text + (inside[0].text if inside else "")
            language = _LANGUAGE.search(written)
            yield language[1] if language is not None else "", dedented([*map(_plain, inside)])
            number = last
        elif fence is not None and number > 0:
            last = _end_of_fence(lines, number + 1, fence["fence"])
            yield fence["tag"].strip(), dedented(lines[number + 1 : last])
            number = last
        number += 1


def _end_of_fence(lines: Sequence[Line], first: int, fence: str) -> int:
    closing = (n for n in range(first, len(lines)) if lines[n].text.strip() == fence)
    return next(closing, len(lines))


def _inside_of_pre(lines: Sequence[Line], first: int, column: int) -> tuple[int, list[Line]]:
    """The last line of `<pre>…</pre>`, and the lines between the tags."""
    inside: list[Line] = []
    for number in range(first, len(lines)):
        start = column if number == first else 0
        end = _END_OF_PRE.search(lines[number].text, start)
        inside.append(lines[number].cut(start, end.start() if end is not None else None))
        if end is not None:
            return number, inside
    return len(lines), inside


def _plain(line: Line) -> Line:
    """A line as it is shown, as long as before: what stands for a sign is a reader's to see."""
    text = _CODE_TAG.sub(lambda tag: " " * len(tag[0]), line.text)
    text = _ENTITY.sub(
        lambda one: "&".ljust(len(one[0])) if one["amp"] else "$".ljust(len(one[0]), "_"), text
    )
    return replace(line, text=text)
