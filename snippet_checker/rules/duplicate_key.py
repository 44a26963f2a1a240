"""`duplicate-key`: a key that stands twice in one YAML mapping."""

from __future__ import annotations

from snippet_checker.findings import Stage
from snippet_checker.rules.base import Rule, from_faults
from snippet_checker.snippets.snippet import FaultKind

RULE = Rule(
    "duplicate-key",
    Stage.HYDRA,
    "A key that stands twice in one mapping.",
    from_faults(FaultKind.DUPLICATE_KEY),
)
