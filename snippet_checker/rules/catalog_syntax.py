"""`catalog-syntax`: a line of a catalog that gettext cannot read."""

from __future__ import annotations

from snippet_checker.model import FaultKind, Stage
from snippet_checker.rules.base import Rule, from_faults

RULE = Rule(
    "catalog-syntax",
    Stage.DOCS,
    "A line of a catalog that gettext cannot read.",
    from_faults(FaultKind.CATALOG_SYNTAX),
)
