"""Running text -> the keys and overrides that it mentions, in literals and bare."""

from __future__ import annotations

import re
import shlex
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from msgspec.structs import replace

from snippet_checker.documents.block import Block
from snippet_checker.hydra import override
from snippet_checker.hydra.setting import Operator, Setting, Value
from snippet_checker.markup import message, scan
from snippet_checker.markup.scan import Literal
from snippet_checker.snippets import claims
from snippet_checker.snippets.snippet import Fault, FaultKind, Mention, Mentions, Original
from snippet_checker.work import TooMuchWork, Work, unchecked

_BRACES = r"\{[\w.*-]+(?:,\s?[\w.*-]+)+\}"  # several keys in one: `{actor,ref}`
_KEY = (
    rf"(?:(?:[A-Za-z*]|{_BRACES})(?:[\w*-]|{_BRACES})*|<\w+>)"
    rf"(?:\.(?:(?:[\w*-]|{_BRACES})+|<\w+>))*"
)
_SETTING = re.compile(
    rf"(?P<operator>\+\+|\+|~)?(?P<key>{_KEY})(?:(?P<sign>\s*(?:==|>=|<=|=|＝|>|<)\s*|:\s+)(?P<value>.*))?",
    re.ASCII | re.DOTALL,
)
_BARE = re.compile(
    r"(?<![\w./@%`{}$-])(?<!\w=)(?P<operator>\+\+|\+|~)?"
    rf"(?P<key>[a-z_](?:[a-z0-9_]|{_BRACES})*(?:\.(?:[a-z_]|{_BRACES})(?:[a-z0-9_]|{_BRACES})*){{1,}})"
    r"(?:(?P<sign>=)(?P<value>[\w.+-]*\w)?(?![/(])|(?![\w/(=-]))",
    re.ASCII,
)
_FILE = re.compile(
    r"(?:/(?:blob|tree)/(?P<ref>[^/\s]+)/|(?<![\w./-]))(?P<path>(?:verl|scripts)/[\w/.-]{0,200}\w\.(?:py|ya?ml))(?![\w/])",
    re.ASCII,
)
_SUFFIX = re.compile(r"\.(?:py|sh|ya?ml|md|rst|json|toml|txt|html|parquet|com|org|io|cn)$", re.I)
_ENVIRONMENT = re.compile(r"[A-Z][A-Z0-9_]*")
# A part in capitals stands for the reader's own, as `<role>` does; the last may be a variable.
_STAND_IN = re.compile(r"<\w+>|(?<=\.)[A-Z][A-Z0-9_]*(?=\.)")
_GROUP = re.compile(_BRACES)
_MOST_KEYS = 64  # of one text in braces
_STEPS_FOR_A_KEY = 100  # of these
# CJK, white space, `vllm/sglang`, and another key: `trainer.nnodes = rollout.nnodes`
_REMARK = re.compile(r"[^!-~]|[/|]|^[a-z_]+(?:\.[a-z_]+)+$")
_CALL = re.compile(r"[A-Za-z_][\w.]*[(\[]")  # code, whose result is not known here
_QUOTED = re.compile(r"(['\"]).*\1", re.DOTALL)
_NEXT_OVERRIDE = re.compile(
    r"(?<!\s)(?:\s*+[,;]\s*+|\s++)(?=[+~]{0,2}[A-Za-z_]\w*(?:\.\w+)+=[^=])", re.ASCII
)
_SIGNS = re.compile(r"[=()\[\]{}'\"]")
_TIMES = re.compile(r"(?<=[A-Za-z0-9])\s*[*×]\s*(?=[A-Za-z0-9])")
_DOTTED = re.compile(r"(?<!\w)[A-Za-z_]\w*(?:\.\w+)+", re.ASCII)

_Read = Iterator[Setting | Fault]
"""Settings, and what of them is too much to read."""


def read(block: Block, work: Work) -> Iterator[Mentions]:
    """One snippet that holds every mention of the block, and its literals and file names."""
    mentions = _read(block, work)
    original = block.original
    if original is not None:
        translated, prose = message.read_both(block, original)
        mentions = replace(mentions, original=Original(_read(original, work), prose, translated))
    yield mentions


def _read(block: Block, work: Work) -> Mentions:
    literals = tuple(scan.literals(block))
    found = [one for literal in literals for one in _in_literal(block, literal, work)]
    found += _bare(block, scan.visible(block), work)
    settings, faults = _parted(found)
    files = tuple(
        Mention(match["path"], block.span(*match.span("path")), match["ref"])
        for match in _FILE.finditer(block.text)
    )
    return Mentions(
        block,
        block.span(0, len(block.text)),
        settings=settings,
        faults=faults,
        literals=tuple(
            Mention(one.text, block.span(one.start, one.start + len(one.text)))
            for one in literals
            if one.is_code
        ),
        files=files,
        claims=tuple(claims.read(block)),
    )


def read_plain(block: Block, work: Work) -> Iterator[Mentions]:
    """The bare dotted keys of a text without markup, such as a program's output."""
    span = block.span(0, len(block.text))
    settings, faults = _parted(list(_bare(block, scan.without_addresses(block.text), work)))
    yield Mentions(block, span, settings=settings, faults=faults)


def _parted(found: Sequence[Setting | Fault]) -> tuple[tuple[Setting, ...], tuple[Fault, ...]]:
    settings = tuple(one for one in found if isinstance(one, Setting))
    return settings, tuple(one for one in found if isinstance(one, Fault))


def _in_literal(block: Block, literal: Literal, work: Work) -> _Read:
    start, text = literal.start, literal.text
    if _TIMES.search(text):
        yield from _factors(block, start, text)
        return
    begin = 0
    for end in (*_ends_of_overrides(text), len(text)):
        lead = len(text[begin:end]) - len(text[begin:end].lstrip(" \n\t,;")) if begin else 0
        one = text[begin + lead : end]
        one = one.rstrip(" ,;") if end < len(text) else one
        yield from _one_in_literal(block, start + begin + lead, one, work)
        begin = end


def _one_in_literal(block: Block, start: int, text: str, work: Work) -> _Read:
    match = _SETTING.fullmatch(text)
    if match is not None:
        yield from _settings(block, start, match, work)
        return
    for word in re.finditer(r"\S+", text):
        match = _SETTING.fullmatch(word[0].strip("'\",;()[]"))
        if match is not None and match["sign"] and "." in match["key"]:
            lead = len(word[0]) - len(word[0].lstrip("'\",;()[]"))
            yield from _settings(block, start + word.start() + lead, match, work)


def _factors(block: Block, start: int, text: str) -> Iterator[Setting]:
    """The keys of a product, as in `trainer.nnodes * trainer.n_gpus_per_node`."""
    for match in _DOTTED.finditer(text):
        span = block.span(start + match.start(), start + match.end())
        yield Setting(match[0], Operator.SET, Value.ABSENT, span)


def _ends_of_overrides(text: str) -> Iterator[int]:
    """Where all but the last override end; what stands in quotes or brackets is their own."""
    before: Counter[str] = Counter()
    begin = 0
    for match in _NEXT_OVERRIDE.finditer(text):
        before.update(_SIGNS.findall(text, begin, match.start()))
        begin = match.start()
        is_whole = all(before[mark] % 2 == 0 for mark in "'\"") and all(
            before[opening] == before[closing]
            for opening, closing in zip("([{", ")]}", strict=True)
        )
        if is_whole and before["="]:
            yield match.start()
            before.clear()


def _settings(block: Block, start: int, match: re.Match[str], work: Work) -> _Read:
    """What one text sets, which is several keys where it has braces."""
    key = _STAND_IN.sub("*", match["key"])
    if _SUFFIX.search(key) or _ENVIRONMENT.fullmatch(key):
        return
    span, value_span = (
        block.span(*(start + offset for offset in match.span(part))) if match[part] else None
        for part in ("key", "value")
    )
    assert span is not None
    operator = Operator(match["operator"] or "=")
    value: Any = Value.UNKNOWN
    try:
        value = _value(match["sign"], match["value"], work)
    except TooMuchWork as error:
        yield Fault(value_span or span, unchecked(error), key, kind=FaultKind.UNCHECKED_PART)
    try:
        for one in _expanded(key, work):
            yield Setting(one, operator, value, span, value_span)
    except TooMuchWork as error:
        yield Fault(span, unchecked(error), key, kind=FaultKind.UNCHECKED_PART)


def _expanded(key: str, work: Work) -> list[str]:
    """The keys that braces make of one text: `clip_ratio_{low,high}`; raises TooMuchWork."""
    keys = [key]
    while (group := _GROUP.search(keys[0])) is not None and len(keys) <= _MOST_KEYS:
        words = [word.strip() for word in group[0][1:-1].split(",")]
        work.reading.spend(_STEPS_FOR_A_KEY * len(keys) * len(words))
        keys = [_GROUP.sub(word, one, count=1) for one in keys for word in words]
    return keys


def _value(sign: str | None, value: str | None, work: Work) -> Any:
    """The value as Hydra reads it, where the text is a value and not a remark.

    Raises TooMuchWork.
    """
    if sign is None or value == "":
        return Value.ABSENT
    value = "$" if value is None else value  # a variable, say
    if value.endswith("*"):  # for several values: `grpo*`
        return Value.UNKNOWN
    if sign.strip() not in ("=", "＝", ":") or _REMARK.search(value) or _CALL.match(value):
        return Value.UNKNOWN
    text = f"key={_typed(value) if sign == '=' else value}"
    work.reading.spend(override.steps(text))
    try:
        parsed = override.parse(text)
    except override.OverrideError:
        return Value.UNKNOWN
    return Value.UNKNOWN if parsed.is_sweep else parsed.value


def _typed(value: str) -> str:
    """The value as a shell hands it on: text shows overrides as they are typed there."""
    if not _QUOTED.fullmatch(value):
        return value
    try:
        words = shlex.split(value)
    except ValueError:
        return value
    return words[0] if len(words) == 1 else value


def _bare(block: Block, visible: str, work: Work) -> _Read:
    """The dotted overrides of what is `visible` of the block: of text that is no literal."""
    for match in _BARE.finditer(visible):
        yield from _settings(block, 0, match, work)
