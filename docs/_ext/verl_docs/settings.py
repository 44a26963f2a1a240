"""The table of the settings that a guide page discusses."""

from __future__ import annotations

from docutils import nodes
from sphinx.locale import _

from verl_docs import facts
from verl_docs.facts import Key
from verl_docs.keys import Cells, key_link
from verl_docs.tables import row, table


class SettingsDirective(Cells):
    """One row a key, in the order of the content."""

    has_content = True

    def run(self) -> list[nodes.Node]:
        names = [line.strip() for line in self.content if line.strip()]
        missing = [name for name in names if facts.find(name) is None]
        if missing:
            message = f"verl {facts.VERL} has no key '{missing[0]}'"
            return [self.state_machine.reporter.error(message, line=self.lineno)]
        found = [key for key in map(facts.find, names) if key is not None]
        return [
            table(
                [_("Key"), _("Values"), _("Default"), _("Since"), _("Description")],
                [26, 14, 14, 7, 39],
                [self._row(key) for key in found],
                "config-settings",
            )
        ]

    def _row(self, key: Key) -> nodes.row:
        return row(
            [
                [key_link(key.name)],
                self.values_cell(key),
                self.default_cell(key),
                [nodes.Text(key.first)],
                self.description_cell(key),
            ]
        )
