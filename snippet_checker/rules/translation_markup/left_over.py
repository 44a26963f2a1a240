"""Signs that were meant as markup, and that readers see as they are."""

from __future__ import annotations

import re
from collections.abc import Iterator

from snippet_checker.documents.block import BlockKind
from snippet_checker.findings import Problem
from snippet_checker.markup.types import MarkupKind
from snippet_checker.translations.comparison import Translation

_NO_ROLE = "this is no role: a backquote follows at once, and another one ends it"
# What a reader sees where markup was meant. The kind of the catalog decides which of them count.
_LEFT_OVER = {
    BlockKind.MYST: (
        (r"`+", "a backquote that no other closes"),
        (r"\*\*|(?<!\*)\*(?=\S)|(?<=\S)\*(?!\*)", "CommonMark sees no emphasis here: put a space "
         "between the asterisks and the Chinese or Japanese text, or leave them out"),
        (r"(?<![A-Za-z0-9_])__?(?=[^_\s])(?=[^_\n]*?[^\x00-\x7f])[^_\n]*+_+(?![A-Za-z0-9])",
         "CommonMark sees no emphasis inside "
         "of a word: write asterisks"),
        (r"\]\s*[(（]|［[^］\n]{0,200}］\s*[（(]", "this is no link: it is written [text](target), "
         "with half-width brackets and without a space"),
        (r"\{[\w+-]+:[\w:+-]*\}", _NO_ROLE),
        (r"｀|＊＊", "this is a full-width sign, which is no markup"),
        (r"~~+", "CommonMark strikes nothing out"),
        (r":[a-z][\w:+-]{0,40}:(?=\s*$|\s)", "this is reStructuredText: MyST writes {role}`text`"),
        (r"^\.\. [\w-]+::", "this is reStructuredText: MyST writes ```{directive}"),
        (r"(?<!:)::\s*$", "this is reStructuredText, where it announces a literal block"),
    ),
    BlockKind.RST: (
        (r"`+", "a backquote that docutils does not take for markup: put '\\ ' between it and "
         "the Chinese or Japanese text"),
        (r"\*\*|(?<!\*)\*(?=\S)|(?<=\S)\*(?!\*)", "docutils sees no emphasis here: put '\\ ' "
         "between the asterisks and the Chinese or Japanese text"),
        (r"\[[^\]\n]{0,200}\]\([^)\n]{0,200}\)", "this is Markdown: reStructuredText writes "
         "`text <target>`_"),
        (r"\{[\w:+-]+\}", "this is MyST: reStructuredText writes :role:`text`"),
        (r"｀|＊＊", "this is a full-width sign, which is no markup"),
    ),
}  # fmt: skip
_PATTERNS = {
    kind: [(re.compile(pattern), message) for pattern, message in patterns]
    for kind, patterns in _LEFT_OVER.items()
}
_VERBATIM = (MarkupKind.LITERAL, MarkupKind.MATH, MarkupKind.DISPLAY_MATH)
_ESCAPE = re.compile(r"(?<!\\)\\([*`])")


def left_over(translation: Translation) -> Iterator[Problem]:
    """Signs that are markup in the original and stand in the text here."""
    taken = bytearray(len(translation.target.words) + 1)
    for pattern, message in _PATTERNS[translation.block.kind]:
        known = len(pattern.findall(translation.source.words))
        for match in list(pattern.finditer(translation.target.words))[known:]:
            place = slice(match.start(), max(match.end(), match.start() + 1))
            if not any(taken[place]):
                taken[place] = b"x" * (place.stop - place.start)
                sign = match[0].strip()
                span = translation.block.span(match.start(), match.end())
                yield Problem(span, f"'{sign}': {message}", sign)
    yield from _broken_roles(translation)
    yield from _escaped(translation)
    yield from _of_the_other_language(translation)


def _escaped(translation: Translation) -> Iterator[Problem]:
    """Markup that a backslash turned into signs."""
    code = [p for p in translation.target.markup if p.kind in _VERBATIM]
    for match in _ESCAPE.finditer(translation.block.text):
        is_code = any(piece.holds(match.start()) for piece in code)
        is_shown = match[1] in translation.source.words or match[0] in translation.original
        if match[1] in translation.original and not is_code and not is_shown:
            message = f"'{match[0]}': the backslash makes a plain sign of this, and no markup"
            yield Problem(translation.block.span(*match.span()), message, match[0], match[1])


def _broken_roles(translation: Translation) -> Iterator[Problem]:
    roles = {piece.name for piece in translation.source.markup if piece.kind is MarkupKind.ROLE}
    for piece in translation.target.markup:
        if piece.kind is MarkupKind.PLACEHOLDER and piece.target.strip("{}") in roles:
            yield Problem(translation.span(piece), f"'{piece.target}': {_NO_ROLE}", piece.target)


def _of_the_other_language(translation: Translation) -> Iterator[Problem]:
    """Literals and links as the other markup language writes them."""
    text, original = translation.block.text, translation.original
    if translation.block.kind is BlockKind.MYST:
        for piece in translation.target.markup:
            end = re.compile(r"(?<!`)`++__?(?!\w)").match(text, piece.end)
            if piece.kind is MarkupKind.LITERAL and end and end[0] not in original:
                message = "this is reStructuredText: MyST writes [text](target)"
                yield Problem(translation.span(piece), message, piece.target)
    else:
        for piece in translation.target.markup:
            is_bare = piece.kind is MarkupKind.ROLE and not piece.name
            if is_bare and f"`{piece.target}`" not in original.replace("``", " "):
                message = "this is Markdown: a literal of reStructuredText has two backquotes"
                yield Problem(translation.span(piece), message, piece.target)
