"""The table of the checker's rules: it needs no list of them."""

from __future__ import annotations

from snippet_checker import rules
from tests.docs_ext.conftest import Project

RULES = rules.all_rules()
TABLE = "```{verl:rules}\n```"


def write_pages(project: Project, *without: str) -> None:
    project.write(**{rule: f"(rule-{rule})=\n## `{rule}`" for rule in RULES if rule not in without})


def test_each_rule_has_a_row_that_links_to_its_page(project: Project) -> None:
    write_pages(project)
    project.write(index=TABLE)
    built = project.build()
    rows = built.page("index").select("tbody tr")
    shown = {row.a.get_text(): row for row in rows if row.a is not None}
    assert len(rows) == len(shown)
    assert shown.keys() == RULES.keys()
    for rule, row in shown.items():
        assert row.a is not None
        assert row.a["href"] == f"{rule}.html#rule-{rule}"
        told = [cell.get_text() for cell in row.select("td")]
        summary = RULES[rule].summary.replace("`", "").replace("--", "–")
        assert told[:2] == [RULES[rule].stage, RULES[rule].severity]
        assert told[2].replace("--", "–").replace("’", "'") == summary


def test_a_rule_without_a_page_breaks_the_build(project: Project) -> None:
    write_pages(project, "unknown-key")
    project.write(index=TABLE)
    assert "undefined label: 'rule-unknown-key'" in project.build().warnings
