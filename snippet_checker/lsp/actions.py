"""What an editor offers to do about findings: their fixes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from lsprotocol.types import CodeAction, CodeActionKind, Range, TextEdit, WorkspaceEdit

from snippet_checker.findings import Finding
from snippet_checker.lsp.diagnostics import diagnostic
from snippet_checker.lsp.documents import Document
from snippet_checker.lsp.links import Links
from snippet_checker.text.inert import shown
from snippet_checker.text.places import Span

FIX_ALL = f"{CodeActionKind.SourceFixAll.value}.snippet-checker"
KINDS = (CodeActionKind.QuickFix, FIX_ALL)


@dataclass(frozen=True, slots=True)
class Mending:
    """What mends a finding: texts to be written in places of its file.

    One that `is_safe` sets the same setting; any other may be a guess.
    """

    edits: tuple[tuple[Span, str], ...]
    is_safe: bool


def mending_of(finding: Finding) -> Mending | None:
    """The fix of a finding, where it has one; the only place that knows what a fix looks like."""
    fix: Any = getattr(finding, "fix", None)
    if fix is None:
        return None
    return Mending(tuple((edit.span, edit.new) for edit in fix.edits), fix.is_safe)


def actions(
    findings: Sequence[Finding],
    document: Document,
    place: Range,
    only: Sequence[str] | None,
    links: Links,
) -> list[CodeAction]:
    """The fixes of the findings in a place, and one action for all that are safe in the file.

    `only` are the kinds that the editor asks for, or what they begin with; None stands for any.
    """
    found: list[CodeAction] = []
    if _is_asked(CodeActionKind.QuickFix.value, only):
        found += _quick_fixes(findings, document, place, links)
    if _is_asked(FIX_ALL, only) and (edits := _all_safe(findings, document)):
        title = "Fix all that is sure to mean the same"
        found.append(CodeAction(title, kind=FIX_ALL, edit=_workspace_edit(document, edits)))
    return found


def _is_asked(kind: str, only: Sequence[str] | None) -> bool:
    return only is None or any(f"{kind}.".startswith(f"{one}.") for one in only)


def _quick_fixes(
    findings: Iterable[Finding], document: Document, place: Range, links: Links
) -> Iterator[CodeAction]:
    for finding in findings:
        mending = mending_of(finding)
        shown_at = document.range(finding.span)
        if mending is None or shown_at.start > place.end or shown_at.end < place.start:
            continue
        edits = _text_edits(mending, document)
        yield CodeAction(
            _title(mending),
            kind=CodeActionKind.QuickFix,
            diagnostics=[diagnostic(finding, document, links)],
            edit=_workspace_edit(document, edits),
            is_preferred=mending.is_safe,
        )


def _title(mending: Mending) -> str:
    new = dict.fromkeys(shown(text) for _, text in mending.edits if text)
    said = f"Write '{', '.join(new)}'" if new else "Remove it"
    return said if mending.is_safe else f"{said} (a guess)"


def _all_safe(findings: Iterable[Finding], document: Document) -> list[TextEdit]:
    """The edits of all safe fixes; of two that meet, the first one's."""
    taken: list[TextEdit] = []
    for mending in map(mending_of, findings):
        if mending is None or not mending.is_safe:
            continue
        edits = [edit for edit in _text_edits(mending, document) if edit not in taken]
        if not any(_meet(one.range, other.range) for one in edits for other in taken):
            taken += edits
    return taken


def _meet(one: Range, other: Range) -> bool:
    return one.start <= other.end and other.start <= one.end


def _text_edits(mending: Mending, document: Document) -> list[TextEdit]:
    return [TextEdit(document.range(span), new) for span, new in mending.edits]


def _workspace_edit(document: Document, edits: list[TextEdit]) -> WorkspaceEdit:
    return WorkspaceEdit(changes={document.uri: edits})
