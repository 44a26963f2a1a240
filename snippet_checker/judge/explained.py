"""Whether running text tells what became of a key that it names, and so names it on purpose.

The sentence counts, or the row of a table with the header above the key.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Collection
from dataclasses import dataclass, replace

from snippet_checker.documents.block import Block
from snippet_checker.markup import sentences, tables
from snippet_checker.text.places import Span

_BE = r"(?:is|are|was|were|be|been|being|got|gets)"
_CHANGED = (
    r"(?:renamed|removed|moved|replaced|deprecated|dropped|deleted|retired|migrated|gone|obsolete"
    r"|superseded|folded|legacy)"
)
_ADVERB = r"(?:now|since|also|already|completely|\w+ly)"
_NOUN = r"(?:option|key|setting|parameter|field|flag|argument|switch|name|entry|config)s?"
_CLAUSE = r"(?:so|because|when|if|while|then|to|where|that|which|whether|how|until|unless|and)"
# What stands between a key and what is said of it: nothing that has a subject of its own.
_GAP = (
    rf"\s*+(?:{_NOUN}\b\s*+)?(?:\([^)]*\)\s*+)?"
    rf"(?:(?:of|in|from|under|for)\s++(?:(?!\b{_CLAUSE}\b)[^,;:.，；：。]){{1,50}}?\s)?"
    r"|[^;.。]{0,120}?[;,(—–-]\s*(?:it|they|this|these|which|that)\s++"
)
_AFTER = re.compile(
    rf"[`\s)\]*~]*+(?:{_GAP})(?:"
    rf"(?:(?:has|have|had|will|should)\s+)?(?:{_ADVERB}\s+)?\b{_BE}\s+(?:{_ADVERB}\s+)?{_CHANGED}\b"
    r"|\bno\s+longer\s+(?!=|equal|set\b|\d)|\b(?:is|are|does|do|has|have)\s+no\s+longer\b"
    r"|\b(?:does|do|is|are|has|have)(?:\s+not|n't)\b[^,;.]{0,30}\bany\s?more\b"
    r"|\bbecame\b|\b(?:has|have|had)\s+(?:gone|moved|become)\b|\bused\s+to\b"
    r"|\b(?:moved|renamed)\s+(?:to|in|into|under)\b(?!\s+early)|\breplaced\s+(?:by|with)\b"
    r"|(?:已经?)?不再(?:有效|支持|使用|存在|可用|需要|生效|起作用|被|是|有|读)|已?不存在"
    r"|[はが]?\s*(?:もう使え|なくなり|なくなった))",
    re.IGNORECASE,
)
_DIRECTLY_AFTER = re.compile(
    rf"[`\s,;:()\[\]*~—–-]*(?:{_BE}\s+|{_ADVERB}\s+)*(?:{_CHANGED}|deprecation)\b(?!\s+early)",
    re.IGNORECASE,
)
_BEFORE = re.compile(
    r"\b(?:renam(?:e[sd]?|ing)|remov(?:e[sd]?|ing|al)|deprecat\w+|migrat\w+|former(?:ly)?"
    r"|previous(?:ly)?|old|replac(?:e[sd]?|ing)|instead|in\s+place|supersed\w+|dropp?(?:s|ed|ing)?"
    r"|mov(?:e[sd]?|ing)|delet(?:e[sd]?|ing)|retir(?:e[sd]?|ing)|legacy|obsolete)\b",
    re.IGNORECASE,
)
# The way from such a word to its object, or to a colon that introduces the key.
_TO_KEY = re.compile(
    rf"(?:\s+(?:the|an?|any|all|old|former|legacy|these|this|our|your|of|from|in|called|known|as|such"
    rf"|like|set|setting|using|writing|e\.g\.|{_NOUN}))*\s*[:：]?[\s\"'(\[*_~`]*"
    r"|[^,;.，；。]{0,60}[:：][\s`*]*",
    re.IGNORECASE,
)
_SAID_OF_WHAT_PRECEDES = re.compile(rf"\b{_BE}\s+(?:{_ADVERB}\s+)?$", re.IGNORECASE)
_INTRODUCES = re.compile(r"(?:[:：]|\bfrom)[\s`]*$")
_REACH = 100
_ANYWHERE = re.compile(
    r"\b(?:old(?:er)?|earlier|previous|former|past)\s+(?:verl\s+)?(?:releases?|versions?)\b"
    r"|改名|更名|移除|删除|废弃|弃用|迁移|取代|替代|已改为|旧版|旧的|旧名|旧参数|旧配置|老版本|更早|早期版本"
    r"|廃止|削除|改称|移動|以前(?:の|は)|旧キー|旧名|に代わ|変更され|変更前|名.{0,3}変更|まで(?:は|の).{0,80}でした",
    re.IGNORECASE,
)
_BECAME_KEY = re.compile(r"改为\s*`+[A-Za-z_]\w*\.")
_HEADER = re.compile(
    r"\b(?:old(?:er)?|before|former(?:ly)?|previous(?:ly)?|deprecated|removed|legacy|obsolete)\b"
    r"|[旧舊]|原(?!因|理)|之前|以前|変更前|廃止|削除|移除|弃用|废弃",
    re.IGNORECASE,
)
_HEADER_OF_FATE = re.compile(
    r"\b(?:removed|deprecated|replaced|renamed|moved|successor|became)\b"
    r"|移除|弃用|废弃|替代|取代|廃止|削除|改名",
    re.IGNORECASE,
)
_CELL = re.compile(
    rf"\b(?:{_CHANGED}|rename|remove|former(?:ly)?|old\s+name|migrat\w+)\b", re.IGNORECASE
)
_NUMBER = r"v?(?P<{0}>0\.\d(?:\.\d+)?)(?![\d%])(?!\.\d)(?!\s+of\b)"
_IN_RELEASE = re.compile(
    r"(?:\b(?:in|on)\s+(?:verl\s+)?(?:version\s+|release\s+)?|\b(?:verl|version|release)\s+"
    rf"|[(（]\s*(?:verl\s+)?|在\s*(?:verl\s*)?|(?<![\w.])(?=v)){_NUMBER.format('number')}"
    r"|(?<![\w.])(?P<full>0\.\d\.\d+)(?![\w%])(?!\.\d)"
    r"|^\W*v?(?P<alone>0\.\d)(?:\s*[:：]|\W*$)"
    r"|(?<![\w.])v?(?P<eastern>0\.\d(?:\.\d+)?)\s*(?:では|の|版|时)",
    re.IGNORECASE,
)
_UNTIL_RELEASE = re.compile(
    r"(?:\b(?:until|till|before|through|up\s+to)\s+(?:verl\s+)?|[≤<]=?\s*)"
    rf"{_NUMBER.format('number')}"
    r"|(?<![\w.])v?(?P<eastern>0\.\d(?:\.\d+)?)\s*"
    r"(?:まで|之前|以前|及更早|及以前|及之前|and\s+(?:earlier|older|before))",
    re.IGNORECASE,
)
# `since 0.7` tells of later releases, too, and vLLM has releases of its own.
_NOT_THEN = re.compile(
    r"(?:\b(?:since|from|after)|[≥>]=?|自|从)\s*(?:verl\s*)?$"
    r"|(?:vllm|sglang|torch|transformers|megatron|mcore|ray|trl|peft|attn|deepspeed|nemo)"
    r"[^\s`]{0,200}`*+\s*+(?:(?:version|release)\s*+)?[(（]?[=≥>~<≤]*+\s*+v?$",
    re.IGNORECASE,
)
_LITERAL = re.compile(r"(`{1,8})(?=[^`]*[A-Za-z])[^`]+\1")
_BETWEEN = r"(?:,|、|/|and|or|和|及|\s){1,60}"
_LIST_BEFORE = re.compile(rf"(?:(?<!`)`++@++`++{_BETWEEN}){{1,60}}`*$")
_LIST_AFTER = re.compile(rf"(?<!`)`*+(?:{_BETWEEN}`++@++`++)+")


@dataclass(frozen=True, slots=True)
class _Named:
    """A key that a sentence or a cell names at `start`, and what may have become of it."""

    text: str
    start: int
    end: int
    successors: tuple[str, ...]
    release: str

    def within(self, first: int, last: int) -> _Named:
        """The same key in a part of the text."""
        part = self.text[first:last]
        return replace(self, text=part, start=self.start - first, end=self.end - first)

    @property
    def key(self) -> str:
        return self.text[self.start : self.end]


def explains_removal(block: Block, span: Span, successors: Collection[str], release: str) -> bool:
    """Whether the text around the key at `span` tells what became of it by `release`."""
    start = block.offset(span.line, span.column)
    end = block.offset(span.end_line, span.end_column - 1) + 1
    named = _Named(block.text, start, end, tuple(successors), release)
    rows = tables.read(block.text)
    found = tables.find(rows, start)
    if found is not None:
        return _row_tells(rows[0], *found, named)
    return _sentence_tells(named.within(*sentences.split(block.text).around(start, end)))


def _sentence_tells(named: _Named) -> bool:
    text = named.text
    around = text[: named.start] + " " + text[named.end :]
    before, after = _blanked(text[: named.start], text[named.end :])
    return (
        _names(around, named.successors)
        or _names_past_release(around, named.release)
        or _ANYWHERE.search(before + " " + after) is not None
        or _BECAME_KEY.search(text) is not None
        or _AFTER.match(after) is not None
        or _DIRECTLY_AFTER.match(after) is not None
        or _is_told_before(before)
    )


def _is_told_before(text: str) -> bool:
    """Whether what precedes a key is about it: `we removed`, and not `rows are removed, set`."""
    for match in _BEFORE.finditer(text, max(0, len(text) - _REACH)):
        if _TO_KEY.fullmatch(text, match.end()) is None:
            continue
        if not _SAID_OF_WHAT_PRECEDES.search(text[: match.start()]) or _INTRODUCES.search(text):
            return True
    return False


def _blanked(before: str, after: str) -> tuple[str, str]:
    """The text on both sides of a key without the words in other literals.

    Keys that the text lists together with this one are left out: they share its fate.
    """
    tail = re.match(r"[^`\s]*`+", after)
    after = after[tail.end() :] if tail is not None else after
    before, after = (_LITERAL.sub(_at_signs, side) for side in (before.rstrip("`"), after))
    return _LIST_BEFORE.sub("", before), _LIST_AFTER.sub("", after, count=1)


def _at_signs(match: re.Match[str]) -> str:
    ticks = match[1]
    return ticks + "@" * (len(match[0]) - 2 * len(ticks)) + ticks


def _row_tells(header: tables.Row, row: tables.Row, own: int, named: _Named) -> bool:
    above = header[own].text if row is not header and own < len(header) else ""
    others = [cell.text for n, cell in enumerate(row) if n != own]
    return (
        _HEADER.search(above) is not None
        or _names_past_release(above, named.release)
        or any(_names(text, named.successors) for text in others)
        or any(_cell_tells(text, named.key) for text in others)
        or _sentence_tells(named.within(row[own].start, row[own].end))
        or _is_under_fate(header, row, own)
    )


def _cell_tells(text: str, key: str) -> bool:
    """Whether another cell tells what became of the key: `rows are removed` is about rows."""
    told = _CELL.search(text) or _ANYWHERE.search(text)
    if told is None:
        return False
    return key in text or told.start() == 0 or _IN_RELEASE.search(text) is not None


def _is_under_fate(header: tables.Row, row: tables.Row, own: int) -> bool:
    """Whether a column such as "Removed in" or "Replaced by" says something in this row."""
    return any(
        n != own and re.search(r"\w", cell.text) and _HEADER_OF_FATE.search(title.text)
        for n, (title, cell) in enumerate(zip(header, row, strict=False))
    )


def _names(text: str, successors: tuple[str, ...]) -> bool:
    """Whether a text names a successor, whole or by its last two parts."""
    return any(_end_of(successor).search(text) is not None for successor in successors)


def _end_of(key: str) -> re.Pattern[str]:
    end = ".".join(key.lstrip("+").split(".")[-2:])
    return re.compile(rf"(?<![\w]){re.escape(end)}(?!\w)")


def _names_past_release(text: str, release: str) -> bool:
    """Whether a text is about a release before `release`."""
    checked = _numbers(release)
    for pattern, is_past in ((_IN_RELEASE, operator.lt), (_UNTIL_RELEASE, operator.le)):
        for match in pattern.finditer(text):
            name = next(group for group in match.groupdict() if match[group])
            named = _numbers(match[name])
            before = text[: match.start(name)]
            if is_past(named, checked[: len(named)]) and not _NOT_THEN.search(before):
                return True
    return False


def _numbers(release: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d{1,9}", release)[:3])
