"""The tables of a glossary: terms in three languages, and names that stay."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from snippet_checker.config import ConfigError
from snippet_checker.translations import glossary_file
from snippet_checker.translations.glossary import Forms, Glossary, Keep, Term
from verl_docs.interface import _
from verl_docs.tables import row, table
from verl_docs.translatable import translatable

LANGUAGES = ("zh_CN", "ja")


class GlossaryDirective(SphinxDirective):
    """`terms` or `keeps`: a table that differs between languages in headings and notes only."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        tables = {"terms": self._terms, "keeps": self._keeps}
        if self.arguments[0] not in tables:
            raise self.error(f"'{self.arguments[0]}' is none of {', '.join(tables)}")
        if self.config.verl_glossary is None:
            raise self.error("name the glossary as `verl_glossary` in conf.py")
        file = Path(self.env.srcdir, self.config.verl_glossary)
        self.env.note_dependency(str(file))
        try:
            return [tables[self.arguments[0]](glossary_file.load(file))]
        except ConfigError as error:
            raise self.error(str(error)) from None

    def _terms(self, known: Glossary) -> nodes.table:
        headings = [_("English"), _("Chinese"), _("Japanese"), _("Remark")]
        rows = [
            row(
                [
                    [in_language("en", term.en)],
                    *(forms_of(term, code) for code in LANGUAGES),
                    self._note(term),
                ]
            )
            for term in known.terms
        ]
        return table(headings, [22, 22, 26, 30], rows, "glossary-terms")

    def _keeps(self, known: Glossary) -> nodes.table:
        rows = [row([[in_language("en", keep.en)], self._note(keep)]) for keep in known.keeps]
        return table([_("Name"), _("Remark")], [40, 60], rows, "glossary-keeps")

    def _note(self, entry: Term | Keep) -> list[nodes.Node]:
        return [translatable(self, entry.note)] if entry.note else []


def forms_of(term: Term, code: str) -> list[nodes.Node]:
    """What a term is called in a language, and what it is not."""
    forms = term.forms.get(code, Forms())
    shown: list[nodes.Node] = []
    if forms.use:
        shown.append(in_language(code, forms.use))
    if forms.avoid:
        shown.append(
            in_language(code, [f"×\N{NO-BREAK SPACE}{form}" for form in forms.avoid], "avoid")
        )
    return shown


def in_language(code: str, forms: Iterable[str], *classes: str) -> nodes.paragraph:
    tag = code.replace("_", "-")
    return nodes.paragraph("", " · ".join(forms), classes=[f"language-{tag}", *classes])


def setup(app: Sphinx) -> None:
    app.add_config_value("verl_glossary", None, "env", types=(str, type(None)))
