"""The report at a terminal: the mark stands below what is meant, whatever stands before it."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from rich.cells import cell_len
from rich.console import Console

from snippet_checker.check import Options, check_paths
from snippet_checker.reports import terminal
from tests.configured import VERL


@pytest.mark.parametrize("before", ["", "请设置 ", "\t", "abc 😀 "])
def test_the_mark_is_below_the_key(before: str, tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(f"a {before}`trainer.nnode=1` 文字\n", encoding="utf-8")
    out = io.StringIO()
    terminal.show(check_paths([page], Options(VERL)), Console(file=out, width=400))
    headline, source, mark, summary, _ = out.getvalue().split("\n")
    assert headline.endswith("[unknown-key]")
    assert source.startswith("  1 | a ")
    assert mark.strip(" |\t") == "^" * len("trainer.nnode")
    key = source.expandtabs().index("trainer.nnode")
    assert cell_len(source.expandtabs()[:key]) == mark.expandtabs().index("^")
    assert "1 finding" in summary


def test_what_was_checked_is_shown_whatever_became_of_the_file(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("`trainer.nnode=1`\n", encoding="utf-8")
    result = check_paths([page], Options(VERL))
    page.write_text("something else\n")
    out = io.StringIO()
    terminal.show(result, Console(file=out, width=400))
    assert out.getvalue().split("\n")[1] == "  1 | `trainer.nnode=1`"
