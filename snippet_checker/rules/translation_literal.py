"""`translation-literal`: what a translation keeps: literals, placeholders, formulas, numbers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Set
from decimal import Decimal

from snippet_checker.markup import MarkupKind, Number, Prose
from snippet_checker.model import Mention, Problem, Snippet, Span, Stage
from snippet_checker.rules.base import Case, Rule
from snippet_checker.schema.release import Release
from snippet_checker.schema.suggestions import likeness
from snippet_checker.translation import Translation, unmatched

_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uff01-\uff60]")
_FEW_DIGITS = 2
_NUMERALS = frozenset({"ja", "zh_CN", "zh_TW"})  # whose ways to write numbers are known
_BOUND = re.compile(r"\b(?:more|fewer|less|greater) than\b")
_COMMENT = re.compile(r"(?:^|\s)#.*")
_KEPT = (MarkupKind.PLACEHOLDER, MarkupKind.SUBSTITUTION, MarkupKind.MATH)
_NAME = re.compile(r"[+~*\w.]*[A-Za-z_*][\w.*]*(?:=[\w.]+)?|[+~\d.]+", re.ASCII)


def _check(case: Case) -> Iterator[Problem]:
    if case.snippet.original is None:
        yield from _translated_inside(case)
        return
    yield from _literals(case.snippet, case.snippet.original)
    if case.translation is not None:
        yield from _kept(case.translation)
        yield from _numbers(case.translation)
        if case.translation.source.is_command:
            yield from _command(case.translation)


def _literals(snippet: Snippet, original: Snippet) -> Iterator[Problem]:
    found = unmatched(original.literals, snippet.literals, _text)
    known = {_text(literal) for literal in original.literals}
    missing = [literal.text for literal in found.missing]
    for literal in found.extra:
        if _text(literal) in known:
            continue  # one language repeats a name where another has a pronoun
        meant = likeness.closest(literal.text, missing)
        if meant is not None:
            missing.remove(meant)
        yield _changed("literal", literal.text, meant, literal.span)
    said = {_text(literal) for literal in snippet.literals}
    for text in missing:
        if " ".join(text.split()) not in said:  # what is said twice may be said once
            yield _missing("literal", text, snippet.span)


def _text(literal: Mention) -> str:
    return " ".join(literal.text.split())  # a line may end anywhere


def _kept(translation: Translation) -> Iterator[Problem]:
    """Placeholders, substitutions and formulas inside of the text."""
    found = unmatched(
        (piece for piece in translation.source.markup if piece.kind in _KEPT),
        (piece for piece in translation.target.markup if piece.kind in _KEPT),
        lambda piece: (piece.kind, piece.target),
    )
    roles = {piece.name for piece in translation.source.markup if piece.kind is MarkupKind.ROLE}
    missing = list(found.missing)
    for piece in found.extra:
        if piece.kind is MarkupKind.PLACEHOLDER and piece.target.strip("{}") in roles:
            continue  # a role that broke, which `translation-markup` reports
        meant = next((other for other in missing if other.kind is piece.kind), None)
        if meant is not None:
            missing.remove(meant)
        target = meant.target if meant is not None else None
        yield _changed(piece.kind, piece.target, target, translation.span(piece))
    for piece in missing:
        yield _missing(piece.kind, piece.target, translation.whole)


def _numbers(translation: Translation) -> Iterator[Problem]:
    """Numbers that are gone, and what stands for them or was made up.

    A language may write a number as a word, say it once for twice, or count what another names:
    small numbers that the original does not have are nothing to report by themselves.
    """
    source, target = translation.source, translation.target
    if translation.block.tongue not in _NUMERALS:
        return
    # "in billions" may be said once, of all numbers of a text.
    units = {Decimal(n.value) for n in (*source.numbers, *target.numbers) if n.value.isdecimal()}
    ours = _without(target.numbers, translation.block.text)
    theirs = _without(source.numbers, translation.original)
    missing = [n for n in source.numbers if not _stands_in(n, target, ours, units)]
    missing = list({number.value: number for number in missing}.values())
    words = [n for n in source.cardinals if not _stands_in(n, target, "", units)]
    for number in target.numbers:
        if _stands_in(number, source, theirs, units):
            continue
        if missing:
            meant = missing.pop(0)
            yield _changed("number", number.text, meant.text, translation.span(number))
        elif words and number.unit is None and not _is_bound(translation):
            yield _changed("number", number.text, words.pop(0).text, translation.span(number))
        elif not _is_small(number):
            yield _changed("number", number.text, None, translation.span(number))
    for number in missing:
        yield _missing("number", number.text, translation.whole)
    yield from _units(translation)


def _stands_in(number: Number, prose: Prose, text: str, units: Set[Decimal]) -> bool:
    """Whether a message has a number, if only in a literal or a name: "base-64" and base64.

    `text` is the message without its numbers.
    """
    if number.value in prose.spelled or any(_is_same(number, n, units) for n in prose.numbers):
        return True
    return re.search(rf"(?<![\d.,]){re.escape(number.text)}(?![.,]?\d)", text) is not None


def _without(numbers: Iterable[Number], text: str) -> str:
    """The text with blanks for its numbers."""
    for number in numbers:
        text = text[: number.start] + " " * (number.end - number.start) + text[number.end :]
    return text


def _is_same(one: Number, other: Number, units: Set[Decimal]) -> bool:
    """Whether two numbers are equal, if need be in a unit that their text names."""
    if one.value == other.value:
        return True
    if one.is_scaled is other.is_scaled or one.digits != other.digits:
        return False
    scaled = one if one.is_scaled else other
    digits = Decimal(scaled.digits)
    return digits != 0 and Decimal(scaled.value) / digits in units


def _is_bound(translation: Translation) -> bool:
    """Whether a number may be said by its neighbour: "more than three" are four at least."""
    return _BOUND.search(translation.source.words) is not None


def _is_small(number: Number) -> bool:
    return number.value.isdecimal() and len(number.value) <= _FEW_DIGITS


def _units(translation: Translation) -> Iterator[Problem]:
    """Numbers that are there, with another unit or without it."""
    units: dict[str, list[str | None]] = {}
    for number in translation.source.numbers:
        units.setdefault(number.value, []).append(number.unit)
    said = {number.unit for number in translation.target.numbers}
    for number in translation.target.numbers:
        known = units.get(number.value, [None])
        stands_later = number.unit is None and bool(said.intersection(known))  # 40 to 80 GB
        if number.unit not in known and None not in known and not stands_later:
            text = translation.block.text[number.start : number.end]
            meant = f"{number.text} {known[0]}"
            yield _changed("quantity", text, meant, translation.span(number))


def _command(translation: Translation) -> Iterator[Problem]:
    """The lines of a command, of which only comments are translated."""
    start = 0
    ours = (line for line in _without_comments(translation.original) if line)
    for line, shown in zip(
        _without_comments(translation.block.text), translation.block.text.split("\n"), strict=True
    ):
        if line and line != (meant := next(ours, None)):
            span = translation.block.span(start, start + len(shown))
            yield _changed("command", line, meant, span)
            return
        start += len(shown) + 1
    for line in ours:
        yield _missing("command", line, translation.whole)
        return


def _without_comments(text: str) -> list[str]:
    return [" ".join(_COMMENT.sub("", line).split()) for line in text.split("\n")]


def _changed(kind: str, text: str, meant: str | None, span: Span) -> Problem:
    message = f"the {kind} '{text}' is not in the original"
    if meant is not None:
        message += f", which has '{meant}': a {kind} stays as it is"
    return Problem(span, message, text, meant)


def _missing(kind: str, text: str, span: Span) -> Problem:
    message = f"the {kind} '{text}' of the original is missing in the translation"
    return Problem(span, message, text, text)


def _translated_inside(case: Case) -> Iterator[Problem]:
    """Literals of a document without an original: CJK text around a key is a translation."""
    for literal in case.snippet.literals:
        # A full-width sign translates nothing.
        if not _CJK.search(literal.text.replace("＝", "=")):
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


RULE = Rule(
    "translation-literal", Stage.DOCS, "A literal, placeholder or number that was changed.", _check
)
