"""What `pyproject.toml` may hold besides our table, however it is written."""

from __future__ import annotations

from pathlib import Path

import pytest

from snippet_checker import config

OURS = "\n[tool.snippet-checker]\nstrict = true\n"
OTHERS = {
    "a long string": f'a = "{"b.c" * 300}"',
    "a line of dots": f'a = """\nContents {"." * 300} 5\n"""',
    "strings side by side": "a = [" + '"b.c", ' * 300 + "]",
    "fractions": "a = [" + "0.5, " * 300 + "]",
    "a key of many parts": "a" + ".b" * 99 + " = 1",
    "quotes in a string": 'a = "' + '\\"' * 300 + '"',
}


@pytest.mark.parametrize("text", OTHERS.values(), ids=OTHERS.keys())
def test_the_tables_of_others_are_none_of_our_business(text: str, tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text(text + OURS, "utf-8")
    assert config.load(tmp_path).strict
