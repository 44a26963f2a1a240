"""The rules for programs: `explain` with `--format json`.

The type here is the contract: the objects are made from it, and so is their JSON Schema.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from snippet_checker.findings import Severity, Stage
from snippet_checker.rules import Rule, pages


class Explained(Struct):
    """A rule. `page` is its page of the guide as Markdown."""

    rule: str
    severity: Severity
    stage: Stage
    summary: str
    page: Annotated[str | None, Meta(description="null where the installation has no pages")]


def explained(rule: Rule) -> Explained:
    """A rule as programs get it."""
    return Explained(rule.id, rule.severity, rule.stage, rule.summary, pages.text(rule.id))
