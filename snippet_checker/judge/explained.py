"""Whether running text explains what became of a key that it names, and so names it on purpose.

Facts make that certain: a successor, an earlier release, a table's column of old keys, struck-out
text. Words such as "removed" may be said of anything, so they only make it likely.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from enum import Enum, auto

from packaging.version import Version

from snippet_checker.documents.block import Block
from snippet_checker.markup import sentences, tables
from snippet_checker.snippets import releases
from snippet_checker.text.places import Span


class Explanation(Enum):
    """Whether a text says what became of a key."""

    NONE = auto()
    LIKELY = auto()
    CERTAIN = auto()


# What a text may call old, or remove, without a word on a key: `log_probs` of the old policy.
_PARTS = (
    r"(?:workers?|polic(?:y|ies)|log|probs?|trainers?|engines?|models?|implementations?|weights?"
    r"|实现|實現|实作|策略|模型|引擎|训练|権重|权重|方策|モデル|実装|ワーカー|エンジン)"
)
_PADDING = r"(?!\s?(?:of\s)?(?:padding|pad\b|填充|パディング))"
_OLD = re.compile(
    rf"\b(?:(?:old(?:er)?|legacy)(?!\s{_PARTS})|former(?:ly)?|previously"
    rf"|earlier (?:releases?|versions?)|used to)\b|[旧舊](?!版?\s?{_PARTS})"
    r"|古い|老版本|早期版本|以前|変更前|原(?:名|参数|配置|来)",
    re.IGNORECASE,
)
_ENDED = re.compile(
    rf"\b(?:remov(?:ed|es|al)\b{_PADDING}|delet(?:ed|es|ion)|dropp?(?:ed|s)|retired"
    r"|deprecat\w+|obsolete|gone|ceased|discontinued|eliminated|phased out|ended|unsupported"
    r"|no longer|any ?more|(?:not|n't) exist|no effect|ineffective)\b"
    rf"|移除{_PADDING}|删除|废弃|弃用|废除|过时|失效|无效|下线|不起作用|不生效|取消|停用|停止支持"
    r"|不再|不存在|已经?没有|没有效果|不能再"
    r"|廃止|削除|非推奨|終了|撤廃|取り除|なくな|無効(?:にな|です|と)|存在し(?:ま|な)"
    r"|(?:設定|効果)は(?:ない|ありま)|使え(?:ま?せん|ない|なく)|使用でき(?:ま?せん|ない|なく)",
    re.IGNORECASE,
)
_REPLACED = re.compile(
    r"\b(?:renam(?:ed|es|ing)|moved|replac(?:ed|es)|migrat\w+|supersed\w+|bec[ao]me|successor"
    r"|instead|in favou?r)\b"
    r"|改名|更名|改称|迁移|取代|替代|代替|改为|移動|名前が変|変更され|置き換え|に代わ|の代わり",
    re.IGNORECASE,
)
_DENIED = re.compile(
    r"\b(?:wrong(?:ly)?|incorrect(?:ly)?|mistaken(?:ly)?|invalid|typos?|reject(?:s|ed))\b(?!-)"
    r"|[错錯]|[误誤](?![差判])|拒[绝絕否]|間違",
    re.IGNORECASE,
)
# What another key is to be used for stands right behind these words.
_IN_PLACE_OF = re.compile(r"\b(?:instead of|rather than)\b[^`,;:]{0,40}`*$", re.IGNORECASE)
_CHANGED = (_OLD, _ENDED, _REPLACED)
_BEFORE = re.compile(r"\b(?:before|previous|earlier)\b|之前|原(?!因|理)", re.IGNORECASE)
# In the header above a key: its column holds old ones. "Replaced by" stands above new ones.
_OF_OLD_KEYS = (_OLD, _ENDED, _BEFORE)
_OF_FATES = (_ENDED, _REPLACED)

_LITERAL = re.compile(r"`+[^`]*`+")
_STRIKE = re.compile(r"(?<!~)~~(?!~)")
_STRIKING_TAGS = ("del", "s", "strike")
_ITEM_END = re.compile(r"\n[ \t]*\n|\n(?=[ \t]*(?:[-*+•]|\d{1,9}[.)])[ \t])")
_REACH = 1200  # no list item that tells something goes on for longer on either side


def explanation(block: Block, span: Span, successors: Collection[str], release: str) -> Explanation:
    """What the text around the key at `span` says of its change, up to `release`."""
    text = block.text
    start, end = block.bounds(span)
    rows = tables.read(text)
    found = tables.find(rows, start)
    if found is not None:
        row, own = found
        first, last = row[own].start, row[own].end
        others = " | ".join(cell.text for n, cell in enumerate(row) if n != own)
    else:
        row, own, others = (), 0, ""
        first, last = sentences.split(text).around(start, end)
    before, key, after = text[first:start], text[start:end], text[end:last]
    around = f"{before} {after}"
    if (
        (row and _is_among_old_keys(rows[0], row, own, release))
        or _is_struck(before, after)
        or _is_about_earlier(around, release)
        or _names_any(f"{around} {others}", key, successors)
    ):
        return Explanation.CERTAIN
    if not _has(_CHANGED, _LITERAL.sub("", f"{before}` `{after} {others}")):
        return Explanation.NONE
    near = others or _item(text, start, end)
    names_release = any(releases.named(f"{around} {near}"))
    return (
        Explanation.CERTAIN
        if names_release or _names_any(near, key, successors)
        else Explanation.LIKELY
    )


def is_denied(block: Block, span: Span, successors: Collection[str]) -> bool:
    """Whether the sentence around the key at `span` calls it wrong, and names what is right."""
    text = block.text
    start, end = block.bounds(span)
    first, last = sentences.split(text).around(start, end)
    before, key, after = text[first:start], text[start:end], text[end:last]
    around = f"{before} {after}"
    is_denied = _has((_DENIED,), _LITERAL.sub("", around)) or _has((_IN_PLACE_OF,), before)
    return is_denied and _names_any(around, key, successors)


def is_among_old_keys(block: Block, span: Span) -> bool:
    """Whether the key at `span` stands in a table's column of old keys."""
    rows = tables.read(block.text)
    found = tables.find(rows, block.offset(*span.start))
    if found is None or found[0] is rows[0]:
        return False
    row, own = found
    titles = [cell.text for cell in rows[0]]
    return own < len(titles) and row is not rows[0] and _has(_OF_OLD_KEYS, titles[own])


def _is_among_old_keys(header: tables.Row, row: tables.Row, own: int, release: str) -> bool:
    """Whether a key stands in a column of old keys, or beside what became of it."""
    if row is header:
        return False
    titles = [cell.text for cell in header]
    above = titles[own] if own < len(titles) else ""
    if _has(_OF_OLD_KEYS, above) or _is_about_earlier(above, release):
        return True
    return any(
        n != own and re.search(r"\w", cell.text) and _has(_OF_FATES, title)
        for n, (title, cell) in enumerate(zip(titles, row, strict=False))
    )


def _is_struck(before: str, after: str) -> bool:
    """Whether what stands between two texts is struck out: `~~x~~`, `<del>x</del>`."""
    if len(_STRIKE.findall(before)) % 2 and _STRIKE.search(after):
        return True
    return any(
        before.rfind(f"<{tag}>") > before.rfind(f"</{tag}>") and f"</{tag}>" in after
        for tag in _STRIKING_TAGS
    )


def _is_about_earlier(text: str, release: str) -> bool:
    """Whether a text is about the time before a release."""
    checked = Version(release)
    return any(named.is_before(checked) for named in releases.named(text))


def _names_any(text: str, key: str, successors: Collection[str]) -> bool:
    """Whether a text names a successor of `key`."""
    return any(_name_of(successor, key).search(text) is not None for successor in successors)


def _name_of(successor: str, key: str) -> re.Pattern[str]:
    """How a text names a successor: by its last two parts, or by a new name that is telling."""
    parent, _, leaf = successor.lstrip("+").rpartition(".")
    end = re.escape(f"{parent.rpartition('.')[2]}.{leaf}".lstrip("."))
    is_telling = "_" in leaf and leaf != key.rpartition(".")[2]
    alone = rf"|(?<![\w.]){re.escape(leaf)}" if is_telling else ""
    return re.compile(rf"(?:(?<!\w){end}{alone})(?!\w)")


def _has(words: Sequence[re.Pattern[str]], text: str) -> bool:
    return any(pattern.search(text) is not None for pattern in words)


def _item(text: str, start: int, end: int) -> str:
    """The paragraph or list item around some characters, without them."""
    first = max(0, start - _REACH)
    for match in _ITEM_END.finditer(text, first, start):
        first = match.end()
    after = _ITEM_END.search(text, end, end + _REACH)
    return f"{text[first:start]} {text[end : after.start() if after else end + _REACH]}"
