"""`translation-literal`: a literal is never translated, added or lost in translation."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from snippet_checker.model import Mention, Problem, Stage
from snippet_checker.rules.base import Case, Rule
from snippet_checker.schema import likeness
from snippet_checker.schema.release import Release

_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uff01-\uff60]")
_NAME = re.compile(r"[+~*\w.]*[A-Za-z_*][\w.*]*(?:=[\w.]+)?", re.ASCII)


def _check(case: Case) -> Iterator[Problem]:
    if case.snippet.original is None:
        yield from _translated_inside(case)
        return
    source = Counter(literal.text for literal in case.snippet.original.literals)
    present = Counter(literal.text for literal in case.snippet.literals)
    missing = list((source - present).elements())
    extra = present - source
    for literal in reversed(case.snippet.literals):
        if extra[literal.text] > 0:
            extra[literal.text] -= 1
            meant = likeness.closest(literal.text, missing)
            if meant is not None:
                missing.remove(meant)
            yield _changed(literal, meant)
    for text in missing:
        message = f"the literal '{text}' of the original is missing in the translation"
        yield Problem(case.snippet.span, message, text, text)


def _changed(literal: Mention, meant: str | None) -> Problem:
    message = f"the literal '{literal.text}' is not in the original"
    if meant is not None:
        message += f", which has '{meant}': a literal stays as it is"
    return Problem(literal.span, message, literal.text, meant)


def _translated_inside(case: Case) -> Iterator[Problem]:
    """Literals of a document without an original: CJK text around a key is a translation."""
    for literal in case.snippet.literals:
        if not _CJK.search(literal.text):
            continue
        names = [n for n in _NAME.findall(literal.text) if _is_key(n, case.release)]
        if names:
            message = f"the literal '{literal.text}' translates a key: a literal stays as it is"
            name = f"*{names[0]}" if literal.text.startswith("*") else names[0]
            yield Problem(literal.span, message, literal.text, name)


def _is_key(name: str, release: Release) -> bool:
    key = name.partition("=")[0].lstrip("+~*")
    return "_" in key and (
        bool(release.expand(key)) or any(leaf.endswith(f"_{key}") for leaf in release.by_leaf)
    )


RULE = Rule("translation-literal", Stage.DOCS, "A literal that a translation changed.", _check)
