"""`translation-term`: a translation that says a term otherwise than the glossary does."""

from __future__ import annotations

import re
from collections.abc import Iterator

from snippet_checker.findings import Problem, Stage
from snippet_checker.rules.advice import new_text
from snippet_checker.rules.base import JudgedSnippet, Rule
from snippet_checker.translations.comparison import Translation
from snippet_checker.translations.glossary import Forms, Keep, Term


def _check(judged: JudgedSnippet) -> Iterator[Problem]:
    translation = judged.translation
    if translation is None:
        return
    for spelling, entry in judged.vocabulary.said(translation.source.words).items():
        if isinstance(entry, Keep):
            yield from _lost(translation, spelling)
        elif (forms := entry.forms.get(translation.block.locale or "")) is not None:
            yield from _avoided(translation, entry, forms)
            yield from _unused(translation, entry, forms)


def _lost(translation: Translation, name: str) -> Iterator[Problem]:
    if name not in translation.block.text:
        message = f"the name '{name}' of the original stays as it is"
        yield Problem(translation.whole, message, name, name)


def _avoided(translation: Translation, term: Term, forms: Forms) -> Iterator[Problem]:
    meant = forms.use[0] if forms.use else None
    for form in forms.avoid:
        for match in re.finditer(re.escape(form), translation.target.words):
            message = f"'{form}' is not the glossary's word for '{term.en[0]}'"
            message += f", which is '{meant}'" if meant else ""
            span = translation.block.span(*match.span())
            yield Problem(span, message, form, meant, change=new_text(meant))


def _unused(translation: Translation, term: Term, forms: Forms) -> Iterator[Problem]:
    text = translation.block.text.casefold()
    if forms.use and not any(form.casefold() in text for form in forms.use):
        words = " or ".join(f"'{form}'" for form in forms.use)
        message = f"the glossary says {words} for '{term.en[0]}', which the original has"
        yield Problem(translation.whole, message, term.en[0], forms.use[0])


RULE = Rule("translation-term", Stage.DOCS, "A term that the glossary says otherwise.", _check)
