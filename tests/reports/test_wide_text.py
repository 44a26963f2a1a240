"""A mark at a terminal is as wide as the text that it is about, whose signs may take two cells."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from rich.cells import cell_len
from rich.console import Console

from snippet_checker.pipeline import Options
from snippet_checker.reports import terminal
from snippet_checker.runner import check_paths
from tests.configured import VERL


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("使用１６个显卡", "１６"),  # full-width digits, two cells each
        ("バッチを１つにする", "１"),
        ("每个ＧＰＵ的显存", "ＧＰＵ"),
        ("ｸﾞﾗﾌを使います", "ｸﾞﾗﾌ"),  # half-width kana, one cell each
    ],
)
def test_the_mark_has_the_cells_of_what_is_meant(said: str, meant: str, tmp_path: Path) -> None:
    language = "ja" if any("ぁ" <= sign <= "ヿ" for sign in said) else "zh_CN"
    catalog = tmp_path / "a.po"
    header = f'msgid ""\nmsgstr "Language: {language}\\n"\n'
    catalog.write_text(f'{header}\nmsgid "Some words"\nmsgstr "{said}"\n', "utf-8")
    out = io.StringIO()
    terminal.show(check_paths([catalog], Options(VERL)), Console(file=out, width=400))
    lines = out.getvalue().split("\n")
    number = next(n for n, line in enumerate(lines) if f"'{meant}'" in line)
    source, mark = lines[number + 1], lines[number + 2]
    assert cell_len(source[: source.index(meant)]) == mark.index("^")
    assert mark.count("^") == cell_len(meant)
