"""`override-syntax`: text that Hydra's override grammar refuses."""

from __future__ import annotations

from snippet_checker.model import Stage
from snippet_checker.rules.base import Rule, from_faults

RULE = Rule(
    "override-syntax",
    Stage.HYDRA,
    "An argument that Hydra's grammar refuses.",
    from_faults("override-syntax"),
)
