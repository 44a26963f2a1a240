"""The calculators show what was worked out by hand, in Python and in the script of the page."""

from __future__ import annotations

import tomllib
from typing import Any

import pytest

from tests.docs_ext.conftest import ROOT, Project
from tests.docs_ext.javascript import Engine
from verl_docs.calculators import CALCULATORS, formulas

TRUTH = tomllib.loads((ROOT / "tests/docs_ext/truth/calculators.toml").read_text("utf-8"))
CASES = [
    pytest.param(form, case["given"], case["shows"], id=f"{form}: {case['name']}")
    for form, cases in TRUTH.items()
    for case in cases
]


@pytest.fixture(scope="module")
def script() -> Engine:
    return Engine(formulas(), ROOT / "docs/_static/calculators.js")


def test_each_calculator_has_cases_and_its_example_is_one() -> None:
    assert TRUTH.keys() == CALCULATORS.keys()
    for cases in TRUTH.values():
        assert [case for case in cases if not case["given"]] == cases[:1]


@pytest.mark.parametrize(("name", "given", "shows"), CASES)
def test_python_and_the_script_show_what_the_arithmetic_says(
    script: Engine, name: str, given: dict[str, float], shows: dict[str, str]
) -> None:
    form = CALCULATORS[name]
    values = {**form.defaults(), **given}
    assert values.keys() == form.defaults().keys()
    assert form.refused(values) is None
    in_page = script.call("(name, values) => Calculators[name](values)", name, values)
    for found in (form.compute(values), in_page):
        shown = {r.name: r.shown(as_number(found[r.name])) for r in form.results}
        assert {field: shown[field] for field in shows} == shows


@pytest.mark.parametrize(
    ("name", "given", "refused"),
    [
        ("kv-cache", {"gpus": 8, "tp": 3}, "tp"),  # 8 / 3 is no whole number
        ("kv-cache", {"gpus": 8, "tp": 16}, "tp"),
        ("kv-cache", {"gpus": 9, "tp": 3}, None),
        ("micro-batch", {"parameters": 1.08}, "parameters"),  # the ends alone have 1.09 billion
        ("micro-batch", {"parameters": 1.1}, None),
        ("micro-batch", {"parameters": 0.54, "tied": 1}, "parameters"),  # one matrix: 0.545
        ("token-budget", {"gpus": 8, "sp": 3}, "sp"),
        ("token-budget", {"mean": 4097}, "mean"),
        ("token-budget", {"mean": 4096}, None),
        ("logits", {"tokens": 1, "sp": 8}, None),
    ],
)
def test_both_refuse_what_cannot_be(
    script: Engine, name: str, given: dict[str, float], refused: str | None
) -> None:
    values = {**CALCULATORS[name].defaults(), **given}
    assert CALCULATORS[name].refused(values) == refused
    assert script.call("refused", name, values) == refused


def as_number(value: Any) -> float:
    """JSON has no word for "not a number"."""
    return float("nan") if value is None else value


def test_the_page_shows_the_examples_without_scripts(project: Project) -> None:
    project.write(index="\n\n".join(f"```{{verl:calculator}} {name}\n```" for name in TRUTH))
    page = project.build().page("index")
    for name, (example, *_) in TRUTH.items():
        form = page.select_one(f"form[data-calculator={name}]")
        assert form is not None
        outputs = {output["name"]: output.text.strip() for output in form.select("output")}
        assert outputs == example["shows"]
