"""`glossary.toml`: a glossary as people write it, read and checked."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from snippet_checker import typed
from snippet_checker.config import ConfigError, read_toml
from snippet_checker.translations.glossary import Forms, Glossary, Keep, Term
from snippet_checker.typed import Mismatch

_LANGUAGE = re.compile(r"[a-z]{2,3}(_[A-Z][A-Za-z]+)?")


def load(path: Path) -> Glossary:
    """The glossary in a file; raises ConfigError."""
    data = read_toml(path)
    try:
        for name in data.keys() - {"term", "keep"}:
            raise Mismatch(f"has no '{name}'; it has [[term]] and [[keep]]")
        glossary = Glossary(
            tuple(_term(entry) for entry in _entries(data, "term")),
            tuple(_keep(entry) for entry in _entries(data, "keep")),
        )
        _check_unique(glossary)
    except Mismatch as error:
        raise ConfigError(f"{path}: {error}") from None
    return glossary


def _entries(data: Mapping[str, Any], kind: str) -> list[dict[str, Any]]:
    entries: list[dict[str, Any]] = data.get(kind, [])
    if not typed.fits(entries, list[dict[str, Any]]):
        raise Mismatch(f"write every {kind} under [[{kind}]]")
    return entries


def _term(entry: dict[str, Any]) -> Term:
    place = _place("term", entry)
    own: dict[str, Any] = {key: entry[key] for key in ("en", "note") if key in entry}
    tables = {key: value for key, value in entry.items() if key not in own}
    for language in tables:
        if not _LANGUAGE.fullmatch(language):
            raise Mismatch(f"{place}: '{language}' is no language code like zh_CN")
    forms = {language: _forms(tables[language], f"{place}, {language}") for language in tables}
    term = typed.read(own, Term, place, forms=forms)
    _check_once(term.en, f"{place}: 'en'")
    return term


def _keep(entry: dict[str, Any]) -> Keep:
    place = _place("keep", entry)
    keep = typed.read(entry, Keep, place)
    _check_once(keep.en, f"{place}: 'en'")
    return keep


def _place(kind: str, entry: Mapping[str, Any]) -> str:
    """What an entry is called, which may not be one yet."""
    en = entry.get("en")
    return f"{kind} '{en[0]}'" if typed.fits(en, list[str]) and en else f"a {kind}"


def _forms(table: object, place: str) -> Forms:
    if not isinstance(table, dict):
        raise Mismatch(f"{place}: write {{ use = […], avoid = […] }}")
    if not table:
        raise Mismatch(f"{place} is empty")
    forms = typed.read(table, Forms, place)
    _check_once(forms.use, f"{place}: 'use'")
    _check_once(forms.avoid, f"{place}: 'avoid'")
    for used in forms.use:
        for avoided in forms.avoid:
            if avoided in used:
                raise Mismatch(f"{place}: '{avoided}' is to be avoided and stands in '{used}'")
    return forms


def _check_once(spellings: Sequence[str], place: str) -> None:
    for position, spelling in enumerate(spellings):
        if spelling in spellings[:position]:
            raise Mismatch(f"{place} has '{spelling}' twice")


def _check_unique(glossary: Glossary) -> None:
    """Case does not tell two terms apart, nor does being a term or a keep."""
    entries: tuple[Term | Keep, ...] = (*glossary.terms, *glossary.keeps)
    seen: dict[str, str] = {}
    for form in (form for entry in entries for form in entry.en):
        if (other := seen.get(form.casefold())) is not None:
            raise Mismatch(f"'{form}' stands twice" + (f", once as '{other}'" * (other != form)))
        seen[form.casefold()] = form
