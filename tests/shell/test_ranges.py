"""Ranges in braces, as the manual of bash has them (Brace Expansion)."""

from __future__ import annotations

import shutil
import subprocess

import pytest

from snippet_checker.pipeline import Options, check_text


@pytest.mark.parametrize(
    ("range_", "words"),
    [
        ("{1..3}", ["1", "2", "3"]),
        ("{3..1}", ["3", "2", "1"]),
        ("{1..7..3}", ["1", "4", "7"]),
        ("{1..8..3}", ["1", "4", "7"]),
        ("{01..3}", ["01", "02", "03"]),
        ("{1..03}", ["01", "02", "03"]),
        ("{09..011}", ["009", "010", "011"]),
        ("{a..c}", ["a", "b", "c"]),
        ("{c..a}", ["c", "b", "a"]),
        ("{one,two}", ["one", "two"]),
        ("{1..1}", ["1"]),
    ],
)
def test_a_range_is_its_words(range_: str, words: list[str]) -> None:
    script = f"for n in {range_}; do\n  python3 -m verl.trainer.main_ppo trainer.odd_$n=1\ndone\n"
    found = check_text("a.sh", script, Options("0.9.1")).findings
    assert {f.key for f in found} == {f"trainer.odd_{word}" for word in words}
    if bash := shutil.which("bash"):
        told = subprocess.run([bash, "-c", f"echo {range_}"], capture_output=True, text=True)
        assert told.stdout.split() == words
