"""`translation-link`: a link, a role, an image or a footnote that a translation changed."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator

from snippet_checker.documents.block import BlockKind
from snippet_checker.findings import Problem, Stage
from snippet_checker.markup.types import ADDRESSES, BY_NAME, Markup, MarkupKind
from snippet_checker.rules.base import JudgedSnippet, Rule
from snippet_checker.text.closest import closest
from snippet_checker.translations.comparison import Translation, unmatched

KINDS = (MarkupKind.LINK, MarkupKind.ROLE, MarkupKind.IMAGE, MarkupKind.FOOTNOTE)
# What stands in these is shown to the reader, and translated.
_SHOWN = frozenset({"abbr", "dfn", "guilabel", "menuselection", "sub", "sup", "term", "strong"})


def _check(judged: JudgedSnippet) -> Iterator[Problem]:
    translation = judged.translation
    if translation is None:
        return
    found = unmatched(
        filter(_is_compared, translation.source.markup),
        filter(_is_compared, translation.target.markup),
        _identity,
    )
    missing = found.missing
    known = {_identity(piece) for piece in translation.source.markup}
    for piece in found.extra:
        if _identity(piece) in known:
            continue  # one language repeats a name where another has a pronoun
        meant = _meant(piece, missing)
        if meant is not None:
            missing.remove(meant)
            yield _changed(translation, piece, meant)
        elif piece.kind not in ADDRESSES:  # a link from nowhere is for `translation-markup`
            message = f"{_named(piece)} is not in the original"
            yield Problem(translation.span(piece), message, piece.target)
    for piece in missing:
        message = f"{_named(piece)} of the original is missing in the translation"
        yield Problem(translation.whole, message, piece.target, piece.target)
    yield from _one_anchor(translation)


def _is_compared(piece: Markup) -> bool:
    """Not a role without a name: reStructuredText's backquotes around what may be anything."""
    return piece.kind in KINDS and (piece.kind is not MarkupKind.ROLE or bool(piece.name))


def _identity(piece: Markup) -> tuple[str, ...]:
    """What has to be the same on both sides."""
    is_open = _is_compared_elsewhere(piece) or piece.name == BY_NAME
    return (piece.kind, piece.name, "" if is_open else piece.target)


def _is_compared_elsewhere(piece: Markup) -> bool:
    """Whether a role holds words, or a literal, which `translation-literal` compares."""
    name = piece.name.rpartition(":")[2]
    return name in _SHOWN or name in ("code", "literal") or piece.name.startswith("verl:")


def _meant(piece: Markup, missing: list[Markup]) -> Markup | None:
    """The piece of the original that was probably changed into `piece`."""
    alike = [other for other in missing if other.kind is piece.kind]
    same = next((other for other in alike if other.target == piece.target), None)
    if same is not None or len(alike) == 1:
        return same or alike[0]
    nearest = closest(piece.target, [other.target for other in alike])
    return next((other for other in alike if other.target == nearest), None)


def _changed(translation: Translation, piece: Markup, meant: Markup) -> Problem:
    if piece.target == meant.target:
        message = f"the role '{piece.name}' of '{piece.target}' is '{meant.name}' in the original"
        return Problem(translation.span(piece), message, piece.name, meant.name)
    message = f"{_named(piece)} is '{meant.target}' in the original: a target stays as it is"
    return Problem(translation.span(piece), message, piece.target, meant.target)


def _named(piece: Markup) -> str:
    name = f"{piece.kind} {piece.name!r} to" if piece.name else piece.kind
    return f"the {name} '{piece.target}'"


def _one_anchor(translation: Translation) -> Iterator[Problem]:
    """Sphinx gives all links of a translated message to one document the last one's anchor."""
    if translation.block.kind is not BlockKind.MYST:
        return
    last: dict[str, Markup] = {}
    links = [piece for piece in translation.target.markup if piece.kind is MarkupKind.LINK]
    for piece in links:
        if _document(piece) and "://" not in piece.target:
            last[_document(piece)] = piece
    for piece in links:
        meant = last.get(_document(piece))
        if meant is not None and meant.target != piece.target:
            message = (
                f"Sphinx leads this link to '{meant.target}', as the last one to that document; "
                "in the original, make them {ref} roles with labels of their own"
            )
            yield Problem(translation.span(piece), message, piece.target)


def _document(piece: Markup) -> str:
    document = piece.target.partition("#")[0]
    return posixpath.normpath(document) if document else ""


RULE = Rule(
    "translation-link",
    Stage.DOCS,
    "A link, a role, an image or a footnote that a translation changed.",
    _check,
)
