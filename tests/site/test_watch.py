"""A browser that does not answer costs one test its time, and nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Error, Playwright

from tests.site.watch import Browsers

pytestmark = pytest.mark.slow


@pytest.fixture
def report(tmp_path: Path) -> Path:
    return tmp_path / "report.txt"


@pytest.fixture
def watching(playwright: Playwright, report: Path) -> Iterator[Browsers]:
    started = Browsers(playwright, report=report)
    yield started
    started.close()


@pytest.mark.parametrize("script", ["for (;;);", "new Promise(() => {})"])
def test_what_waits_for_it_fails_and_the_next_test_has_another(
    watching: Browsers, report: Path, script: str
) -> None:
    with watching.watched("the test", limit=2) as browser:
        page = browser.new_page()
        with pytest.raises(Error, match="has been closed"):
            page.evaluate(script)
    said = report.read_text("utf-8")
    assert said.startswith("the test: no end after 2 s, ")
    assert " renderer: state " in said
    assert "page.evaluate(script)" in said
    with watching.watched("the next test") as browser:
        assert browser.new_page().evaluate("1 + 1") == 2


def test_what_is_quick_is_not_reported(watching: Browsers, report: Path) -> None:
    with watching.watched("the test", limit=60) as browser:
        assert browser.new_page().evaluate("1 + 1") == 2
    assert not report.exists()
