"""The command line is completed in the shells themselves."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from snippet_checker import cli, statuses
from snippet_checker.rules import all_rules
from snippet_checker.verl.release import releases

# What is typed, with what of the word that stands last, and what is offered for it.
TYPED = [
    ("chec", {"check"}),
    ("schema d", {"diff"}),
    ("check --stdin-f", {"--stdin-filename"}),
    ("check --format js", {"json"}),
    ("check --verl 0.7", {one for one in releases() if one.startswith("0.7")}),
    ("explain unk", {one for one in all_rules() if one.startswith("unk")}),
    ("completion z", {"zsh"}),
    ("check --entry verl.trainer.sft_trainer_", {"verl.trainer.sft_trainer_ray"}),
    ("check tra", {"train.sh"}),
    ("check doc", {"docs"}),
]
BASH = """
source {script}
complete -p snippet-checker > /dev/null || exit
COMP_WORDS=(snippet-checker {words})
COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1))
$(complete -p snippet-checker | sed 's/.*-F \\([^ ]*\\).*/\\1/')
printf '%s\\n' "${{COMPREPLY[@]}}"
"""


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("typing")
    (folder / "train.sh").touch()
    (folder / "docs").mkdir()
    return folder


def offered(shell: str, program: str, home: Path) -> set[str]:
    done = subprocess.run(
        [shell, "-c", program], cwd=home, capture_output=True, text=True, timeout=60, check=True
    )
    return {line.split("\t")[0].rstrip("/ ") for line in done.stdout.splitlines() if line}


def script(shell: str, home: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    assert cli.main(["completion", shell]) == statuses.CLEAN
    file = home / f"script.{shell}"
    file.write_text(capsys.readouterr().out, "utf-8")
    return file


@pytest.mark.parametrize(("words", "wanted"), TYPED)
def test_bash_completes(
    words: str, wanted: set[str], home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    program = BASH.format(script=script("bash", home, capsys), words=words)
    assert offered("bash", program, home) == wanted


@pytest.mark.skipif(shutil.which("fish") is None, reason="there is no fish")
@pytest.mark.parametrize(("words", "wanted"), TYPED)
def test_fish_completes(
    words: str, wanted: set[str], home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = script("fish", home, capsys)
    program = f"source {file}; complete -C 'snippet-checker {words}'"
    assert offered("fish", program, home) == wanted


@pytest.mark.skipif(shutil.which("zsh") is None, reason="there is no zsh")
def test_zsh_reads_the_script(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What it offers shows on a terminal only, after a time that nobody knows."""
    file = script("zsh", home, capsys)
    assert file.read_text("utf-8").startswith("#compdef snippet-checker\n")
    subprocess.run(["zsh", "-n", file], check=True, timeout=60)
