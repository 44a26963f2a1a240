"""The words of a page: what its readers see or hear, without code."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from bs4 import NavigableString, Tag

VERBATIM = frozenset({"code", "kbd", "math", "pre", "samp"})
VERBATIM_CLASSES = frozenset({"notranslate", "text-code"})
UNSEEN = frozenset({"script", "style"})
SPOKEN = frozenset({
    "alt", "aria-label", "data-count", "data-label", "data-tooltip", "placeholder", "title",
})  # fmt: skip
SPOKEN_METADATA = frozenset({"description", "og:description", "og:image:alt", "og:title"})
# A word that stands alone: no part of a key, a file name or a version.
WORD = re.compile(r"(?<![\w./=-])[A-Za-z]{2,}(?![\w=]|[./-]\w)")


def is_verbatim(element: Tag) -> bool:
    """Whether the text is the same in every language: code, mathematics and the like."""
    classes = element.get_attribute_list("class")
    return element.name in VERBATIM or not VERBATIM_CLASSES.isdisjoint(classes)


def is_spoken(element: Tag, attribute: str) -> bool:
    """Whether an attribute holds words for readers."""
    if element.name == "meta" and attribute == "content":
        return str(element.get("name") or element.get("property")) in SPOKEN_METADATA
    return attribute in SPOKEN or element.name == "template"


def said(element: Tag) -> Iterator[str]:
    """Every text and attribute with words in it, one by one."""
    yield from (str(value) for name, value in element.attrs.items() if is_spoken(element, name))
    if is_verbatim(element) or element.name in UNSEEN:
        return
    for child in element.children:
        if isinstance(child, Tag):
            yield from said(child)
        elif type(child) is NavigableString:
            yield " ".join(child.split())


def untranslated(english: Tag, translation: Tag, names: Iterable[str]) -> set[str]:
    """What both pages say in the same words, unless it is all names, or marked as a language's."""
    quoted = {text for element in english.select("[lang]:not(html)") for text in said(element)}
    same = ({*said(english)} - quoted) & {*said(translation)}
    longest_first = sorted(map(re.escape, names), key=len, reverse=True)
    name = re.compile(rf"\b(?:{'|'.join(longest_first)})\b")
    return {text for text in same if WORD.search(name.sub("", text))}
