"""What the terms of the English text are called in its translations."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping
from typing import Annotated

from msgspec import Meta, Struct, field

_Spelling = Annotated[str, Meta(pattern=r"(?s)\A\S(.*\S)?\Z")]
Spellings = Annotated[
    tuple[_Spelling, ...],
    Meta(
        min_length=1,
        description="a list of one or more strings, none of them empty or with blanks around it",
    ),
]
Note = Annotated[str, Meta(description="a string")]


class Forms(Struct, frozen=True):
    """How one language says a term: one form of `use` has to stand, none of `avoid` may.

    Without `use` the wording is free. The first form is the preferred one.
    """

    use: Spellings = ()
    avoid: Spellings = ()


class Term(Struct, frozen=True):
    """An English term with its forms, the headword first; `forms` are by language code."""

    en: Spellings
    forms: Mapping[str, Forms] = {}
    note: Note = ""


class Keep(Struct, frozen=True):
    """Names that stand in every language as they are spelled here."""

    en: Spellings
    note: Note = ""


class Glossary(Struct, frozen=True):
    terms: tuple[Term, ...] = ()
    keeps: tuple[Keep, ...] = ()


class Vocabulary(Struct, frozen=True):
    """A glossary that can be looked up in a text."""

    pattern: re.Pattern[str] = re.compile(r"(?!)")
    terms: Mapping[str, Term] = field(default_factory=dict)
    names: Mapping[str, Keep] = field(default_factory=dict)

    def said(self, words: str) -> dict[str, Term | Keep]:
        """The entries that an English text uses, by its own spelling of them.

        Of those that overlap the longer one counts: "micro-batch size" is not about "batch".
        """
        return {
            spelling: self.names.get(spelling) or self.terms[_key(spelling)]
            for spelling in self.pattern.findall(words)
        }


NO_TERMS = Vocabulary()
"""The vocabulary where there is no glossary."""


def vocabulary(glossary: Glossary) -> Vocabulary:
    """A glossary's terms in either number and any case, and its names as they are spelled."""
    terms = {_key(form) + end: t for t in glossary.terms for form in t.en for end in _PLURALS}
    names = {form: keep for keep in glossary.keeps for form in keep.en}
    patterns = {form: rf"(?ai:{_spaced(form)})" for form in terms} | {
        n: re.escape(n) for n in names
    }
    longest_first = sorted(patterns, key=len, reverse=True)
    # At each word, only the forms that begin with its letter are tried: there are hundreds.
    by_letter: dict[str, list[str]] = defaultdict(list)
    for form in longest_first:
        by_letter[form[0].lower()].append(patterns[form])
    either = "|".join(
        f"(?=(?ai:{re.escape(letter)}))(?:{'|'.join(forms)})" for letter, forms in by_letter.items()
    )
    pattern = re.compile(rf"(?<![\w.-])(?:{either or '(?!)'})(?![\w-]|\.\w)")
    return Vocabulary(pattern, terms, names)


_PLURALS = ("es", "s", "")


def _key(form: str) -> str:
    return re.sub(r"[\s-]+", " ", form).casefold()


def _spaced(form: str) -> str:
    return re.escape(form).replace(r"\ ", r"[\s-]+")
