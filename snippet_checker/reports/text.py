"""Findings for people: where, what, the line of the file, and how to go on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from snippet_checker.findings import Finding, Result, Severity, Stage
from snippet_checker.reports.summary import by_rule, fixable, fixing_option, place, summary

WIDTH = 120
"""How many cells a line has where nothing says how wide the reader's window is."""

Pieces = list[tuple[str, str]]
"""The texts that a line consists of, each with its style."""

_COLOURS = {Severity.ERROR: "bold red", Severity.WARNING: "bold yellow"}
_STAGES: Mapping[Stage, str] = {
    Stage.HYDRA: "Hydra stops the launch",
    Stage.VERL: "verl stops after the launch",
    Stage.SILENT: "nothing stops the run, which goes on without what was meant",
    Stage.DOCS: "nothing stops, but readers are misled",
}


def lines(result: Result, width: int = WIDTH) -> Iterator[str]:
    """The report without colours."""
    for pieces in styled(result, width):
        yield "".join(piece for piece, _ in pieces)


def styled(result: Result, width: int) -> Iterator[Pieces]:
    """The lines of the report, for a window of so many cells."""
    for number, finding in enumerate(result.findings):
        if number:
            yield []  # each is several lines, and they are told apart
        address = result.links.rule(finding.rule)
        yield _headline(finding, address)
        yield from _excerpt(finding, result, width)
        yield from _advice(finding, result, width)
    if result.is_brief:
        return
    if len(result.findings) > 1:
        yield []
        said = fixable(result.findings)
        yield [(by_rule(result) + (said and f"; {said}"), "")]
    colour = "red" if result.findings or result.failures else "green"
    yield [(summary(result), colour)]


def _headline(finding: Finding, address: str | None) -> Pieces:
    return [
        (place(finding.span), "bold"),
        (": ", ""),
        (finding.severity, _COLOURS[finding.severity]),
        (f": {finding.message} ", ""),
        (f"[{finding.rule}]", f"dim link {address}" if address else "dim"),
    ]


def _excerpt(finding: Finding, result: Result, width: int) -> Iterator[Pieces]:
    from snippet_checker.reports.excerpt import excerpt  # it is not loaded without a finding

    source = result.sources.get(finding.span.path, {}).get(finding.span.line)
    if source is None:
        return
    colour = _COLOURS[finding.severity]
    part = excerpt(finding, source, width)
    yield [(part.margin, "dim"), (part.before, ""), (part.meant, colour), (part.after, "")]
    yield [(part.under, "dim"), (part.mark, colour)]


def _advice(finding: Finding, result: Result, width: int) -> Iterator[Pieces]:
    margin = " " * _margin(finding)
    if finding.suggestion is not None or finding.fix is not None:
        option = fixing_option(finding)
        yield [(f"{margin}= ", "dim"), ("help", "bold"), (f": {_written(finding)}{option}", "")]
        yield from _preview(finding, result, width)
    more = result.links.rule(finding.rule) or f"snippet-checker explain {finding.rule}"
    yield [(f"{margin}= note: {_STAGES[finding.stage]}; more: {more}", "dim")]


_CHANGED = {"-": "red", "+": "green", " ": ""}


def _preview(finding: Finding, result: Result, width: int) -> Iterator[Pieces]:
    """What the fix does to the file, where that is more than the sentence says."""
    if not finding.lines_of_fix:
        return
    from snippet_checker.reports.excerpt import room_for
    from snippet_checker.reports.preview import preview

    digits = max(_margin(finding) - 3, len(str(finding.lines_of_fix[-1])))
    room = room_for(" " * (digits + 7), width)
    for line in preview(finding, result.sources.get(finding.span.path, {}), room):
        number = line.number if line.number is not None else ""
        yield [
            (f"  {number:>{digits}} | ", "dim"),
            (f"{line.sign} {line.text}", _CHANGED[line.sign]),
        ]


def _margin(finding: Finding) -> int:
    """How many cells stand before the bar of a finding's excerpt."""
    return len(str(finding.span.line)) + 3


def _written(finding: Finding) -> str:
    """What a finding's fix writes; without one, what is suggested."""
    if finding.fix is None:
        return f"use '{finding.suggestion}'"
    if finding.fix.removes:
        return "leave it out"
    if len(finding.fix.edits) > 1:
        return f"make it '{finding.suggestion}'"
    [edit] = finding.fix.edits
    if not edit.old:
        return f"put '{edit.new}' before it"
    return f"write '{edit.new}' for '{edit.old}'" if edit.new else f"take out '{edit.old}'"
