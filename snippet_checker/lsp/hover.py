"""What is known of a key, for people who point at it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from lsprotocol.types import Hover, MarkupContent, MarkupKind, Position, Range

from snippet_checker.documents.block import BlockKind
from snippet_checker.findings import Finding
from snippet_checker.hydra.setting import Value
from snippet_checker.judge.verdict import Accepted, Verdict
from snippet_checker.links import Links
from snippet_checker.lsp.analysis import Analysis, holds
from snippet_checker.lsp.cursor import block_around, mount, yaml_path
from snippet_checker.lsp.documents import Document
from snippet_checker.lsp.keys import Keys, keys_at, keys_of, shown
from snippet_checker.reports import history as history_report
from snippet_checker.rules import pages
from snippet_checker.text.printable import bounded, printable
from snippet_checker.verl import descriptions, history, lifecycle
from snippet_checker.verl.release import Release

_MOST_KEYS = 8
_MANDATORY = "???"
_YAML_NAME = re.compile(r"(?P<indent>\s*(?:- +)*)[\"']?(?P<key>[\w.-]+)[\"']?:")


def hover(document: Document, analysis: Analysis, position: Position) -> Hover | None:
    """What an editor shows of a place: its key, and why something is wrong there; None without."""
    line, column = document.place(position)
    wrong = [one for one in analysis.findings if holds(one.span, line, column)]
    parts = [*_of_key(document, analysis, position), *_of_rules(document, wrong, analysis.links)]
    if not parts:
        return None
    said = "\n\n---\n\n".join(text for text, _ in parts)
    return Hover(MarkupContent(MarkupKind.Markdown, said), parts[0][1])


def _of_key(
    document: Document, analysis: Analysis, position: Position
) -> Iterator[tuple[str, Range]]:
    """What is known of the key at a place, and where that is written."""
    for judged, verdict in analysis.settings_at(*document.place(position)):
        said = about_any(_named(verdict), keys_of(judged), analysis.links)
        if said:
            yield said, document.range(verdict.setting.span)
            return
    yield from _of_mapping(document, analysis, position)


def _of_rules(
    document: Document, wrong: Sequence[Finding], links: Links
) -> Iterator[tuple[str, Range]]:
    """What the rules are about that found something, and where to read more."""
    for rule, finding in {finding.rule: finding for finding in reversed(wrong)}.items():
        lead, address = pages.lead(rule), links.rule(rule)
        more = f"[More]({address})" if address else f"More: `snippet-checker explain {rule}`"
        if lead is not None:
            yield f"**{_code(rule)}** {lead}\n\n{more}", document.range(finding.span)


def about_any(names: Sequence[str], keys: Keys, links: Links) -> str:
    """What is known of the full keys that a text may mean, in Markdown; empty if nothing is."""
    known = [name for name in names if _is_known(name, keys)]
    if not known:
        return ""
    said = "\n\n".join(about(known[0], keys, links))
    others = ", ".join(map(_code, known[1:_MOST_KEYS]))
    more = " and more" if len(known) > _MOST_KEYS else ""
    return f"{said}\n\nOther keys that end so: {others}{more}" if others else said


def about_at(document: Document, analysis: Analysis, line: int, name: str) -> str:
    """What is known of a key that may be written in a line, counted from 0."""
    block = block_around(document, analysis, Position(line, 0))
    if block is None:
        return ""
    return about_any([name], keys_at(block, analysis, line + 1), analysis.links)


def about(name: str, keys: Keys, links: Links) -> Iterator[str]:
    """A key or a config group in paragraphs of Markdown."""
    yield f"**{_code(name)}**"
    release = keys.release.name
    if name in keys.groups and not keys.is_mapping(name):
        options = ", ".join(map(_code, keys.options(name)))
        yield f"Config group of verl {release}: {options}; {_code(keys.groups[name])} without it."
        return
    if keys.is_mapping(name):
        inner = ", ".join(_code(key.rpartition(".")[2]) for key in keys.children(name))
        yield f"Holds {inner}."
    elif keys.has(name):
        yield f"verl {release}: {'; '.join(_facts(name, keys))}."
    else:
        yield f"verl {release} does not have this key."
    if (text := descriptions.of_key(name, release)) is not None:
        yield text
    yield from _notes(name, keys.release)
    if not keys.is_mapping(name) and history.of_key(name) is not None:
        lines = "\n".join(line.strip() for line in history_report.show(name)[1:])
        yield f"```text\n{lines}\n```"
    if (address := links.key(name)) is not None and not keys.is_mapping(name):
        yield f"[In the reference]({address})"


def _named(verdict: Verdict) -> Sequence[str]:
    """The full keys that a setting may mean."""
    keys = verdict.keys if isinstance(verdict, Accepted) else ()
    return keys or (verdict.setting.group_key,)


def _is_known(name: str, keys: Keys) -> bool:
    return keys.has(name) or name in keys.groups or history.of_key(name) is not None


def _facts(name: str, keys: Keys) -> Iterator[str]:
    default = keys.default(name)
    if default == _MANDATORY:
        yield "no default, so it has to be set"
    elif default is not Value.ABSENT:
        yield f"default {_code(shown(default))}"
    if kinds := keys.kinds(name):
        yield f"takes {' or '.join(kinds)}"
    if words := keys.words(name):
        yield f"words {', '.join(map(_code, words))}"
    if keys.needs_plus(name):
        yield "a command brings it in with `+` only"


def _notes(name: str, release: Release) -> Iterator[str]:
    """What was read in verl's code about a key that is on its way out."""
    deprecated = lifecycle.deprecated(name, release.name)
    ineffective = lifecycle.ineffective(name, release.name, None)
    for note, what in ((ineffective, "Has no effect"), (deprecated, "Deprecated")):
        if note is not None:
            where = "" if note.is_reviewed(release.name) else f" in verl {note.reviewed}"
            new = note.replacement(name, release)
            yield f"{what}{where}: {note.reason(None)}{f'; set {_code(new)}' if new else ''}."


def _of_mapping(
    document: Document, analysis: Analysis, position: Position
) -> Iterator[tuple[str, Range]]:
    """What a mapping of a YAML text holds, for whoever points at its name, and its place."""
    block = block_around(document, analysis, position)
    name = _YAML_NAME.match(document.line(position.line))
    if block is None or block.block.kind is not BlockKind.YAML or name is None:
        return
    start = document.offset(Position(position.line, 0))
    first, last = start + name.start("key"), start + name.end("key")
    if not first <= document.offset(position) <= last:
        return
    keys = keys_at(block, analysis, position.line + 1)
    path = yaml_path(document, block, position.line, len(name["indent"]))
    full = keys.roots_of(".".join(part for part in (mount(block), path, name["key"]) if part))
    if keys.is_mapping(full):
        said = "\n\n".join(about(full, keys, analysis.links))
        yield said, document.range_of(first, last)


def _code(text: str) -> str:
    """A text as code, whatever it holds."""
    return f"`{printable(bounded(text)).replace('`', chr(39))}`" if text else '`""`'
