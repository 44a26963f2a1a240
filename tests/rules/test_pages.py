"""Every rule has its module and its page, and the page's example is found."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path

import pytest
from msgspec.structs import replace

from snippet_checker import documents, rules, snippets
from snippet_checker.disk import FileCache
from snippet_checker.findings import Stage
from snippet_checker.judge.judgement import judge
from snippet_checker.pipeline import Options, check_text
from snippet_checker.rules import directives, refusals, syntax
from snippet_checker.rules.base import JudgedSnippet
from snippet_checker.runner import check_file
from snippet_checker.snippets.snippet import Fault, FaultKind
from snippet_checker.translations.glossary import Forms, Glossary, Term, vocabulary
from snippet_checker.verl.release import load
from tests.configured import VERL

ROOT = Path(__file__).parents[2]
PAGES = ROOT / "docs/checker/rules"
# No page can be a file that is not UTF-8, nor one of a project that names no release.
WITHOUT_EXAMPLE = frozenset({"unreadable-file", "other-release"})
TERMS = Term(("gradient checkpointing",), {"zh_CN": Forms(("梯度检查点",), ("梯度检查站",))})
STRICT = Options(VERL, strict=True, vocabulary=vocabulary(Glossary((TERMS,))))
RULES = rules.all_rules()
ANSWERS = FileCache()  # of the repository around the pages, which is read once


@pytest.mark.parametrize("rule", RULES)
def test_a_rule_is_in_a_table_or_in_the_module_of_its_name(rule: str) -> None:
    if RULES[rule] not in (*directives.RULES, *refusals.RULES, *syntax.RULES):
        assert import_module(f"snippet_checker.rules.{rule.replace('-', '_')}").RULE is RULES[rule]
    assert re.fullmatch(r"[a-z]+(-[a-z]+)*", rule)
    assert RULES[rule].summary.endswith(".")
    assert RULES[rule].stage in Stage


@pytest.mark.parametrize("rule", RULES)
def test_the_example_of_its_page_is_found(rule: str) -> None:
    page = PAGES / f"{rule}.md"
    text = page.read_text(encoding="utf-8")
    assert f"(rule-{rule})=" in text
    checked = check_file(page, STRICT, ANSWERS)
    assert (checked.failure, checked.findings) == (None, ())
    if rule in WITHOUT_EXAMPLE:
        return
    naked = re.sub(rf"expect\[{rule}\]", "", text).replace("<!-- snippet-checker:  -->", "")
    found = {finding.rule for finding in check_text(page.name, naked, STRICT).findings}
    assert rule in found


@pytest.mark.parametrize("kind", FaultKind)
def test_what_a_parser_refuses_is_reported(kind: FaultKind) -> None:
    [block] = documents.read_text("case.sh", "python3 -m verl.trainer.main_ppo trainer.nnodes=1")
    [snippet] = snippets.read(block)
    fault = Fault(snippet.span, "a message", kind=kind)
    judged = JudgedSnippet(replace(snippet, faults=(fault,)), judge(snippet, load(VERL)))
    assert [problem.message for problem in RULES[kind].check(judged)] == ["a message"]


def test_no_page_is_left_of_a_rule_that_is_gone() -> None:
    pages = {page.stem for page in PAGES.glob("*.md")} - {"index"}
    assert pages == set(RULES)
