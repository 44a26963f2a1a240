"""The table of the settings that a guide page discusses, which the search knows for that."""

from __future__ import annotations

from docutils import nodes
from sphinx import addnodes

from verl_docs.descriptions import shows_descriptions
from verl_docs.facts import Key
from verl_docs.interface import _
from verl_docs.keys import Cells, key_link
from verl_docs.tables import joined, phrase, row, table


class SettingsDirective(Cells):
    """One row a key, in the order of the content."""

    has_content = True

    def run(self) -> list[nodes.Node]:
        shows_descriptions(self.env)
        names = [line.strip() for line in self.content if line.strip()]
        facts = self.facts
        missing = [name for name in names if facts.find(name) is None]
        if missing:
            raise self.error(f"verl {facts.name} has no key '{missing[0]}'")
        silent = [name for name in names if name not in self.descriptions]
        if silent:
            folder = f"{self.env.srcdir.name}/{self.config.verl_descriptions}"
            raise self.error(f"no file of {folder} describes '{silent[0]}'")
        found = [key for key in map(facts.find, names) if key is not None]
        rows = [self._row(key) for key in found]
        explained = dict.fromkeys(key.leaf for key in found)
        entries = [("single", name, "", "main", None) for name in explained]
        shown = table([_("Setting"), _("What it does")], [45, 55], rows, "config-settings")
        return [addnodes.index(entries=entries), shown]

    def _row(self, key: Key) -> nodes.row:
        name = nodes.paragraph("", "", key_link(key.name))
        facts_of_key = nodes.paragraph("", "", *self._facts(key), classes=["config-facts"])
        return row([[name, facts_of_key], self.description_cell(key)])

    def _facts(self, key: Key) -> list[nodes.Node]:
        """Default, kind of value and first release, in a line."""
        default = self.default_cell(key)
        if default and key.default != "???":
            default = phrase(_("default {}"), default)
        parts: list[list[nodes.Node]] = [
            default,
            self.values_cell(key),
            [nodes.Text(_("since %s") % key.first)],
        ]
        return joined((nodes.inline("", "", *part) for part in parts if part), " · ")
