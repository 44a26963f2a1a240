"""Our own pages are clean, and one changed key in any of them is found at that very place."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from markdown_it import MarkdownIt

from snippet_checker import cli, statuses
from snippet_checker.pipeline import Options, check_text
from snippet_checker.verl.release import releases
from tests.configured import VERL

ROOT = Path(__file__).parents[1]


SOME = (
    *("docs/recipes", "docs/guide/rollout-generation.md", "docs/guide/memory.md"),
    *("docs/reference/names-that-drift.md", "docs/checker/rules", "snippet_checker/README.md"),
    *(
        "locales/ja/LC_MESSAGES/guide/memory.po",
        "locales/zh_CN/LC_MESSAGES/guide/troubleshooting.po",
    ),
)


@pytest.mark.parametrize(
    "paths",
    [
        pytest.param(SOME, id="some"),
        pytest.param((), id="all", marks=pytest.mark.slow),
    ],
)
def test_every_page_and_catalog_is_clean(
    paths: tuple[str, ...], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """As `make check` asks, whose results are kept for whoever asks the same."""
    monkeypatch.chdir(ROOT)
    status = cli.main(["check", "--format", "json", *paths])
    result = json.loads(capsys.readouterr().out)
    assert [finding["message"] for finding in result["findings"]] == []
    assert status == statuses.CLEAN
    assert result["summary"]["settings"] > 100
    assert result["summary"]["unchecked"] == 0


def nameless_columns(page: Path) -> Iterator[str]:
    line = 0
    for token, content in pairwise(
        MarkdownIt("commonmark").enable("table").parse(page.read_text("utf-8"))
    ):
        if token.type == "thead_open" and token.map is not None:
            line = token.map[0] + 1
        if token.type == "th_open" and not content.content:
            yield f"{page.relative_to(ROOT)}:{line}"


def test_each_column_of_a_table_has_a_name() -> None:
    """The check of accessibility asks for it, too, but only after the site was built."""
    pages = sorted((ROOT / "docs").rglob("*.md"))
    assert [place for page in pages for place in nameless_columns(page)] == []


@pytest.mark.parametrize("release", releases()[1:])
def test_each_release_has_a_page_of_its_changes(release: str) -> None:
    history = ROOT / "docs/reference/history"
    page = (history / f"{release}.md").read_text("utf-8")
    assert f"```{{verl:changes}} {release}\n" in page
    assert f"\n{release}\n" in (history / "index.md").read_text("utf-8")


@pytest.mark.parametrize(
    ("name", "old", "new", "rules"),
    [
        (
            "docs/guide/rollout-generation.md",
            "actor_rollout_ref.rollout.disable_log_stats=False",
            "actor_rollout_ref.rollout.disable_log_statss=False",
            {"unknown-key"},
        ),
        (
            "docs/guide/rollout-generation.sh",
            "    actor_rollout_ref.actor.use_dynamic_bsz=True \\",
            "    actor_rollout_ref.actor.use_dynamic_batchsize=True \\",
            {"unknown-key"},
        ),
        (
            "locales/ja/LC_MESSAGES/guide/rollout-generation.po",
            "`actor_rollout_ref.rollout.gpu_memory_utilization`",
            "`actor_rollout_ref.rollout.gpu_memory_utilisation`",
            {"unknown-key", "translation-literal"},
        ),
    ],
)
def test_one_changed_key_is_found_where_it_stands(
    name: str, old: str, new: str, rules: set[str]
) -> None:
    source = (ROOT / name).read_text(encoding="utf-8")
    start = source.index("msgstr", source.index(old)) if name.endswith(".po") else 0
    place = source.index(old, start)
    changed = source[:place] + new + source[place + len(old) :]
    findings = check_text(name, changed, Options(VERL)).findings
    assert {finding.rule for finding in findings} == rules
    line = source.count("\n", 0, place) + 1
    assert {finding.span.line for finding in findings} == {line}
