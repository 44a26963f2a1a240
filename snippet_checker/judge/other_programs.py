"""Whose name a word is, where running text says so: `tensor_parallel_size` is vLLM's."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from snippet_checker.documents.block import Block
from snippet_checker.markup import programs, sentences, tables
from snippet_checker.text.places import Span

_ANY = (
    rf"(?<![A-Za-z0-9_./-])(?:(?P<other>{programs.OTHERS})|[Vv][Ee]?[Rr][Ll])(?![A-Za-z0-9_/]|\.\w)"
)
_NOUN = r"(?:options?|settings?|parameters?|arguments?|args?|flags?|fields?|names?|keys?)"
_VERB = r"(?:logs?|has|have|calls?|names?|takes?|uses?|reads?|knows?|accepts?|expects?|offers?)"
# They take milliseconds to compile, and only running text needs them.


@cache
def _before() -> re.Pattern[str]:
    # "vLLM's `x`", "HF: `x`", "vLLM logs `x`", "TRL options such as `x`", "vLLM では", and behind
    # the `|` "in SGLang, `x`"
    return re.compile(
        rf"{_ANY}(?:['’]s?\b|\s*[:：]|\s*(?:的|の|中|では)|\s+(?:engine\s+)?{_NOUN}\b|\s+{_VERB}\b)"
        rf"|\b[Ii]n\s+{_ANY.replace('?P<other>', '?P<within>')}"
    )


@cache
def _after() -> re.Pattern[str]:
    # "`x` in SGLang", "`x` of the vLLM engine", "`x` (vLLM)"
    return re.compile(
        rf"[^`\s]{{0,60}}`{{0,4}}\s{{0,40}}(?:{_NOUN}\s+)?(?:(?:in|of|from)\s+(?:the\s+)?|[(（]){_ANY}(?!['’])"
    )


def is_another_programs(block: Block, span: Span) -> bool:
    """Whether the sentence or cell around a word says that the name is another program's."""
    start, end = block.bounds(span)
    first, last = _around(block.text, start, end)
    after = _after().match(block.text, end, last)
    if after is not None:
        return after["other"] is not None
    owners = list(_owners(block.text, first, start))
    return bool(owners) and owners[-1]


def _around(text: str, start: int, end: int) -> tuple[int, int]:
    found = tables.find(tables.read(text), start)
    if found is not None:
        row, own = found
        return row[own].start, row[own].end
    return sentences.split(text).around(start, end)


def _owners(text: str, first: int, last: int) -> Iterator[bool]:
    """For each owner that the text names, in turn, whether it is another program than verl."""
    for match in _before().finditer(text, first, last):
        yield (match["other"] or match["within"]) is not None
