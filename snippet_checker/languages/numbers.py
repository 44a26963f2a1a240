"""Running text -> its numbers with their units, whichever of the three languages writes them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal

from snippet_checker.markup import Number

_SCALES = {
    "thousand": 3, "k": 3, "K": 3, "千": 3, "万": 4, "萬": 4, "million": 6, "M": 6,
    "百万": 6, "千万": 7, "亿": 8, "億": 8, "billion": 9, "B": 9, "十亿": 9, "trillion": 12,
    "T": 12, "兆": 12, "万亿": 12,
}  # fmt: skip
_UNITS = {
    "%": ("%", "percent", "パーセント"),
    "µs": ("µs", "μs", "us", "microseconds?", "微秒", "マイクロ秒"),
    "ms": ("ms", "milliseconds?", "毫秒", "ミリ秒"),
    "s": ("s", "sec", "seconds?", "秒"),
    "min": ("min", "minutes?", "分钟", "分間", "分(?!の|之)"),
    "h": ("h", "hours?", "小时", "時間"),
    "d": ("days?", "天", "日間", "日"),
    **{f"{scale}B": (f"{scale}B",) for scale in ("k", "K", "M", "G", "T", "P")},
    **{f"{scale}iB": (f"{scale}iB",) for scale in "KMGTP"},
    **{f"{scale}B/s": (f"{scale}B/s",) for scale in "MGT"},
    **{f"{scale}bit/s": (f"{scale}bit/s", f"{scale}bps", f"{scale}b/s") for scale in "MGT"},
    **{f"{scale}Hz": (f"{scale}Hz",) for scale in "kMG"},
    "W": ("W", "watts?", "瓦", "ワット"),
}
"""Each unit in our spelling, with the ways to write it."""


def _either(words: dict[str, str]) -> str:
    return "|".join(sorted(words, key=len, reverse=True))


_SPELLINGS = {spelling: unit for unit, spellings in _UNITS.items() for spelling in spellings}
_SPELLED = {
    "one": 1, "once": 1, "single": 1, "first": 1, "a": 1, "an": 1, "per": 1, "each": 1, "every": 1,
    "two": 2, "twice": 2, "second": 2, "both": 2, "pair": 2, "double": 2, "three": 3, "third": 3,
    "four": 4, "fourth": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
    "eleven": 11, "twelve": 12, "half": "0.5", "hundred": 100,
    "thousand": 1000, "thousands": 1000, "million": 10**6, "millions": 10**6, "billion": 10**9,
    "billions": 10**9, "零": 0, "一": 1, "二": 2, "两": 2, "三": 3, "四": 4,
    "五": 5, "六": 6, "七": 7, "八": 8, "九": 9, "十": 10, "半": "0.5",
}  # fmt: skip
_WORD = re.compile(rf"[A-Za-z]+|[{''.join(w for w in _SPELLED if not w.isascii())}]")
_NUMBER = re.compile(
    r"(?<![A-Za-z0-9_.])(?P<text>v?\d+(?:(?:,\d{3})+(?!\d))?(?:\.\d+)*(?:[eE][-+]?\d{1,3})?)"
    rf"(?:[ \u00a0\u202f-]?(?P<scale>{_either(dict.fromkeys(_SCALES, ''))})(?![A-Za-z0-9])"
    r"| ?× ?10(?P<power>[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,2}))?"
    rf"(?:[ \u00a0\u202f-]?(?P<unit>{_either(_SPELLINGS)})(?![A-Za-z0-9/]))?"
    r"(?![A-Za-z0-9_])"
)


def read(words: str) -> Iterator[Number]:
    """The numbers of a text without markup. Those inside of names, such as H100, are none."""
    before: Number | None = None
    for match in _NUMBER.finditer(_half_width(words)):
        number = _number(match)
        if before is not None and _continues(before, number, words):
            number = _sum(before, number)
        elif before is not None:
            yield before
        before = number
    if before is not None:
        yield before


def _number(match: re.Match[str]) -> Number:
    scale, unit = match["scale"], match["unit"]
    spelling = next((s for s in _SPELLINGS if unit and re.fullmatch(s, unit)), None)
    return Number(
        text=match["text"],
        digits=_value(match["text"], 0),
        value=_value(match["text"], _power(match["power"]) or _SCALES.get(scale or "", 0)),
        unit=_SPELLINGS[spelling] if spelling else None,
        start=match.start(),
        end=match.end(),
    )


def _continues(before: Number, number: Number, words: str) -> bool:
    """Whether two numbers are one: 2 億 6,800 万."""
    between = words[before.end : number.start]
    return before.is_scaled and number.is_scaled and not between.strip() and "\n" not in between


def _sum(before: Number, number: Number) -> Number:
    value = _normal(Decimal(before.value) + Decimal(number.value))
    return replace(number, text=f"{before.text} {number.text}", value=value, start=before.start)


def spelled(words: str) -> frozenset[str]:
    """The values of the numbers that a text may write as words: "two", 两."""
    found = {_SPELLED.get(word.lower()) for word in _WORD.findall(words)}
    return frozenset(_value(str(number), 0) for number in found if number is not None)


def _half_width(text: str) -> str:
    """The text with half-width digits, letters and signs, as long as it was."""
    wide = (unicodedata.normalize("NFKC", char) if char >= "\uff01" else char for char in text)
    return "".join(narrow if len(narrow) == 1 else "\uff01" for narrow in wide)


def _power(raised: str | None) -> int:
    """The exponent of `× 10⁹`, 0 where there is none."""
    return int(unicodedata.normalize("NFKC", raised)) if raised else 0


def _value(text: str, scale: int) -> str:
    digits = text.removeprefix("v").replace(",", "")
    if digits.count(".") > 1:
        return digits  # a release
    return _normal(Decimal(digits).scaleb(scale))


def _normal(number: Decimal) -> str:
    return f"{number.normalize():f}"
