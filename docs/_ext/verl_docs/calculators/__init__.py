"""Calculators: forms that work without a server, and show an example without scripts."""

from __future__ import annotations

from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from verl_docs.calculators.form import Calculator
from verl_docs.calculators.kv_cache import KV_CACHE
from verl_docs.calculators.logits import LOGITS
from verl_docs.calculators.micro_batch import MICRO_BATCH
from verl_docs.calculators.token_budget import TOKEN_BUDGET
from verl_docs.labelled import Labelled

CALCULATORS = {form.name: form for form in (LOGITS, MICRO_BATCH, TOKEN_BUDGET, KV_CACHE)}
SCRIPT = "calculators.js"


class calculator(Labelled):  # noqa: N801 - docutils names nodes like this
    """A calculator's name and its texts."""

    @classmethod
    def of(cls, form: Calculator) -> calculator:
        made = cls("", name=form.name, scripts=[SCRIPT])
        made.set_labels(form.labels())
        return made


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
    values = {"form": form, "labels": node.labels(), "results": results}
    self.body.append(self.builder.templates.render("calculator.html", values))
    raise nodes.SkipNode


def visit_text(self: Any, node: calculator) -> None:
    self.add_text(example(node))
    raise nodes.SkipNode


def visit_latex(self: Any, node: calculator) -> None:
    self.body.append(self.encode(example(node)))
    raise nodes.SkipNode


def example(node: calculator) -> str:
    """The form with its defaults, in a line."""
    form, labels = CALCULATORS[node["name"]], node.labels()
    results = form.compute(form.defaults())
    given = [f"{labels[field.name]}: {field.default:g}" for field in form.fields]
    found = [f"{labels[r.name]}: {r.shown(results[r.name])}" for r in form.results]
    return f"{'; '.join(given)} → {'; '.join(found)}"


def setup(app: Sphinx) -> None:
    app.add_node(
        calculator, html=(visit_html, None), latex=(visit_latex, None), text=(visit_text, None)
    )
    app.add_directive_to_domain("verl", "calculator", CalculatorDirective)
