"""`removed-key`: an earlier release had this key, the checked one does not."""

from __future__ import annotations

import re
from collections.abc import Iterator

from snippet_checker.model import Context, Problem, Snippet, Stage
from snippet_checker.rules.base import Case, Rule, best, did_you_mean
from snippet_checker.schema import drift, history
from snippet_checker.schema.verdict import Absence

# Running text that tells what became of a key names it on purpose.
_HISTORY = re.compile(
    r"\b(?:renamed?|removed?|moved|replaced|former(?:ly)?|deprecated|earlier|old name|migrat\w+)\b"
    r"|改名|更名|移除|删除|废弃|弃用|迁移|旧版|廃止|削除|改称|移動|以前|変更",
    re.IGNORECASE,
)
_RELEASE = re.compile(r"(?<![\d.])0\.\d+(?:\.\d+)?(?![\d.])")


def _is_told_of(snippet: Snippet, line: int, key: str) -> bool:
    """Whether the line of running text that names a key tells what became of it."""
    if snippet.context is not Context.MENTION:
        return False
    lines = snippet.block.text.split("\n")
    number = line - snippet.block.span(0, 0).line
    text = lines[number] if number < len(lines) else snippet.block.text
    if not text.lstrip().startswith("|"):
        return _HISTORY.search(text) is not None
    return any(_tells(cell, key) for cell in text.strip().strip("|").split("|"))


def _tells(cell: str, key: str) -> bool:
    """Whether a cell tells what became of the key: its own, or one that is about that alone.

    `rows are removed` in the next cell is about rows.
    """
    told = _HISTORY.search(cell)
    if told is None or key in cell:
        return told is not None
    return told.start() == len(cell) - len(cell.lstrip()) or _RELEASE.search(cell) is not None


def _check(case: Case) -> Iterator[Problem]:
    for verdict in case.absent(Absence.REMOVED):
        if _is_told_of(case.snippet, verdict.setting.span.line, verdict.setting.key):
            continue
        key = verdict.setting.key
        message = f"'{key}' was a key of verl until {verdict.where}; {case.release.name}"
        successor = best(verdict)
        if successor is not None and _is_same_setting(key, successor):
            message += f" has '{successor}'"
        else:
            message += " has no key of that name" + did_you_mean(verdict)
        yield Problem(verdict.setting.span, message, key, best(verdict))


def _is_same_setting(key: str, successor: str) -> bool:
    """Whether a key is what became of another one, and not just of the same name."""
    return successor in (drift.moved(key), history.fate(key)[1])


RULE = Rule("removed-key", Stage.HYDRA, "A key that an earlier release had.", _check)
