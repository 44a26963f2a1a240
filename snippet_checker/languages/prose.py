"""A message of a catalog -> its markup, its words and its numbers, for comparison."""

from __future__ import annotations

import re
from dataclasses import replace

from snippet_checker.languages import myst_markup, numbers
from snippet_checker.markup import Markup, MarkupKind, Prose
from snippet_checker.model import Block, BlockKind

_BARE_ADDRESS = re.compile(
    r"\b(?:(?:https?|ftp|file)://|mailto:(?=\S+@)|javascript:|data:\w+/)[^\s<>`（）「」、。，；\u3041-\u30ff\u3400-\u9fff]+"
)
_PLACEHOLDER = re.compile(
    r"%(?:\(\w+\))?[-#0+]*\d*(?:\.\d+)?[sdrfgxi](?![A-Za-z])|%\(\w+\)|(?<!`)\{\w*\}(?!`)", re.ASCII
)
_WITHOUT_MARKUP = re.compile(r"(?!\s|[-+\d])[^`*_\[\]<>{}$\\!#|~^:&=@\n\t%]*(?<!\s)")


_COMMAND = re.compile(
    r"(?:#!|\$ |>>> |(?:python3?|torchrun|ray|pip3?|git|bash|export) [-\w./=]+)(?!(?s:.*)[.。]\Z)"
    r"|[^\n]* \\\n"
)


def read(block: Block) -> Prose:
    """A message with its markup; offsets are those of the block's text."""
    if _COMMAND.match(block.text):
        return Prose((), " " * len(block.text), is_command=True)
    prose = _marked_up(block)
    words = prose.words
    markup = list(prose.markup)
    for kind, pattern in (
        (MarkupKind.LINK, _BARE_ADDRESS),
        (MarkupKind.PLACEHOLDER, _PLACEHOLDER),
    ):
        for match in pattern.finditer(words):
            end = match.start() + len(match[0].rstrip(".,;:!?'\""))
            markup.append(Markup(kind, words[match.start() : end], match.start(), end))
            words = words[: match.start()] + " " * (end - match.start()) + words[end:]
    return replace(
        prose,
        markup=tuple(markup),
        words=words,
        numbers=tuple(numbers.read(words)),
        spelled=numbers.spelled(words),
    )


def _marked_up(block: Block) -> Prose:
    if _WITHOUT_MARKUP.fullmatch(block.text):
        return Prose((), block.text)
    if block.kind is BlockKind.RST:
        # docutils takes a third of a second to import, and most catalogs hold Markdown.
        from snippet_checker.languages import rst_markup

        return rst_markup.read(block.text)
    return myst_markup.read(block.text)
