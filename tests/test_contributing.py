"""The recipes in CONTRIBUTING.md hold: its rule works, and what it names exists."""

from __future__ import annotations

import re
from pathlib import Path
from types import ModuleType

import pytest

from snippet_checker import snippets
from snippet_checker.documents import read_text
from snippet_checker.judge.judgement import judge
from snippet_checker.rules.base import JudgedSnippet
from snippet_checker.verl.release import load
from tests.configured import VERL

ROOT = Path(__file__).parents[1]
TEXT = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
# Files that a recipe tells to write, and what make builds.
NEW = re.compile(r"RELEASE|NAME|my-page|tiny-learning-rate|^\.venv/|^build/")


def named_paths() -> list[str]:
    """The files and folders in literals and in links."""
    found = re.findall(r"`([\w.*-]+(?:/[\w.*-]+)+/?)`|\]\(([\w./-]+)\)", TEXT)
    return sorted({literal or link for literal, link in found if not NEW.search(literal)})


@pytest.mark.parametrize(("rate", "found"), [("1e-12", 1), ("1e-6", 0), ("0.0", 0)])
def test_the_rule_that_it_shows_works(rate: str, found: int) -> None:
    (code,) = re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)
    module = ModuleType("tiny_learning_rate")
    exec(compile(code, "CONTRIBUTING.md", "exec", dont_inherit=True), module.__dict__)
    command = f"python3 -m verl.trainer.main_ppo actor_rollout_ref.actor.optim.lr={rate}\n"
    (block,) = read_text("train.sh", command)
    (snippet,) = snippets.read(block)
    problems = list(module.RULE.check(JudgedSnippet(snippet, judge(snippet, load(VERL)))))
    assert len(problems) == found


@pytest.mark.parametrize("path", named_paths())
def test_what_it_names_exists(path: str) -> None:
    assert list(ROOT.glob(path))


def test_its_commands_are_targets_of_make() -> None:
    targets = set(re.findall(r"^([a-z0-9-]+):", (ROOT / "Makefile").read_text("utf-8"), re.M))
    named = set(re.findall(r"(?:`|\$ )make ([a-z0-9-]+)", TEXT))
    assert named
    assert named <= targets
