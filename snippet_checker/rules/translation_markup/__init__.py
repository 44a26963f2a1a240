"""`translation-markup`: markup that breaks in the translation, or that the original has not."""

from __future__ import annotations

import re
from collections.abc import Iterator

from snippet_checker.findings import Problem, Stage
from snippet_checker.markup.types import MarkupKind
from snippet_checker.rules.base import JudgedSnippet, Rule
from snippet_checker.rules.translation_markup.injected import added_characters, injected
from snippet_checker.rules.translation_markup.left_over import left_over
from snippet_checker.translations.comparison import Translation

_LATEX = re.compile(r"(?<![:\w\\])\\[A-Za-z]+(?![\w.\\])")


def _check(judged: JudgedSnippet) -> Iterator[Problem]:
    translation = judged.translation
    if translation is None:
        return
    if _is_formula(translation):
        yield from _formula(translation)
        return
    yield from _block(translation)
    yield from left_over(translation)
    yield from injected(translation)
    yield from added_characters(translation)


def _is_formula(translation: Translation) -> bool:
    """Whether the message is the LaTeX of a display: a catalog holds it without its signs."""
    words = translation.source.words
    return _LATEX.search(words) is not None and re.search(r"[_^=]", words) is not None


def _formula(translation: Translation) -> Iterator[Problem]:
    if translation.block.text != translation.original:
        message = "the original is a formula, which breaks when its translation differs"
        yield Problem(translation.whole, message, None, translation.original)


def _block(translation: Translation) -> Iterator[Problem]:
    block = translation.target.block
    if block is None or "\n" in translation.original.strip():
        return  # several lines may be code
    if translation.block.holds_blocks and block == translation.source.block:
        return  # the tool that made the catalog keeps that markup in it
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


RULE = Rule(
    "translation-markup",
    Stage.DOCS,
    "Markup that breaks in a translation, or that its original does not have.",
    _check,
)
