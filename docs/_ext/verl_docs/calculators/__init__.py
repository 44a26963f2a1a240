"""Calculators: forms that work without a server, and show an example without scripts."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.builders import Builder
from sphinx.environment import BuildEnvironment
from sphinx.util.docutils import SphinxDirective

from verl_docs import page_data
from verl_docs.calculators.form import Calculator
from verl_docs.calculators.javascript import PRELUDE, function
from verl_docs.calculators.kv_cache import KV_CACHE
from verl_docs.calculators.logits import LOGITS
from verl_docs.calculators.micro_batch import MICRO_BATCH
from verl_docs.calculators.plan import PLAN
from verl_docs.calculators.token_budget import TOKEN_BUDGET
from verl_docs.interface import _
from verl_docs.labelled import Labelled
from verl_docs.printed import docname_of
from verl_docs.tables import joined, literal, phrase, row, table

CALCULATORS = {form.name: form for form in (PLAN, LOGITS, MICRO_BATCH, TOKEN_BUDGET, KV_CACHE)}
FORMULAS = "calculator-formulas.js"
SCRIPTS = [FORMULAS, "calculators.js"]


class calculator(Labelled):  # noqa: N801 - docutils names nodes like this
    """A calculator's name and its texts."""

    @classmethod
    def of(cls, form: Calculator) -> calculator:
        made = cls("", name=form.name, scripts=SCRIPTS)
        made.set_labels(form.labels())
        return made

    def printed(self, env: BuildEnvironment) -> list[nodes.Node]:
        """The form with its defaults as a table, and where to find the form itself."""
        form, labels = CALCULATORS[self["name"]], self.labels()
        results = form.compute(form.defaults())
        asked = (field for field in form.fields if field.is_asked(form.defaults()))
        shown = {field.name: f"{field.default:g}" for field in asked}
        given = [
            (nodes.Text(labels[name]), nodes.Text(labels.get(f"{name}={value}", value)))
            for name, value in shown.items()
        ]
        found = [
            (nodes.strong("", labels[r.name]), nodes.strong("", r.shown(results[r.name], labels)))
            for r in form.results
        ]
        rows = [row([[what], [number]]) for what, number in (*given, *found)]
        settings = [literal(text) for text in form.settings(form.defaults())]
        if settings:
            shown_settings = nodes.paragraph("", "", *joined(settings, " "))
            rows.append(row([[nodes.Text(_("Settings"))], [shown_settings]]))
        example = table([labels[""], _("Example")], [70, 30], rows, "calculator")
        base = env.config.html_baseurl
        if not base:
            return [example]
        address = f"{base}{docname_of(self, env)}.html"
        link = nodes.reference("", address, refuri=address)
        return [example, nodes.paragraph("", "", *phrase(_("With your own numbers: {}"), [link]))]


class CalculatorDirective(SphinxDirective):
    """A calculator by its name."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        form = CALCULATORS.get(self.arguments[0])
        if form is None:
            message = f"there is no calculator '{self.arguments[0]}'; there are {[*CALCULATORS]}"
            raise self.error(message)
        made = calculator.of(form)
        self.set_source_info(made)
        return [made]


def visit_html(self: Any, node: calculator) -> None:
    form = CALCULATORS[node["name"]]
    results = form.compute(form.defaults())
    values = {
        "form": form,
        "labels": node.labels(),
        "results": results,
        "settings": form.settings(form.defaults()),
        "overrides": [asdict(override) for override in form.overrides],
    }
    self.body.append(self.builder.templates.render("calculator.html", values))
    raise nodes.SkipNode


def formulas() -> str:
    """What all forms compute, and which combinations they refuse, by name, as a script."""
    forms = CALCULATORS.values()
    computed = _table((form.name, function(form.compute)) for form in forms)
    refused = _table((form.name, _refusals(form)) for form in forms)
    names = "{ Calculators, Refusals }"
    return (
        f"const {names} = (() => {{\n{PRELUDE}const Calculators = {computed};\n"
        f"const Refusals = {refused};\nreturn {names};\n}})();\n"
    )


def _refusals(form: Calculator) -> str:
    return _table((refusal.name, function(refusal.applies)) for refusal in form.refusals)


def _table(parts: Iterable[tuple[str, str]]) -> str:
    return "{\n" + "".join(f"{json.dumps(name)}: {text},\n" for name, text in parts) + "}"


def write_formulas(app: Sphinx, builder: Builder) -> None:
    """Write them before the pages, whose links to them carry their checksum."""
    if page_data.is_wanted(builder):
        file = page_data.path_of(app, FORMULAS)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(formulas(), "utf-8")


def setup(app: Sphinx) -> None:
    app.connect("write-started", write_formulas)
    app.add_node(calculator, html=(visit_html, None))
