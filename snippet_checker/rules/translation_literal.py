"""`translation-literal`: what a translation keeps: literals, placeholders, formulas, numbers."""

from __future__ import annotations

import re
from collections import defaultdict, deque
from collections.abc import Iterable, Iterator, Mapping, Set
from decimal import Decimal
from functools import cache
from itertools import chain, islice

from msgspec import Struct

from snippet_checker.findings import Problem, Stage
from snippet_checker.markup.types import Markup, MarkupKind, Number, Prose
from snippet_checker.rules.advice import new_text
from snippet_checker.rules.base import JudgedSnippet, Rule
from snippet_checker.snippets.snippet import Mention, Mentions
from snippet_checker.suggest.likeness import ends_of_names
from snippet_checker.text.closest import closest
from snippet_checker.text.places import Span
from snippet_checker.translations.comparison import Translation, unmatched
from snippet_checker.verl import drift, key_index
from snippet_checker.verl.release import Release

_CJK = r"\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff"
_NO_CJK = rf"[^\s()（）=＝{_CJK}]"
_FEW_DIGITS = 2
_NUMERALS = frozenset({"ja", "zh_CN", "zh_TW"})  # whose ways to write numbers are known
_BOUND = re.compile(r"\b(?:more|fewer|less|greater) than\b")
_COMMENT = re.compile(r"(?:^|\s)#.*")
_KEPT = (MarkupKind.PLACEHOLDER, MarkupKind.SUBSTITUTION, MarkupKind.MATH)
_MOST_COMPARED = 50  # literals that are missing, with one that is not in the original
_LONGEST_COMPARED = 200
_WRITTEN = re.compile(r"(?<![\d.,])\d+(?:[.,]\d+)*(?=(?P<power>[eE][-+]?\d++(?![.,]\d))?)")
_SENTENCE = re.compile(r"[A-Z][a-z']*+(?:,? [A-Za-z'-]++){3,}[.!?]?(?: [A-Z].*)?")
_NAME = re.compile(r"[+~*\w.]*[A-Za-z_*][\w.*]*(?:=[\w.]+)?|[+~\d.]+", re.ASCII)


# Such classes of characters take milliseconds to compile, and only translations need them.


@cache
def _in_cjk() -> re.Pattern[str]:
    return re.compile(rf"[{_CJK}]")


@cache
def _translated() -> re.Pattern[str]:
    return re.compile(
        # 批大小(train_batch_size), use_dynamic_bsz=启用
        rf"{_NO_CJK}*+[{_CJK}][^\s()（）=＝]*+[(（]\s*+[+~*\w.]++\s*+[)）]"
        rf"|[+~*\w.]++[=＝][{_CJK}]++"
    )


def _check(judged: JudgedSnippet) -> Iterator[Problem]:
    if judged.mentions is None:
        return
    if judged.mentions.original is None:
        yield from _translated_inside(judged.mentions, judged.release)
        return
    yield from _literals(judged.mentions, judged.mentions.original.mentions, judged.release)
    if judged.translation is not None:
        yield from _kept(judged.translation)
        yield from _numbers(judged.translation)
        if judged.translation.source.is_command:
            yield from _command(judged.translation)


def _literals(mentions: Mentions, original: Mentions, release: Release) -> Iterator[Problem]:
    found = unmatched(original.literals, mentions.literals, _text)
    known = {_text(literal) for literal in original.literals}
    missing = [literal.text for literal in found.missing]
    sentences = [text for text in missing if _SENTENCE.fullmatch(" ".join(text.split()))]
    for literal in found.extra:
        if _text(literal) in known:
            continue  # one language repeats a name where another has a pronoun
        if sentences and _in_cjk().search(literal.text):
            missing.remove(sentences.pop(0))  # words for people, which are set as code
            continue
        meant = _closest(literal.text, missing)
        if meant is not None:
            missing.remove(meant)
            if _is_mended(meant, literal.text, release):
                continue  # the original is to be mended, too, and brought in again
        yield _changed("literal", literal.text, meant, literal.span)
    said = {_text(literal) for literal in mentions.literals}
    for text in missing:
        if " ".join(text.split()) not in said:  # what is said twice may be said once
            yield _missing("literal", text, mentions.span)


def _is_mended(original: str, text: str, release: Release) -> bool:
    """Whether a translation has the right name for a key that the original has a wrong one for."""
    (old, _, value), (new, _, same) = (one.lstrip("+~").partition("=") for one in (original, text))
    if value != same or not _has(new, release) or _has(old, release):
        return False
    has_root = "." in old and old.partition(".")[0] in release.roots
    return has_root or drift.meant_by(old) is not None or bool(key_index.releases_with(old))


def _has(key: str, release: Release) -> bool:
    return release.has_key(key) or bool(release.expand(key))


def _closest(text: str, missing: Iterable[str]) -> str | None:
    """The literal that may have become `text`: one of the next, which stand in their order."""
    if len(text) > _LONGEST_COMPARED:
        return None
    near = (other for other in missing if len(other) <= _LONGEST_COMPARED)
    return closest(text, islice(near, _MOST_COMPARED))


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
    missing: dict[MarkupKind, deque[Markup]] = defaultdict(deque)
    for piece in found.missing:
        missing[piece.kind].append(piece)
    for piece in found.extra:
        if piece.kind is MarkupKind.PLACEHOLDER and piece.target.strip("{}") in roles:
            continue  # a role that broke, which `translation-markup` reports
        meant = missing[piece.kind].popleft().target if missing[piece.kind] else None
        yield _changed(piece.kind, piece.target, meant, translation.span(piece))
    for piece in chain.from_iterable(missing.values()):
        yield _missing(piece.kind, piece.target, translation.whole)


def _numbers(translation: Translation) -> Iterator[Problem]:
    """Numbers that are gone, and what stands for them or was made up.

    A language may write a number as a word, say it once for twice, or count what another names:
    small numbers that the original does not have are nothing to report by themselves.
    """
    source, target = translation.source, translation.target
    if translation.block.locale not in _NUMERALS:
        return
    # "in billions" may be said once, of all numbers of a text.
    units = {Decimal(n.value) for n in (*source.numbers, *target.numbers) if n.value.isdecimal()}
    ours = _Said.of(target, translation.block.text, units)
    theirs = _Said.of(source, translation.original, units)
    missing = [n for n in source.numbers if not ours.has(n)]
    missing = list({number.value: number for number in missing}.values())
    words = [n for n in source.cardinals if not ours.has(n, in_names=False)]
    if _BOUND.search(source.words):
        words = []  # "more than three" are four at least
    for number in target.numbers:
        if theirs.has(number):
            continue
        if missing:
            meant = missing.pop(0)
            yield _changed("number", number.text, meant.text, translation.span(number))
        elif words and number.unit is None:
            yield _changed("number", number.text, words.pop(0).text, translation.span(number))
        elif not number.value.isdecimal() or len(number.value) > _FEW_DIGITS:
            yield _changed("number", number.text, None, translation.span(number))
    for number in missing:
        yield _missing("number", number.text, translation.whole)
    yield from _units(translation)


class _Said(Struct, frozen=True):
    """The numbers that a message has, if only in a literal or a name: "base-64" and base64.

    `scaled` holds by their digits those that are told in a unit, and `plain` the others.
    """

    values: Set[str]
    scaled: Mapping[str, Set[str]]
    plain: Set[str]
    names: Set[str]
    units: Set[Decimal]

    @classmethod
    def of(cls, prose: Prose, text: str, units: Set[Decimal]) -> _Said:
        """Those of a message that reads `text`; `units` are those that some text names."""
        scaled: dict[str, set[str]] = defaultdict(set)
        for number in prose.numbers:
            if number.is_scaled:
                scaled[number.digits].add(number.value)
        return cls(
            prose.spelled | {number.value for number in prose.numbers},
            scaled,
            {number.digits for number in prose.numbers if not number.is_scaled},
            frozenset(_written(_without(prose.numbers, text))),
            units,
        )

    def has(self, number: Number, *, in_names: bool = True) -> bool:
        """Whether the message has a number, if need be in a unit that its text names."""
        if number.value in self.values or (in_names and number.text in self.names):
            return True
        if number.is_scaled:
            return number.digits in self.plain and self._is_unit(number.digits, number.value)
        others = self.scaled.get(number.digits, ())
        return any(self._is_unit(number.digits, value) for value in others)

    def _is_unit(self, digits: str, value: str) -> bool:
        return Decimal(digits) != 0 and Decimal(value) / Decimal(digits) in self.units


def _without(numbers: Iterable[Number], text: str) -> str:
    """The text with blanks for its numbers."""
    characters = list(text)
    for number in numbers:
        characters[number.start : number.end] = " " * (number.end - number.start)
    return "".join(characters)


def _written(text: str) -> Iterator[str]:
    """Every number of a text as it is written, with what may stand before and behind it."""
    for match in _WRITTEN.finditer(text):
        ends = {match.end(), match.end("power")} if match["power"] else {match.end()}
        starts = [match.start()]
        for sign in ("v", "-"):
            if text.endswith(sign, 0, starts[-1]):
                starts.append(starts[-1] - 1)
        for start in starts:
            if not re.match(r"[\d.,]", text[start - 1 : start]):
                yield from (text[start:end] for end in ends)


def _units(translation: Translation) -> Iterator[Problem]:
    """Numbers that are there, with another unit or without it."""
    units: dict[str, dict[str | None, None]] = {}
    for number in translation.source.numbers:
        units.setdefault(number.value, {})[number.unit] = None
    said = {number.unit for number in translation.target.numbers}
    for number in translation.target.numbers:
        known = units.get(number.value, {None: None})
        stands_later = number.unit is None and bool(said.intersection(known))  # 40 to 80 GB
        if number.unit not in known and None not in known and not stands_later:
            text = translation.block.text[number.start : number.end]
            meant = f"{number.text} {next(iter(known))}"
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
    return Problem(span, message, text, meant, change=new_text(meant))


def _missing(kind: str, text: str, span: Span) -> Problem:
    message = f"the {kind} '{text}' of the original is missing in the translation"
    return Problem(span, message, text, text)


def _translated_inside(mentions: Mentions, release: Release) -> Iterator[Problem]:
    """Literals of a document without an original: a key or its value in another language.

    Other CJK text beside a key is the writer's own: a formula, a condition, a remark.
    """
    for literal in mentions.literals:
        names = [n for n in _NAME.findall(literal.text) if _is_key(n, release)]
        if names and _translated().fullmatch(literal.text):
            message = f"the literal '{literal.text}' translates a key: a literal stays as it is"
            name = f"*{names[0]}" if literal.text.startswith("*") else names[0]
            yield Problem(literal.span, message, literal.text, name)


def _is_key(name: str, release: Release) -> bool:
    """Whether a name is verl's, and not one of many programs: `model_name`, `max_length`."""
    key = name.partition("=")[0].lstrip("+~*")
    return (key.count("_") > 1 or ("_" in key and "." in key)) and (
        bool(release.expand(key)) or key in ends_of_names(release)
    )


RULE = Rule(
    "translation-literal",
    Stage.DOCS,
    "A literal, a placeholder or a number that a translation changed.",
    _check,
)
