"""`[[tool.snippet-checker.overrides]]`: another release, program or rules for some files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from snippet_checker import statuses
from snippet_checker.cli import main

# `trainer.nnode` is a key of no release; `actor.load_weight` went with 0.9.0.
SCRIPT = (
    "python3 -m verl.trainer.main_ppo actor_rollout_ref.actor.load_weight=True "
    "model_engine=megatron trainer.nnode=1\n"
)
NEW, OLD = "docs/train.sh", "recipe/old/train.sh"


@pytest.fixture(autouse=True)
def _in_project(elsewhere: None) -> None:
    for name in (NEW, OLD):
        Path(name).parent.mkdir(parents=True)
        Path(name).write_text(SCRIPT)


def _configure(*overrides: str) -> None:
    tables = "\n".join(f"[[tool.snippet-checker.overrides]]\n{one}" for one in overrides)
    Path("pyproject.toml").write_text(f'[tool.snippet-checker]\nverl = "0.9.1"\n{tables}\n')


def _rules(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, list[str]]:
    main(["check", "--format", "json", *(arguments or ("docs", "recipe"))])
    found: dict[str, list[str]] = {}
    for one in json.loads(capsys.readouterr().out)["findings"]:
        found.setdefault(one["path"], []).append(one["rule"])
    return found


def test_a_folder_has_a_release_of_its_own(capsys: pytest.CaptureFixture[str]) -> None:
    _configure('paths = ["recipe/old/*"]\nverl = "0.8.0"')
    assert _rules(capsys) == {NEW: ["removed-key", "unknown-key"], OLD: ["unknown-key"]}


def test_ignored_rules_add_up_and_later_overrides_win(capsys: pytest.CaptureFixture[str]) -> None:
    _configure(
        'paths = ["recipe/*"]\nverl = "0.7.1"\nignore = ["unknown-key"]',
        'paths = ["recipe/old/*.sh"]\nverl = "0.9.1"',
    )
    assert _rules(capsys) == {NEW: ["removed-key", "unknown-key"], OLD: ["removed-key"]}


def test_the_command_line_comes_first(capsys: pytest.CaptureFixture[str]) -> None:
    _configure('paths = ["recipe/*"]\nverl = "0.8.0"')
    found = _rules(capsys, "--verl", "0.9.1", "recipe")
    assert found == {OLD: ["removed-key", "unknown-key"]}


def test_standard_input_counts_by_its_name(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    _configure('paths = ["recipe/*"]\nverl = "0.8.0"')
    for name, expected in ((NEW, ["removed-key", "unknown-key"]), (OLD, ["unknown-key"])):
        with Path(name).open() as file:
            monkeypatch.setattr("sys.stdin", file)
            assert _rules(capsys, "--stdin-filename", name, "-") == {name: expected}


def test_patterns_count_from_the_root(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    _configure('paths = ["recipe/*"]\nverl = "0.8.0"')
    monkeypatch.chdir("recipe")
    assert _rules(capsys, "old") == {"old/train.sh": ["unknown-key"]}


def test_many_files_are_checked_alike_on_several_processors(
    capsys: pytest.CaptureFixture[str],
) -> None:
    for number in range(50):
        for name in (NEW, OLD):
            Path(name).with_name(f"{number}.sh").write_text(SCRIPT)
    _configure('paths = ["recipe/*"]\nverl = "0.8.0"')
    found = _rules(capsys, "--jobs", "2", "docs", "recipe")
    assert len(found) == 102
    for name, rules in found.items():
        assert rules == (["unknown-key"] if name.startswith("recipe") else _rules_of_new())


def _rules_of_new() -> list[str]:
    return ["removed-key", "unknown-key"]


def test_kept_results_do_not_outlive_an_override(capsys: pytest.CaptureFixture[str]) -> None:
    for release, expected in (("0.8.0", ["unknown-key"]), ("0.9.1", _rules_of_new())):
        Path("pyproject.toml").write_text(
            '[tool.snippet-checker]\nverl = "0.9.1"\ncache = ".cache"\n'
            f'[[tool.snippet-checker.overrides]]\npaths = ["recipe/*"]\nverl = "{release}"\n'
        )
        assert _rules(capsys)[OLD] == expected


@pytest.mark.parametrize(
    ("override", "said"),
    [
        ('verl = "0.8.0"', "[[tool.snippet-checker.overrides]] lacks 'paths'"),
        ('paths = "recipe"', "[[tool.snippet-checker.overrides]]: 'paths' must be a list"),
        ("paths = []\nexclude = []", "[[tool.snippet-checker.overrides]] has no 'exclude'; it has"),
        ('paths = []\nverl = "0.8.9"', "overrides]]: there is no schema of verl 0.8.9; choose one"),
        ('paths = []\nentry = "x"', "overrides]]: verl 0.9.1 has no entry point 'x'; it has"),
        ('paths = []\nignore = ["x"]', "overrides]] 'ignore' has 'x', which is no rule"),
    ],
)
def test_an_override_that_cannot_be_used_is_one_line(
    override: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    _configure(override)
    assert main(["check"]) == statuses.USAGE
    error = capsys.readouterr().err
    assert said in error
    assert error.count("\n") == 1


def test_overrides_that_are_no_tables(capsys: pytest.CaptureFixture[str]) -> None:
    Path("pyproject.toml").write_text("[tool.snippet-checker]\noverrides = 3\n")
    assert main(["check"]) == statuses.USAGE
    said = "'overrides' must be tables: [[tool.snippet-checker.overrides]]"
    assert said in capsys.readouterr().err
