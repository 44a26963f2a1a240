"""What a project says once, what an argument says, and which of both holds."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from snippet_checker import cli, statuses

# Only 0.8.0 has no `trainer.v1`; only the program of supervised fine-tuning has `optim.lr` at the
# top, and Hydra refuses to append a key that the program has; nothing can be said of my_trainer.py.
PAGE = """
```yaml
trainer:
  v1:
    trainer_mode: sync
```

```bash
python3 my_trainer.py trainer.my_own_option=1
```
"""
FRAGMENT = "```text\n+optim.lr=1\n```\n"


pytestmark = pytest.mark.usefixtures("elsewhere")


def found(settings: str, *arguments: str, page: str = PAGE, capsys: Any) -> tuple[str, list[str]]:
    """The release that was checked against, and the rules that found something."""
    Path("pyproject.toml").write_text(f"[tool.snippet-checker]\n{settings}\n", "utf-8")
    Path("page.md").write_text(page, "utf-8")
    status = cli.main(["check", "page.md", "--format", "json", *arguments])
    told = json.loads(capsys.readouterr().out)
    assert status == (statuses.FOUND if told["findings"] else statuses.CLEAN)
    return told["verl"], [finding["rule"] for finding in told["findings"]]


@pytest.mark.parametrize(
    ("settings", "arguments", "release", "rules"),
    [
        ('verl = "0.9.0"', [], "0.9.0", []),
        ('verl = "0.8.0"', [], "0.8.0", ["future-key"]),
        ('verl = "0.8.0"', ["--verl", "0.9.0"], "0.9.0", []),
        ('verl = "0.9.0"', ["--verl", "0.8.0"], "0.8.0", ["future-key"]),
        ('verl = "0.9.0"\nstrict = true', [], "0.9.0", ["unverified-setting"]),
        ('verl = "0.9.0"\nstrict = false', ["--strict"], "0.9.0", ["unverified-setting"]),
        ('verl = "0.9.0"\nstrict = false', [], "0.9.0", []),
        ('verl = "0.8.0"\nignore = ["future-key"]', [], "0.8.0", []),
    ],
)
def test_release_strictness_and_rules(
    settings: str,
    arguments: list[str],
    release: str,
    rules: list[str],
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert found(settings, *arguments, capsys=capsys) == (release, rules)


SFT, PPO = "verl.trainer.sft_trainer", "verl.trainer.main_ppo"


@pytest.mark.parametrize(
    ("settings", "arguments", "rules"),
    [
        (f'entry = "{SFT}"', [], ["needless-plus"]),
        (f'entry = "{PPO}"', ["--entry", SFT], ["needless-plus"]),
        ("", ["--entry", SFT], ["needless-plus"]),
    ],
)
def test_the_program_of_bare_snippets(
    settings: str, arguments: list[str], rules: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert found(settings, *arguments, page=FRAGMENT, capsys=capsys)[1] == rules


def test_another_program_does_not_have_the_key(capsys: pytest.CaptureFixture[str]) -> None:
    assert found(f'entry = "{PPO}"', page=FRAGMENT, capsys=capsys)[1] != ["needless-plus"]


@pytest.mark.parametrize("value", ["1", "0", '"true"', "[]"])
def test_a_switch_is_true_or_false(value: str, capsys: pytest.CaptureFixture[str]) -> None:
    Path("pyproject.toml").write_text(f"[tool.snippet-checker]\nstrict = {value}\n", "utf-8")
    assert cli.main(["check"]) == statuses.USAGE
    assert "'strict' must be true or false" in capsys.readouterr().err
