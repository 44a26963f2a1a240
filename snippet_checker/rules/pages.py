"""The pages of the rules, as plain text: what is wrong, what is right, and how to go on.

They are the pages of the site (`docs/checker/rules`); the distribution holds them beside the rules.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

_HERE = Path(__file__).parent
_FOLDERS = (_HERE / "pages", _HERE.parents[1] / "docs/checker/rules")
_FRONT_MATTER = re.compile(r"\A---\n.*?^---\n", re.DOTALL | re.MULTILINE)
_LABEL = re.compile(r"^\([\w-]+\)=\n", re.MULTILINE)
_COMMENT = re.compile(r"^[ \t]*<!--[^\n]*-->\n", re.MULTILINE)
_TITLED_ROLE = re.compile(r"\{[\w:-]+\}`([^`<]+?) <[^`>]+>`")
_RULE_ROLE = re.compile(r"\{ref\}`rule-([\w-]+)`")
_ROLE = re.compile(r"\{[\w:-]+\}(`[^`]+`)")
_FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})")
_INDENT = "    "


def text(rule: str) -> str | None:
    """The page of a rule; None where the package was installed without it."""
    for folder in _FOLDERS:
        page = folder / f"{rule}.md"
        if page.is_file():
            return _plain(page.read_text("utf-8"))
    return None


def lead(rule: str) -> str | None:
    """How the page of a rule begins: what is wrong, and what comes of it."""
    page = text(rule)
    if page is None:
        return None
    _, first, *others = page.split("\n\n")
    return f"{first}\n\n{others[0]}" if first.endswith(":") else first


def _plain(page: str) -> str:
    """Markdown as people read it at a terminal: code is indented, links are their titles."""
    for markup in (_FRONT_MATTER, _LABEL, _COMMENT):
        page = markup.sub("", page)
    page = _TITLED_ROLE.sub(r"\1", page)
    page = _ROLE.sub(r"\1", _RULE_ROLE.sub(r"`\1`", page))
    return "\n".join(_without_fences(page.strip().split("\n"))) + "\n"


def _without_fences(lines: list[str]) -> Iterator[str]:
    fence = ""
    for line in lines:
        match = _FENCE.match(line)
        if not fence and match is not None:
            fence = match[1]
        elif fence and line.strip() == fence:
            fence = ""
        else:
            yield f"{_INDENT}{line}".rstrip() if fence else line
