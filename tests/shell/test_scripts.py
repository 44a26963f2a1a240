"""The scripts of `scripts.md`: the overrides that bash hands to a program, and those we read."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from snippet_checker import documents
from snippet_checker.hydra import override
from snippet_checker.hydra.setting import Value
from snippet_checker.snippets import read
from snippet_checker.snippets.snippet import Command

PAGE = Path(__file__).with_name("scripts.md")
SCRIPTS = re.findall(r"```bash( possible)?\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
NOTING = '#!/bin/sh\nfor a in "$@"; do printf "%s\\0" "$a"; done >> "$NOTES"\n'


def bashs(script: str, folder: Path) -> list[str]:
    """The overrides that `python3` gets, in all its runs."""
    bash = shutil.which("bash") or pytest.fail("bash is needed: apt-get install bash")
    (folder / "python3").write_text(NOTING)
    (folder / "python3").chmod(0o755)
    environment = {"PATH": f"{folder}:/usr/bin:/bin", "NOTES": str(folder / "notes")}
    subprocess.run(
        [bash, "-c", script], env=environment, cwd=folder, capture_output=True, timeout=20
    )
    words = (folder / "notes").read_text().split("\0")[:-1]
    return [word for word in words if word not in ("-m", "verl.trainer.main_ppo")]


def parsed(text: str) -> tuple[str, Any]:
    found = override.parse(text)
    return f"{found.operator}{found.key}", found.value


@pytest.mark.parametrize(("possible", "script"), SCRIPTS)
def test_overrides_are_bashs(possible: str, script: str, tmp_path: Path) -> None:
    script = script.replace("PPO", "python3 -m verl.trainer.main_ppo")
    expected = [parsed(word) for word in bashs(script, tmp_path)]
    [block] = documents.read_text("case.sh", script)
    snippets = read(block)
    assert [fault.message for snippet in snippets for fault in snippet.faults] == []
    settings = [s for snippet in snippets for s in snippet.settings]
    assert {type(snippet) for snippet in snippets if snippet.settings} == {Command}
    found = [(f"{s.operator}{s.key}", s.value, s.sure) for s in settings]
    for key, value in expected:
        assert any(k == key and v in (value, Value.UNKNOWN) for k, v, _ in found), key
    certain = [(key, value) for key, value, sure in found if sure and value is not Value.UNKNOWN]
    if not possible:
        assert [setting for setting in certain if setting not in expected] == []
        assert len(certain) <= len(expected)
