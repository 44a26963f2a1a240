"""What programs may call."""

from __future__ import annotations

from pathlib import Path

import pytest

from snippet_checker import api
from tests.launching import WRONG

pytestmark = pytest.mark.usefixtures("elsewhere")


def test_a_text_is_checked_as_if_it_stood_in_a_file() -> None:
    [finding] = api.check_text("a.sh", WRONG).findings
    assert (finding.rule, finding.suggestion) == ("unknown-key", "trainer.nnodes")
    assert api.check_text("a.sh", "", verl="0.7").release == "0.7.1"
    Path("mine.yaml").write_text("defaults: [ppo_trainer, _self_]\nmine: 1\n")
    command = "python3 -m verl.trainer.main_ppo --config-path $PWD --config-name mine mine=2\n"
    assert api.check_text("b.sh", command).findings == ()


def test_paths_are_checked_as_the_command_does() -> None:
    Path("pyproject.toml").write_text('[tool.snippet-checker]\nverl = "0.7.1"\n')
    Path("a.sh").write_text(WRONG)
    result = api.check_paths([".", "gone.md"], jobs=1)
    assert (result.release, len(result.findings)) == ("0.7.1", 1)
    assert [failure.path for failure in result.failures] == ["gone.md"]
    assert api.check_paths(["a.sh"], verl="0.9.1").release == "0.9.1"


def test_an_upgrade_says_what_changes() -> None:
    old = "python3 -m verl.trainer.main_ppo critic.model.fsdp_config.param_offload=True\n"
    found = api.upgrade("a.sh", old, start="0.7.1", to="0.9.1")
    assert [finding.rule for finding in found.changes] == ["removed-key"]
    assert found.commands
    guessed = api.upgrade("a.sh", old).start
    assert guessed is not None
    assert guessed.release == "0.7.1"


def test_a_rule_is_explained() -> None:
    assert "not in struct" in api.explain("unknown-key")


def test_the_example_of_the_page_prints_what_it_says(capsys: pytest.CaptureFixture[str]) -> None:
    page = (Path(__file__).parents[1] / "docs/checker/api.md").read_text("utf-8")
    example = page.split("```python\n")[1].split("```")[0]
    exec(example, {})
    assert f"It prints `{capsys.readouterr().out.strip()}`." in page


@pytest.mark.parametrize("wrong", [{"verl": "nope"}, {"entry": "nope"}])
def test_what_is_not_there_is_an_error_of_ours(wrong: dict[str, str]) -> None:
    with pytest.raises(api.UserError):
        api.check_text("a.sh", WRONG, **wrong)
    with pytest.raises(api.UserError):
        api.explain("nope")


@pytest.mark.parametrize("name", ["a.rtf", "a", "", "a.sh.orig"])
def test_a_text_needs_the_name_of_a_format(name: str) -> None:
    with pytest.raises(api.UserError, match="no format is known"):
        api.check_text(name, WRONG)
    with pytest.raises(api.UserError, match="no format is known"):
        api.upgrade(name, WRONG)
    assert api.check_text("a", f"#!/bin/bash\n{WRONG}").findings
