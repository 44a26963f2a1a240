"""What is said of a finding at its place, with and without an address of the guide."""

from __future__ import annotations

from pathlib import Path

import pytest
from lsprotocol.types import MarkupContent, Position

from snippet_checker import rules
from snippet_checker.file_options import ExplicitOptions
from snippet_checker.links import NO_LINKS, Links
from snippet_checker.lsp.analysis import analyse
from snippet_checker.lsp.documents import Document
from snippet_checker.lsp.hover import hover
from snippet_checker.lsp.projects import Setup, setup_of
from snippet_checker.pipeline import Options
from snippet_checker.rules import pages
from tests.configured import VERL

WRONG = "python3 -m verl.trainer.main_ppo trainer.nnode=1\n"
MORE = {
    NO_LINKS: "More: `snippet-checker explain unknown-key`",
    Links.below("https://example.org/en"): "[More](https://example.org/en/checker/rules/unknown-key"
    ".html)",
}


def said(setup: Setup) -> str | None:
    document = Document("file:///a.sh", "sh", 1, WRONG)
    shown = hover(document, analyse("a.sh", WRONG, setup), Position(0, 40))
    if shown is None:
        return None
    assert isinstance(shown.contents, MarkupContent)
    return shown.contents.value


@pytest.mark.parametrize("links", MORE, ids=lambda one: one.site or "no site")
def test_where_there_is_more_is_said(links: Links) -> None:
    lead = f"**`unknown-key`** {pages.lead('unknown-key')}"
    assert said(Setup(Options(VERL), links)) == f"{lead}\n\n{MORE[links]}"


def test_a_file_that_is_left_out_has_nothing_wrong() -> None:
    assert said(Setup(Options(VERL), is_left_out=True)) is None


@pytest.mark.parametrize("rule", rules.all_rules())
def test_every_page_begins_with_what_is_wrong(rule: str) -> None:
    lead = pages.lead(rule)
    assert lead is not None
    assert len(lead) > 40
    assert not lead.startswith(("#", "|", "-", " "))
    assert not lead.endswith(":")


def test_a_file_is_checked_against_the_release_of_its_project(tmp_path: Path) -> None:
    script = "python3 -m verl.trainer.main_ppo actor_rollout_ref.rollout.chat_scheduler=null\n"
    (tmp_path / "requirements.txt").write_text("verl==0.4.0\n")
    file = tmp_path / "train.sh"
    setup = setup_of(file, ExplicitOptions())
    analysis = analyse(file.as_posix(), script, setup)
    assert not analysis.findings
    assert analysis.options.release == "0.4.0"
    newest = analyse(file.as_posix(), script, setup_of(file, ExplicitOptions(VERL)))
    assert [finding.rule for finding in newest.findings] == ["removed-key"]


@pytest.mark.parametrize(
    ("text", "release"),
    [
        ("python3 -m verl.trainer.main_ppo ray_init.num_cpus=1\n", "0.5.0"),  # the last with it
        ("python3 -m verl.trainer.main_ppo trainer.use_v1=False\n", VERL),
        ("", VERL),
    ],
)
def test_a_file_for_a_commit_of_verl_is_checked_as_by_the_command(
    text: str, release: str, tmp_path: Path
) -> None:
    (tmp_path / "requirements.txt").write_text(
        "verl @ git+https://github.com/verl-project/verl@0123456789\n"
    )
    file = tmp_path / "train.sh"
    analysis = analyse(file.as_posix(), text, setup_of(file, ExplicitOptions()))
    assert (analysis.findings, analysis.options.release) == ((), release)
