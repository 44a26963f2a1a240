"""`translation-markup`: markup that breaks in the translation, or that the original has not."""

from __future__ import annotations

import re
from collections.abc import Iterator

from snippet_checker.markup import Markup, MarkupKind
from snippet_checker.model import BlockKind, Problem, Stage
from snippet_checker.rules.base import Case, Rule, Translation, unmatched
from snippet_checker.rules.translation_link import ADDRESSES

_SHOWN_ATTRIBUTE = re.compile(r"\b(title|alt|aria-label)=(?:\"[^\"<>]*\"|'[^'<>]*')")
_COMPARED = (MarkupKind.HTML, MarkupKind.DISPLAY_MATH)
_NO_ROLE = "this is no role: a backquote follows at once, and another one ends it"
# What a reader sees where markup was meant. The kind of the catalog decides which of them count.
_LEFT_OVER = {
    BlockKind.MYST: (
        (r"`+", "a backquote that no other closes"),
        (r"\*\*|(?<!\*)\*(?=\S)|(?<=\S)\*(?!\*)", "CommonMark sees no emphasis here: put a space "
         "between the asterisks and the Chinese or Japanese text, or leave them out"),
        (r"(?<![A-Za-z0-9_])__?(?=[^_\s])[^_\n]*[^\x00-\x7f][^_\n]*_+(?![A-Za-z0-9])",
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
# Scripts that need signs for joining and direction have them in plain text.
_DIRECTED = frozenset({"ar", "fa", "he", "hi", "ur", "yi"})
_VERBATIM = (MarkupKind.LITERAL, MarkupKind.MATH, MarkupKind.DISPLAY_MATH)
_ESCAPE = re.compile(r"(?<!\\)\\([*`])")
_NOQA = re.compile(r"#\s*noqa\s*$")
_COMMAND = re.compile(r"\\[A-Za-z]+(?![\w.])")


def _check(case: Case) -> Iterator[Problem]:
    translation = case.translation
    if translation is None:
        return
    if _is_formula(translation):
        yield from _formula(translation)
        return
    yield from _block(translation)
    yield from _left_over(translation)
    yield from _injected(translation)
    yield from _added_characters(translation)


def _is_formula(translation: Translation) -> bool:
    """Whether the message is the LaTeX of a display: a catalog holds it without its signs."""
    words = translation.source.words
    return _COMMAND.search(words) is not None and re.search(r"[_^=]", words) is not None


def _formula(translation: Translation) -> Iterator[Problem]:
    if translation.block.text != translation.original:
        message = "the original is a formula, which breaks when its translation differs"
        yield Problem(translation.whole, message, None, translation.original)


def _block(translation: Translation) -> Iterator[Problem]:
    block = translation.target.block
    if block is None or "\n" in translation.original.strip():
        return  # several lines may be code
    if any(p.kind is MarkupKind.PLACEHOLDER and p.start == 0 for p in translation.target.markup):
        return  # a string of a program, which is no markup: "%s …"
    shown = "Sphinx shows the original instead"
    if block == "several blocks":
        message = "a translation is one paragraph: Sphinx leaves out all but the first"
    elif block != translation.source.block:
        message = f"this reads as {block}: {shown}; escape its first sign with a backslash"
    elif block == "a numbered list":
        message = f"a text that begins with a number reads as a list: {shown}; write '1\\.'"
    else:
        return
    yield Problem(translation.whole, message)


def _left_over(translation: Translation) -> Iterator[Problem]:
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
        is_code = any(piece.start <= match.start() < piece.end for piece in code)
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
            end = re.compile(r"`+__?(?!\w)").match(text, piece.end)
            if piece.kind is MarkupKind.LITERAL and end and end[0] not in original:
                message = "this is reStructuredText: MyST writes [text](target)"
                yield Problem(translation.span(piece), message, piece.target)
    else:
        for piece in translation.target.markup:
            is_bare = piece.kind is MarkupKind.ROLE and not piece.name
            if is_bare and f"`{piece.target}`" not in original.replace("``", " "):
                message = "this is Markdown: a literal of reStructuredText has two backquotes"
                yield Problem(translation.span(piece), message, piece.target)


def _injected(translation: Translation) -> Iterator[Problem]:
    """A translation must not bring in anything that acts."""
    compared = unmatched(
        (piece for piece in translation.source.markup if piece.kind in _COMPARED),
        (piece for piece in translation.target.markup if piece.kind in _COMPARED),
        lambda piece: (piece.kind, _SHOWN_ATTRIBUTE.sub(r"\1", piece.target)),
    )
    for piece in compared.extra:
        message = f"the {piece.kind} '{_short(piece.target)}' is not in the original"
        yield Problem(translation.span(piece), message, piece.target)
    for piece in compared.missing:
        message = f"the {piece.kind} '{_short(piece.target)}' of the original is missing"
        yield Problem(translation.whole, message, piece.target, piece.target)
    links = unmatched(_links(translation.source.markup), _links(translation.target.markup), _target)
    known = {piece.target for piece in _links(translation.source.markup)}
    added = [piece for piece in links.extra if piece.target not in known]
    for piece in added[len(links.missing) :]:
        message = f"the {piece.kind} to '{_short(piece.target)}' is not in the original"
        yield Problem(translation.span(piece), message, piece.target)


def _links(markup: tuple[Markup, ...]) -> Iterator[Markup]:
    return (piece for piece in markup if piece.kind in ADDRESSES)


def _target(piece: Markup) -> str:
    return piece.target


def _added_characters(translation: Translation) -> Iterator[Problem]:
    text, original = translation.block.text, translation.original
    known = {p.target for p in translation.source.markup if p.kind is MarkupKind.INVISIBLE}
    for piece in translation.target.markup if translation.block.tongue not in _DIRECTED else ():
        if piece.kind is MarkupKind.INVISIBLE and piece.target not in known:
            message = f"the invisible character U+{ord(piece.target):04X} is not in the original"
            yield Problem(translation.span(piece), message)
    noqa = _NOQA.search(text)
    if noqa is not None and not _NOQA.search(original):
        message = "Sphinx takes this for an order to warn of nothing here, and leaves it out"
        yield Problem(translation.block.span(*noqa.span()), message, noqa[0])
    if text.endswith("\n") != original.endswith("\n"):
        message = "original and translation must both end with a line feed, or neither"
        yield Problem(translation.block.span(max(0, len(text) - 1), len(text)), message)


def _short(text: str) -> str:
    return text if len(text) <= 60 else f"{text[:57]}…"


RULE = Rule(
    "translation-markup",
    Stage.DOCS,
    "Markup that breaks in a translation, or that the original does not have.",
    _check,
)
