"""`glossary.toml`: a glossary as people write it, read and checked."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from snippet_checker.config import ConfigError, read_toml
from snippet_checker.translations.glossary import Forms, Glossary, Keep, Term

_LANGUAGE = re.compile(r"[a-z]{2,3}(_[A-Z][A-Za-z]+)?")


def load(path: Path) -> Glossary:
    """The glossary in a file; raises ConfigError."""
    try:
        data = read_toml(path)
        for name in data.keys() - {"term", "keep"}:
            raise _Wrong(f"has no '{name}'; it has [[term]] and [[keep]]")
        glossary = Glossary(
            tuple(_term(entry) for entry in _entries(data, "term")),
            tuple(_keep(entry) for entry in _entries(data, "keep")),
        )
        _check_unique(glossary)
    except _Wrong as error:
        raise ConfigError(f"{path}: {error}") from None
    return glossary


class _Wrong(Exception):
    """What is wrong with an entry."""


def _entries(data: Mapping[str, Any], kind: str) -> list[dict[str, Any]]:
    entries = data.get(kind, [])
    if isinstance(entries, list) and all(isinstance(entry, dict) for entry in entries):
        return entries
    raise _Wrong(f"write every {kind} under [[{kind}]]")


def _term(entry: dict[str, Any]) -> Term:
    en = _strings(entry, "en", "a term")
    languages = {key: value for key, value in entry.items() if key not in ("en", "note")}
    for language in languages:
        if not _LANGUAGE.fullmatch(language):
            raise _Wrong(f"term '{en[0]}': '{language}' is no language code like zh_CN")
    forms = {key: _forms(value, f"term '{en[0]}', {key}") for key, value in languages.items()}
    return Term(en, forms, _note(entry, en[0]))


def _keep(entry: dict[str, Any]) -> Keep:
    en = _strings(entry, "en", "a keep")
    for key in entry.keys() - {"en", "note"}:
        raise _Wrong(f"keep '{en[0]}' has no '{key}'; it has en, note")
    return Keep(en, _note(entry, en[0]))


def _forms(table: object, place: str) -> Forms:
    if not isinstance(table, dict):
        raise _Wrong(f"{place}: write {{ use = […], avoid = […] }}")
    for key in table.keys() - {"use", "avoid"}:
        raise _Wrong(f"{place} has no '{key}'; it has use, avoid")
    if not table:
        raise _Wrong(f"{place} is empty")
    forms = Forms(*(_strings(table, k, place) if k in table else () for k in ("use", "avoid")))
    for used in forms.use:
        for avoided in forms.avoid:
            if avoided in used:
                raise _Wrong(f"{place}: '{avoided}' is to be avoided and stands in '{used}'")
    return forms


def _strings(table: Mapping[str, Any], key: str, place: str) -> tuple[str, ...]:
    """The strings under `key`: at least one, none of them blank, each once."""
    value = table.get(key)
    if not isinstance(value, list) or not value or not all(isinstance(s, str) for s in value):
        raise _Wrong(f"{place}: '{key}' must be a list of one or more strings")
    for position, string in enumerate(value):
        if not string or string != string.strip():
            raise _Wrong(f"{place}: '{key}' has an empty form, or one with blanks around it")
        if string in value[:position]:
            raise _Wrong(f"{place}: '{key}' has '{string}' twice")
    return tuple(value)


def _note(entry: Mapping[str, Any], name: str) -> str:
    note = entry.get("note", "")
    if not isinstance(note, str):
        raise _Wrong(f"'{name}': 'note' must be a string")
    return note


def _check_unique(glossary: Glossary) -> None:
    """Case does not tell two terms apart, nor does being a term or a keep."""
    entries: tuple[Term | Keep, ...] = (*glossary.terms, *glossary.keeps)
    seen: dict[str, str] = {}
    for form in (form for entry in entries for form in entry.en):
        if (other := seen.get(form.casefold())) is not None:
            raise _Wrong(f"'{form}' stands twice" + (f", once as '{other}'" * (other != form)))
        seen[form.casefold()] = form
