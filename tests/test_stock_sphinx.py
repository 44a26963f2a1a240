"""The comparison with plain Sphinx: it sees some defects of a translation and not others."""

from __future__ import annotations

import sys
from pathlib import Path

import polib
import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "tools"))

import stock_sphinx

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(("suffix", "code"), [("md", "`a`"), ("rst", "``a``")])
def test_a_broken_reference_is_seen_and_a_lost_literal_is_not(suffix: str, code: str) -> None:
    role = "{ref}`nowhere`" if suffix == "md" else ":ref:`nowhere`"
    broken, lost, missing_before = (
        polib.POEntry(msgid=msgid, msgstr=msgstr, occurrences=[(f"page.{suffix}", "1")])
        for msgid, msgstr in [
            ("A sentence.", f"文 {role} 。"),
            (f"The literal {code}.", "文。"),
            (f"The label {role}.", f"標識 {role} 。"),
        ]
    )
    assert stock_sphinx.seen_by_sphinx([broken, lost, missing_before]) == [broken]
