"""Every regular expression of the package takes linear time, whatever it reads."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.patterns.attack import attacks, costly

ROOT = Path(__file__).parents[1]


@pytest.mark.long
@pytest.mark.slow
def test_no_pattern_can_be_made_to_take_long() -> None:
    # In a process of its own: nothing ends a pattern that does not end, but the system.
    # `python -m tests.patterns --thorough` tries more.
    command = [sys.executable, "-m", "tests.patterns"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.stdout, done.returncode) == ("", 0), done.stderr[-300:]


@pytest.mark.parametrize(
    ("pattern", "scans"),
    [
        # A backslash fits both ways.
        pytest.param(r"(?P<q>'{3})(?:\\.|(?!(?P=q)).)*(?P=q)", True, marks=pytest.mark.slow),
        (r"(?:a|ab?)+c", False),
        (r"\$\{\{.*?\}\}", True),  # each place begins anew, and nothing closes it
        (r"\]\([^)\s]*\)", True),
        pytest.param(r"\s*=", True, marks=pytest.mark.slow),
        pytest.param(r"\s*x?\s*y", False, marks=pytest.mark.slow),
        pytest.param(r"[a-z]\w*_\w+", False, marks=pytest.mark.slow),
    ],
)
def test_one_that_can_is_found(pattern: str, scans: bool) -> None:
    flags = re.DOTALL if "'{3}" in pattern else 0
    assert costly(pattern, flags, attacks(pattern, flags), scans=scans) is not None


@pytest.mark.parametrize(
    "pattern", [r"\$\{\{[^{}]*\}\}", r"(?<!\s)\s*+=", r"\[[^\]]{0,200}\]", r"a++b?"]
)
def test_one_that_cannot_is_not(pattern: str) -> None:
    assert costly(pattern, 0, attacks(pattern, 0, thorough=True), scans=True) is None
