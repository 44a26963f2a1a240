"""Running text -> what it says a key's default is, in sentences and in tables.

English, Chinese and Japanese wordings are known. A sentence that names a release is left alone:
it may tell of another one, and one that names a script of that one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from snippet_checker.model import Block, Claim, Span

_DEFAULT = (
    r"(?:[Dd]efault(?:s|ed)?(?:\s+value)?|默认(?:值|情况下)?|缺省值?|デフォルト(?:値)?|既定(?:値)?)"
)
_LINK = r"(?:\s|to|is|of|as|at|[:=(：（]|值|設定|设置|为|是|は|が|で)*"
_LITERAL = r"(?<!`)(?P<{0}_ticks>``?)(?P<{0}>[^`\s]+)(?P={0}_ticks)(?!`)"
_KEY = _LITERAL.format("key")
# A number that has a unit, or begins a sum, is no setting's value: 16 bytes, 1024 / 256 = 4.
_UNIT = r"(?:(?:[KMGT]i?B|bytes?|bits?|%)(?![a-z])|字节|バイト|比特|ビット|倍)"
_NO_VALUE = rf"(?!\s*(?:[/*×÷+=^-]\s*\d|{_UNIT}))"
_NUMBER = rf"-?\d[\d_]*(?:\.\d+)?(?:e-?\d+)?(?![0-9A-Za-z_%]|[.,]\d){_NO_VALUE}"
_VALUE = rf"(?:{_LITERAL.format('value')}|(?P<bare>{_NUMBER}|True|False|null|None))"
_SENTENCES = (
    # `key` defaults to `value`; `key` (default: `value`); `key` 默认为 `value`
    re.compile(rf"{_KEY}[^`.。!?\n|]{{0,40}}?{_DEFAULT}{_LINK}{_VALUE}"),
    # the default of `key` is `value`; 默认的 `key` 是 `value`
    re.compile(rf"{_DEFAULT}[^`.。!?\n|]{{0,15}}?{_KEY}\s*(?:is|are|[:=：]|为|是|は)\s*{_VALUE}"),
    # `key` is `value` by default; `key` (`value` by default)
    re.compile(
        rf"{_KEY}\s*(?:is|are|[(（=:：]|为|是|は)?(?: set to)?\s*{_VALUE}[)）]?\s*by default"
    ),
)
_WORD = re.compile(_DEFAULT)
# A release, a change, another program's default, or a script with defaults of its own.
_OTHER_SUBJECT = re.compile(
    r"\.(?:sh|py)(?!\w)|(?<![\w.])v?\d+\.\d+\.\d+(?![0-9A-Za-z])"
    r"|(?i:verl|before|until|since|from|in|在|version)\s*v?0\.\d+(?![\d.])|→|->|=>"
    r"|(?<![A-Za-z])(?:release|used to|previously|formerly|not|unlike)(?![a-z])"
    r"|vLLM|SGLang|TRL|transformers|Megatron|DeepSpeed|PyTorch|Ray"
    r"|版本|旧|曾|不是|以前|バージョン|リリース|ではなく|から"
)
_CELL_KEY = re.compile(r"[A-Za-z_][\w.-]*")
_ROW_START = re.compile(r"\s*\*\s+-(?:\s|$)")
_CELL_START = re.compile(r"\s*(?:\*\s+)?-(?:\s+|$)")


@dataclass(frozen=True, slots=True)
class _Cell:
    start: int
    text: str


def read(block: Block) -> Iterator[Claim]:
    """Every statement of a default in a block of running text."""
    if _WORD.search(block.text) is None:
        return  # most running text says nothing of defaults
    yield from _in_sentences(block)
    yield from _in_table(block)


def _in_sentences(block: Block) -> Iterator[Claim]:
    for pattern in _SENTENCES:
        for match in pattern.finditer(block.text):
            group = "value" if match["value"] is not None else "bare"
            if not _OTHER_SUBJECT.search(_sentence_around(block.text, match)):
                yield Claim(match["key"], match[group], block.span(*match.span(group)))


def _sentence_around(text: str, match: re.Match[str]) -> str:
    start = max(text.rfind(mark, 0, match.start()) for mark in (". ", "。", "\n\n", "; ")) + 1
    ends = (text.find(mark, match.end()) for mark in (". ", "。", "\n\n", "; "))
    end = min((end for end in ends if end >= 0), default=len(text))
    key, value = match["key"], match["value"] or match["bare"]
    return text[start:end].replace(key, "").replace(value, "")


def _in_table(block: Block) -> Iterator[Claim]:
    header, *rows = list(_rows(block.text)) or [[]]
    column = next((n for n, cell in enumerate(header) if _WORD.fullmatch(cell.text)), None)
    if column is None:
        return
    for row in rows:
        key = next((found for cell in row[:column] if (found := _literal(cell))), None)
        value = _literal(row[column]) if column < len(row) else None
        if key is not None and value is not None and _CELL_KEY.fullmatch(key.text):
            yield Claim(key.text, value.text, _span(block, value))


def _rows(text: str) -> Iterator[list[_Cell]]:
    """The rows of a pipe table, a grid table or a list table, the header first."""
    start = 0
    row: list[_Cell] = []
    for line in text.split("\n"):
        if "|" in line and not re.fullmatch(r"[\s|:+=-]*", line):
            yield _pipe_cells(line, start)
        elif (cell := _CELL_START.match(line)) is not None:
            if _ROW_START.match(line) and row:
                yield row
                row = []
            row.append(_Cell(start + cell.end(), line[cell.end() :].rstrip()))
        start += len(line) + 1
    if row:
        yield row


def _pipe_cells(line: str, start: int) -> list[_Cell]:
    cells = []
    for match in re.finditer(r"(?:^|(?<=\|))(?:`[^`]*`|\\\||[^|`])*", line):
        stripped = match[0].strip()
        offset = start + match.start() + match[0].find(stripped)
        cells.append(_Cell(offset, stripped))
    leading = line.lstrip().startswith("|")
    return cells[1:] if leading else cells


def _literal(cell: _Cell) -> _Cell | None:
    """What a cell holds if it is one literal or one word."""
    literal = re.fullmatch(r"(``?)([^`\s]+)\1", cell.text)
    if literal is not None:
        return _Cell(cell.start + literal.start(2), literal[2])
    return cell if re.fullmatch(r"[\w.+-]+", cell.text, re.ASCII) else None


def _span(block: Block, cell: _Cell) -> Span:
    return block.span(cell.start, cell.start + len(cell.text))
