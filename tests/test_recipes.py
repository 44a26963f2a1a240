"""verl accepted every launch script of the guide, and bash and the checker read them alike."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from hydra.core.override_parser.overrides_parser import OverridesParser

from snippet_checker import snippets
from snippet_checker.runner import read_file
from snippet_checker.snippets.snippet import Command

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tools"))

import launch_scripts  # noqa: E402
import verify_recipes  # noqa: E402

RECORD = json.loads(verify_recipes.RECORD.read_text("utf-8"))
SCRIPTS = launch_scripts.all_scripts()
RECIPES = sorted(path.stem for path in SCRIPTS if path.parent.name == "recipes")
NAMES = [launch_scripts.name_of(path) for path in SCRIPTS]
AGAIN = "run `make verify-recipes`"


@pytest.mark.parametrize("script", SCRIPTS, ids=NAMES)
def test_verl_accepted_this_very_script(script: Path) -> None:
    name = launch_scripts.name_of(script)
    assert name in RECORD["scripts"], f"verl has not accepted {name}: {AGAIN}"
    known = RECORD["scripts"][name]["sha256"]
    assert verify_recipes.digest(script) == known, f"{name} has changed since: {AGAIN}"


def test_the_record_is_of_the_present_tool() -> None:
    assert set(RECORD["scripts"]) == set(NAMES), f"the record names other scripts: {AGAIN}"
    fresh = verify_recipes.record({name: said["steps"] for name, said in RECORD["scripts"].items()})
    assert json.loads(fresh) == RECORD, f"release or packages have changed: {AGAIN}"


@pytest.mark.parametrize("recipe", RECIPES)
def test_a_recipe_has_its_page(recipe: str) -> None:
    page = (ROOT / f"docs/recipes/{recipe}.md").read_text("utf-8")
    index = (ROOT / "docs/recipes/index.md").read_text("utf-8")
    assert f"(recipe-{recipe})=" in page
    assert re.search(rf"^```{{verl:verified}} {recipe}\.sh\n```$", page, re.MULTILINE)
    assert re.search(rf"^```{{literalinclude}} {recipe}\.sh\n:language: bash$", page, re.MULTILINE)
    assert f"<recipe-{recipe}>" in index
    assert re.search(rf"^{recipe}$", index, re.MULTILINE), "not in the table of contents"


@pytest.mark.parametrize("recipe", RECIPES)
def test_a_recipe_gives_a_reason_for_each_of_its_settings(recipe: str) -> None:
    page = (ROOT / f"docs/recipes/{recipe}.md").read_text("utf-8")
    command = launch_scripts.command_of(ROOT / f"docs/recipes/{recipe}.sh")
    keys = [override.lstrip("+").partition("=")[0] for override in command.overrides]
    unexplained = [key for key in keys if not _mentioned(key, page)]
    assert unexplained == []


def _mentioned(key: str, page: str) -> bool:
    """In full, or shortened from the left, in backquotes."""
    parts = key.split(".")
    endings = [".".join(parts[start:]) for start in range(len(parts))]
    return any(re.search(rf"`[~+]?{re.escape(ending)}[`=]", page) for ending in endings)


@pytest.mark.parametrize("script", SCRIPTS, ids=NAMES)
def test_the_checker_reads_a_script_as_bash_does(script: Path) -> None:
    [snippet] = [
        snippet
        for block in read_file(script)
        for snippet in snippets.read(block)
        if isinstance(snippet, Command)
    ]
    command = launch_scripts.command_of(script)
    assert snippet.entry == command.program
    overrides = OverridesParser.create().parse_overrides(command.overrides)
    assert [setting.key for setting in snippet.settings] == [o.key_or_group for o in overrides]
    for setting, override in zip(snippet.settings, overrides, strict=True):
        assert setting.operator == ("+" if override.is_add() else "=")
        if "$HOME" not in script.read_text("utf-8").splitlines()[setting.span.line - 1]:
            assert setting.value == override.value()


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("echo hello", "starts 0 Python modules"),
        ("python3 -m http.server", "only verl.trainer.main_ppo and"),
        ("set -u; python3 -m verl.trainer.main_ppo data.train_files=$DATA", "DATA: unbound"),
        ("torchrun --nproc_per_node=gpu -m verl.trainer.sft_trainer", "should be numbers"),
    ],
)
def test_a_script_without_a_command_is_told_why(tmp_path: Path, text: str, reason: str) -> None:
    script = tmp_path / "script.sh"
    script.write_text(text, "utf-8")
    with pytest.raises(launch_scripts.NoCommand, match=re.escape(reason)):
        launch_scripts.command_of(script)


SFT = "-m verl.trainer.sft_trainer"


@pytest.mark.parametrize(
    ("launcher", "processes"),
    [
        ("torchrun --standalone --nnodes=1 --nproc_per_node=8", 8),
        ("torchrun --nnodes 2 --nproc_per_node 4 --rdzv-backend c10d", 8),
        ("torchrun --nproc-per-node=4 --rdzv_endpoint=head:29500 --nnodes=2", 8),
        ("torchrun --nproc-per-node 8", 8),
        ("torchrun", 1),
        ("python3", 1),
    ],
)
def test_processes_are_those_that_torchrun_starts(
    tmp_path: Path, launcher: str, processes: int
) -> None:
    script = tmp_path / "script.sh"
    script.write_text(f"{launcher} {SFT} trainer.nnodes=1", "utf-8")
    command = launch_scripts.command_of(script)
    assert (command.processes, command.overrides) == (processes, ["trainer.nnodes=1"])


def test_a_script_that_reads_its_input_finds_none(tmp_path: Path) -> None:
    script = tmp_path / "script.sh"
    script.write_text(f'read -r answer; python3 {SFT} "data.train_files=x$answer"', "utf-8")
    finding = "import sys; sys.path.insert(0, 'tools'); import launch_scripts, pathlib; "
    finding += f"print(launch_scripts.command_of(pathlib.Path({str(script)!r})).overrides)"
    command = [sys.executable, "-c", finding]
    done = subprocess.run(
        command, input="typed\n", cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout == "['data.train_files=x']\n"


@pytest.mark.parametrize("packages", ["PACKAGES", "WITHOUT_REQUIREMENTS"])
def test_another_package_makes_another_environment(
    monkeypatch: pytest.MonkeyPatch, packages: str
) -> None:
    before = verify_recipes.wanted()
    listed = getattr(verify_recipes, packages)
    monkeypatch.setattr(verify_recipes, packages, [*listed, "one-more"])
    assert verify_recipes.wanted() != before
