"""`catalog-syntax`: a line of a catalog that gettext cannot read."""

from __future__ import annotations

from snippet_checker.findings import Stage
from snippet_checker.rules.base import Rule, from_faults
from snippet_checker.snippets.snippet import FaultKind

RULE = Rule(
    "catalog-syntax",
    Stage.DOCS,
    "A line of a catalog that gettext cannot read.",
    from_faults(FaultKind.CATALOG_SYNTAX),
)
