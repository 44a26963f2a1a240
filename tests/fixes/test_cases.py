"""Files before and after their fixes, as `cases.md` has them."""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path

import pytest

from snippet_checker.fixes.apply import FixedText, apply_fixes
from snippet_checker.pipeline import Options, check_document
from tests.configured import VERL

_CASE = re.compile(
    r"^## (?P<title>.+)\n\n~~~ before (?P<name>\S+)\n(?P<before>(?s:.*?))^~~~\n"
    r"(?:\n~~~ after\n(?P<after>(?s:.*?))^~~~\n)?",
    re.MULTILINE,
)
CASES = [*_CASE.finditer(Path(__file__).with_name("cases.md").read_text("utf-8"))]


def fixed(name: str, text: str, *, unsafe: bool) -> FixedText:
    check = partial(check_document, name, options=Options(VERL))
    return apply_fixes(text, check(text), check, unsafe=unsafe)


def test_every_case_is_read() -> None:
    text = Path(__file__).with_name("cases.md").read_text("utf-8")
    assert len(CASES) == text.count("\n## ") > 15


@pytest.mark.parametrize("line_end", ["\n", "\r\n"], ids=["unix", "windows"])
@pytest.mark.parametrize("case", CASES, ids=[case["title"] for case in CASES])
def test_case(case: re.Match[str], line_end: str) -> None:
    before, after = (
        text.replace("\n", line_end) for text in (case["before"], case["after"] or case["before"])
    )
    if line_end != "\n" and case["name"].endswith((".sh", ".po")) and "\\\n" in case["before"]:
        pytest.skip("bash continues no line before a carriage return")
    found = fixed(case["name"], before, unsafe="unsafe" in case["title"])
    assert found.text == after
    again = fixed(case["name"], after, unsafe="unsafe" in case["title"])
    assert (again.text, again.count) == (after, 0)


def test_what_was_mended_is_counted() -> None:
    text = "python3 -m verl.trainer.main_ppo +trainer.nnodes=2 trainer.nnode=2 +data.shuffle=1\n"
    found = fixed("a.sh", text, unsafe=False)
    assert found.count == 2
    assert [finding.key for finding in found.checked.findings] == ["trainer.nnode"]
