"""The table of the checker's rules: all of them, and what each says of itself."""

from __future__ import annotations

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

from snippet_checker import rules
from snippet_checker.findings import Stage
from snippet_checker.rules import Rule
from verl_docs.interface import _
from verl_docs.keys import ref_link
from verl_docs.tables import literal, row, table
from verl_docs.translatable import translatable


class RulesDirective(SphinxDirective):
    """A row a rule, in the order of the stages; its page has the label `rule-ID`."""

    def run(self) -> list[nodes.Node]:
        stages = list(Stage)
        known = sorted(rules.all_rules().values(), key=lambda rule: stages.index(rule.stage))
        headings = [_("Rule"), _("Stage"), _("Severity"), _("What it finds")]
        return [table(headings, [28, 12, 14, 46], map(self._row, known), "checker-rules")]

    def _row(self, rule: Rule) -> nodes.row:
        link = ref_link(f"rule-{rule.id}", self.env.current_document.docname, rule.id)
        stage, severity = literal(rule.stage), literal(rule.severity)
        return row([[link], [stage], [severity], [translatable(self, rule.summary)]])
