"""`yaml-syntax`: a YAML block that no parser reads."""

from __future__ import annotations

from snippet_checker.findings import Stage
from snippet_checker.rules.base import Rule, from_faults
from snippet_checker.snippets.snippet import FaultKind

RULE = Rule(
    "yaml-syntax", Stage.HYDRA, "A block that is not YAML.", from_faults(FaultKind.YAML_SYNTAX)
)
