"""`unreadable-file`: a file that cannot be read as UTF-8 text."""

from __future__ import annotations

from snippet_checker.findings import Stage
from snippet_checker.rules.base import Rule, from_faults
from snippet_checker.snippets.snippet import FaultKind

RULE = Rule(
    "unreadable-file",
    Stage.DOCS,
    "A file that is not readable UTF-8 text.",
    from_faults(FaultKind.UNREADABLE_FILE),
)
