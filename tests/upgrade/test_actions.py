"""What settings of real old scripts need, decided by reading verl's code, beside what is told."""

from __future__ import annotations

import fnmatch
import tomllib
from pathlib import Path
from typing import Any

import pytest

from snippet_checker.findings import Finding
from snippet_checker.pipeline import Options
from snippet_checker.upgrade.compare import compare
from snippet_checker.verl.release import load
from tests.parts import every_nth_fast

TRUTH = tomllib.loads(Path(__file__).with_name("actions.toml").read_text("utf-8"))
SETTINGS: list[dict[str, Any]] = TRUTH["setting"]
TARGET = "0.9.1"


def told(setting: dict[str, Any]) -> Finding | None:
    """What is said of a setting, in a command with what the answer depends on."""
    name = "ppo_megatron_trainer" if setting.get("megatron") else setting.get("config")
    config = f"--config-name={name} " if name else ""
    start = f"python3 -m {setting['program']} {config}"
    beside = " ".join(setting.get("beside", []))
    text = f"{start}{beside} {setting['key']}={setting['value']}\n"
    found = compare("a.sh", text, Options(TARGET), setting["release"])
    bare = setting["key"].lstrip("+")
    findings = (*found.changes, *found.wrong_before)
    return next((f for f in findings if (f.key or "").lstrip("+") == bare), None)


def is_right(setting: dict[str, Any], finding: Finding | None) -> bool:
    if finding is None:
        return False
    suggested, right = finding.suggestion, setting.get("right", [])
    match setting["action"]:
        case "add-plus" | "drop-plus":
            return suggested is not None and suggested.lstrip("+") == setting["key"].lstrip("+")
        case "value":
            return suggested != str(setting["value"])
        case _ if setting.get("any"):
            return True
    if suggested is None:
        return not right or setting["action"] == "remove" or bool(setting.get("none"))
    return any(fnmatch.fnmatchcase(suggested, pattern) for pattern in right)


@pytest.mark.parametrize("setting", every_nth_fast(5, SETTINGS), ids=lambda one: one["key"])
def test_what_is_told_is_what_the_code_asks_for(setting: dict[str, Any]) -> None:
    assert is_right(setting, told(setting)) != setting.get("open", False)


def test_nine_in_ten_are_right() -> None:
    still_open = [setting for setting in SETTINGS if setting.get("open")]
    assert len(still_open) < len(SETTINGS) / 10


def test_what_is_right_is_a_key() -> None:
    keys = load(TARGET).all_keys
    for setting in SETTINGS:
        for right in setting.get("right", []):
            assert right.startswith("+") or fnmatch.filter(keys, right), right
