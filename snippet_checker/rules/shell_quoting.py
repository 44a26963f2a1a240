"""`shell-quoting`: the shell changes, splits or leaves out an override before Hydra sees it."""

from __future__ import annotations

from snippet_checker.findings import Stage
from snippet_checker.rules.base import Rule, from_faults
from snippet_checker.snippets.snippet import FaultKind

RULE = Rule(
    "shell-quoting",
    Stage.HYDRA,
    "Quoting with which the shell changes an override.",
    from_faults(FaultKind.SHELL_QUOTING),
)
