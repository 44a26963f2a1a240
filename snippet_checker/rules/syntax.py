"""The rules for what a reader of a language refuses: the reader found it and says why."""

from __future__ import annotations

from snippet_checker.findings import Stage
from snippet_checker.rules.base import FromFaults, Rule
from snippet_checker.snippets.snippet import FaultKind


def _rule(kind: FaultKind, stage: Stage, summary: str) -> Rule:
    return Rule(kind.value, stage, summary, FromFaults(kind))


RULES = (
    _rule(
        FaultKind.SHELL_QUOTING, Stage.HYDRA, "Quoting with which the shell changes an override."
    ),
    _rule(FaultKind.YAML_SYNTAX, Stage.HYDRA, "A YAML block or file that no parser reads."),
    _rule(
        FaultKind.DUPLICATE_KEY,
        Stage.HYDRA,
        "A key that stands twice in one YAML mapping, or in one command.",
    ),
    _rule(FaultKind.CATALOG_SYNTAX, Stage.DOCS, "A line of a catalog that gettext cannot read."),
    _rule(FaultKind.UNREADABLE_FILE, Stage.DOCS, "A file, or a line of one, that cannot be read."),
)
