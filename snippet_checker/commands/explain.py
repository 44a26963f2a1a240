"""`snippet-checker explain`."""

from __future__ import annotations

import argparse

from snippet_checker import output, rules
from snippet_checker.errors import UserError
from snippet_checker.statuses import CLEAN
from snippet_checker.text.closest import closest


def run(options: argparse.Namespace) -> int:
    """Say what a rule checks."""
    known = rules.all_rules()
    if options.rule not in known:
        like = closest(options.rule, known)
        hint = f"; did you mean '{like}'?" if like else f"; there are {', '.join(known)}"
        raise UserError(f"there is no rule '{options.rule}'{hint}")
    rule = known[options.rule]
    output.write([f"{rule.id} ({rule.severity}, stage {rule.stage}): {rule.summary}"])
    return CLEAN
