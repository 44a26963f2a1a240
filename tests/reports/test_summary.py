"""The figures of a report, counted by hand."""

from __future__ import annotations

import json
from typing import Any

import pytest

from snippet_checker import reports
from snippet_checker.pipeline import Options, check_text

COMMAND = "```bash\npython3 -m verl.trainer.main_ppo trainer.nnodes=2 trainer.device=cuda\n```\n"
LOOP = """```bash
for nodes in 1 2 3; do
  python3 -m verl.trainer.main_ppo trainer.nnodes=$nodes trainer.device=cuda data.seed=$nodes
done
```
"""
FOREIGN = "```bash\npython3 my_trainer.py trainer.my_own_option=1\n```\n"
WRONG = "```yaml\ntrainer:\n  nnode: 2\n  device: cuda\n```\n"
ON_PURPOSE = f"<!-- snippet-checker: expect[unknown-key] -->\n{WRONG}"
MEANT = f"<!-- snippet-checker: ignore[unverified-setting] the reader's own -->\n{FOREIGN}"


@pytest.mark.parametrize(
    ("page", "snippets", "settings", "findings", "unchecked", "ignored"),
    [
        ("Nothing.", 0, 0, 0, 0, 0),
        (COMMAND, 1, 2, 0, 0, 0),
        (LOOP, 3, 3, 0, 0, 0),  # three commands, and what they all set counts once
        (FOREIGN, 1, 1, 0, 1, 0),
        (MEANT, 1, 1, 0, 0, 0),  # a comment says that nothing is to be said about it
        (WRONG, 1, 2, 1, 0, 0),
        (ON_PURPOSE, 1, 2, 0, 0, 1),
        (f"{COMMAND}\n{LOOP}\n{FOREIGN}\n{WRONG}\n{ON_PURPOSE}", 7, 10, 1, 1, 1),
        ("Set `trainer.nnodes=2`, run `nvidia-smi`, call `update_policy`.", 1, 1, 0, 0, 0),
    ],
)
def test_what_is_counted(
    page: str, snippets: int, settings: int, findings: int, unchecked: int, ignored: int
) -> None:
    summary = report(page)["summary"]
    assert summary["files"] == 1
    assert (summary["snippets"], summary["settings"]) == (snippets, settings)
    assert (summary["findings"], summary["ignored"]) == (findings, ignored)
    assert (summary["unchecked"], summary["verified"]) == (unchecked, settings - unchecked)
    expected = (settings - unchecked) / settings if settings else 1
    assert summary["coverage"] == pytest.approx(expected)


def report(page: str) -> dict[str, Any]:
    result = check_text("page.md", page, Options("0.9.1"))
    found: dict[str, Any] = json.loads("\n".join(reports.form("json").lines(result)))
    return found


def test_where_a_finding_begins_and_ends() -> None:
    """`nnode` of the YAML above: line 3, the characters 3 to 7."""
    [finding] = report(WRONG)["findings"]
    place = [finding[name] for name in ("line", "column", "end_line", "end_column")]
    assert place == [3, 3, 3, 8]
    assert (finding["path"], finding["key"]) == ("page.md", "trainer.nnode")
    assert (finding["suggestion"], finding["severity"]) == ("trainer.nnodes", "error")


@pytest.mark.parametrize(
    ("foreign", "good", "shown"),
    [
        (1, 2, "66.6 %"),  # 2 of 3 are 66.67 %, and shares are rounded down
        (1, 999, "99.9 %"),
        (1, 1999, "99.9 %"),  # 99.95 %
        (1, 0, "0.0 %"),
    ],
)
def test_a_share_is_rounded_down(foreign: int, good: int, shown: str) -> None:
    from snippet_checker.findings import Counts, Result
    from snippet_checker.reports import summary

    counts = Counts(files=1, snippets=1, settings=foreign + good, gaps={"it is so": foreign})
    line = summary.summary(Result("0.9.1", counts, (), ()))
    assert f"; {shown} verified; not verified: {foreign} because it is so" in line
