"""What a page has in common with its translation: everything but the words.

A page is a row of blocks in the order of the source, each with the elements around it. Within a
block, a translation may put code, links and the like in another order.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from itertools import zip_longest

from bs4 import NavigableString, Tag

from tests.site.wording import UNSEEN, is_spoken, is_verbatim

INLINE = frozenset({
    "a", "abbr", "b", "br", "cite", "code", "em", "i", "img", "kbd", "math", "q", "s", "samp",
    "small", "span", "strong", "sub", "sup",
})  # fmt: skip
SCALES = {"thousand": 3, "million": 6, "billion": 9, "万": 4, "亿": 8, "億": 8, "× 10⁹": 9}
QUANTITY = re.compile(rf"(\d+(?:,\d{{3}})*(?:\.\d+)?)(?: ?({'|'.join(SCALES)}))?")
PUNCTUATION = str.maketrans({"、": ", ", "，": ", ", "。": ". ", "；": "; ", "：": ": "})


@dataclass(slots=True)
class Block:
    """An element, where it stands, and what it holds outside of the blocks in it."""

    place: str
    opening: str
    inline: Counter[str] = field(default_factory=Counter)
    text: str = ""


def differences(english: Tag, translation: Tag) -> Iterator[str]:
    """What is not the same, each with its place; a block of another kind ends the list."""
    for ours, theirs in zip_longest(blocks(english), blocks(translation)):
        if ours is None:
            yield f"{theirs.place}: {theirs.opening} is added"
            return
        if theirs is None:
            yield f"{ours.place}: {ours.opening} is missing"
            return
        if (ours.place, ours.opening) != (theirs.place, theirs.opening):
            yield f"{ours.place}: {ours.opening} became {theirs.opening} in {theirs.place}"
            return
        yield from (f"{ours.place}: {difference}" for difference in inside(ours, theirs))


def inside(ours: Block, theirs: Block) -> Iterator[str]:
    """What differs in two blocks of the same kind."""
    yield from (f"{item} is missing" for item in (ours.inline - theirs.inline).elements())
    yield from (f"{item} is added" for item in (theirs.inline - ours.inline).elements())
    has_words = re.search("[A-Za-z]", ours.text) is not None
    if ours.text != theirs.text and not (has_words and theirs.text):
        yield f"'{ours.text}' became '{theirs.text}'"
    else:
        lost = quantities(ours.text) - quantities(theirs.text)
        yield from (f"the number {number} is missing" for number in lost.elements())


def blocks(element: Tag, around: tuple[str, ...] = ()) -> Iterator[Block]:
    """The block that an element is, and those in it."""
    place = (*around, f"{element.name}#{element.get('id', '')}".removesuffix("#"))
    block = Block(" > ".join(place), opening(element))
    words, inner = [], []
    for content in contents(element):
        if isinstance(content, str):
            words.append(content)
        elif content.name in INLINE or element.name == "svg":
            block.inline[opening(content)] += 1
        else:
            inner.append(content)
    block.text = " ".join("".join(words).translate(PUNCTUATION).split())
    yield block
    for child in inner:
        yield from blocks(child, place)


def contents(element: Tag) -> Iterator[str | Tag]:
    """The texts and elements of a block; those in an inline element follow it."""
    if is_verbatim(element):
        return
    for child in element.children:
        if type(child) is NavigableString:
            yield str(child)
        elif not isinstance(child, Tag) or child.name in UNSEEN:
            continue
        elif child.name == "text" and not is_verbatim(child):
            yield f" {child.get_text()} "  # part of a drawing's label, which is wrapped to its box
        else:
            yield child
            if child.name in INLINE:
                yield from contents(child)


def opening(element: Tag) -> str:
    """The tag with its attributes but without the words in them, and with the text of code."""
    attributes = {**element.attrs, "class": [*element.get_attribute_list("class")]}
    if element.name == "table":  # how wide one is depends on the language
        attributes["class"] = [name for name in attributes["class"] if name != "stacked"]
    shown = (
        (name, "…" if value and is_spoken(element, name) else value)
        for name, value in sorted(attributes.items())
        if value != []
    )
    tag = f"<{element.name}{''.join(f' {name}={value!r}' for name, value in shown)}>"
    return tag + (element.get_text() if is_verbatim(element) else "")


def quantities(text: str) -> Counter[Decimal]:
    """The numbers in a text, whatever words their thousands and millions are written in."""
    return Counter(
        Decimal(digits.replace(",", "")).scaleb(SCALES.get(scale, 0)).normalize()
        for digits, scale in QUANTITY.findall(text)
    )
