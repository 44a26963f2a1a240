"""What a writer did wrong is said in a line: where, what, and what to do."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.configured import VERL
from tests.docs_ext.conftest import ROOT, Project

TABLE = "```{verl:settings}\ndata.train_files\n```"


@pytest.fixture
def said(project: Project) -> Callable[[bytes], str]:
    """Writes a file of descriptions beside a sound one, and builds: the warnings."""
    folder = project.source / "keys"
    folder.mkdir()
    (folder / "data.toml").write_text('"data.train_files" = "Where the data is."\n', "utf-8")

    def build(content: bytes) -> str:
        (folder / "fsdp.toml").write_bytes(content)
        project.write(index=TABLE)
        return project.build(verl_descriptions="keys").warnings

    return build


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b'"trainer.nnodes" = "Nodes."\n', None),
        (
            b'"trainer.nnodes" = "Nodes.\n',
            r"fsdp.toml:1: WARNING: Illegal .* \(at line 1, .*; write each key in a line, as",
        ),
        (b'# x\n"trainer.nnodes" = [\n', r"fsdp.toml:2: WARNING: .*; write each key in a line, as"),
        (
            b'# x\n"trainer.nnodes" = "\xff"\n',
            r"fsdp.toml:2: WARNING: 'utf-8' codec can't decode .*; save the file as UTF-8",
        ),
        (
            b'"trainer.nnodes" = "Nodes."\n"trainer.nnode" = "Nodes."\n',
            rf"fsdp.toml:2: WARNING: verl {VERL} has no key 'trainer.nnode'; rename or remove it",
        ),
        (
            b'\ntrainer.nnodes = "Nodes."\n',
            "fsdp.toml:2: WARNING: put quotation marks around the key 'trainer.…'",
        ),
        (
            b'"data.train_files" = "."\n',
            "fsdp.toml:1: WARNING: data.toml describes 'data.train_files', too; keep one",
        ),
    ],
)
def test_a_fault_in_the_descriptions_is_told_in_a_line(
    said: Callable[[bytes], str], content: bytes, message: str | None
) -> None:
    lines = [line for line in said(content).splitlines() if "fsdp.toml" in line]
    assert len(lines) == (message is not None)
    assert message is None or re.search(message, lines[0])


@pytest.mark.slow
def test_an_unknown_language_is_told_which_there_are(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "sphinx", "-q", "-D", "language=xx", "docs", str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr == "there is no language 'xx' here; choose one of en, zh_CN, ja\n"


def test_a_script_that_is_missing_is_named_where_the_page_names_it(project: Project) -> None:
    project.write(index="```{verl:verified} gone.sh\n```")
    warnings = project.build().warnings
    assert "index.md:3: ERROR: there is no script source/gone.sh; write it, then run" in warnings


@pytest.mark.parametrize("content", [None, "{"])
def test_a_record_that_cannot_be_read_says_how_to_write_it(
    project: Project, content: str | None
) -> None:
    if content is not None:
        (project.source / "verified.json").write_text(content, "utf-8")
    (project.source / "train.sh").touch()
    project.write(index="```{verl:verified} train.sh\n```")
    warnings = project.build(verl_record="verified.json").warnings
    assert re.search(r"index.md:3: ERROR: source/verified.json .*make verify-rec", warnings)
