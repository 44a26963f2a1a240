"""A file that names verl and cannot be read is never passed over in silence."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from snippet_checker import runner
from snippet_checker.documents import read_text
from snippet_checker.documents.block import BlockKind
from snippet_checker.findings import Finding
from snippet_checker.pipeline import Options
from tests.configured import VERL

COMMAND = "python3 -m verl.trainer.main_ppo trainer.nnode=2"
LIST = '["python3", "-m", "verl.trainer.main_ppo", "trainer.nnode=2"]'
NOTEBOOK = json.dumps({"cells": [{"cell_type": "code", "source": [f"!{COMMAND}"]}]}, indent=1)
UNGRAMMATICAL = """\
DEPTH="$(SHAPE="${SHAPE}" python - <<'E'
E
)"
MOST="${MOST:-$((FIRST + (DEPTH - 1) * LATER))}"
SET=(
  "actor_rollout_ref.rollout.n=${N}"
)
python3 -m verl.trainer.main_ppo "${SET[@]}"
"""  # which a shell reads, and the grammar does not
OURS, THEIRS = "<<<<<<< HEAD\n", "=======\n>>>>>>> theirs\n"

BROKEN = [
    # the file, its text, the rule that speaks, and the line of the finding
    ("a.ipynb", NOTEBOOK[:-4], "unreadable-file", 8),
    ("a.ipynb", NOTEBOOK.replace('"cell_type"', f'{OURS}"cell_type"'), "unreadable-file", 4),
    ("a.ipynb", NOTEBOOK.replace('"source"', "source"), "unreadable-file", 5),
    ("a.ipynb", f"{NOTEBOOK}\0", "unknown-key", 6),
    ("a.ipynb", f'["{COMMAND}"]', "unknown-key", 1),
    ("a.ipynb", f'{{"cells": {{"a": "{COMMAND}"}}}}', "unknown-key", 1),
    ("a.json", f'{{\n"a": "{COMMAND}",', "unreadable-file", 2),
    ("a.json", f'{{\n"a": "{COMMAND}\n}}', "unreadable-file", 2),
    ("a.json", f"{{\na: '{COMMAND}'\n}}", "unreadable-file", 2),
    ("a.json5", f"{{\na: '{COMMAND},\n}}", "unreadable-file", 2),
    ("a.json", f"{OURS}{LIST}\n{THEIRS}", "unknown-key", 2),
    ("a.json", f"{{}}\n{LIST}\n", "unknown-key", 2),
    ("a.json", f'{{\n{OURS}"a": {LIST}\n{THEIRS}}}\n', "unreadable-file", 2),
    ("a.py", f'import os\nos.system("{COMMAND}")\ndef f(:\n', "unreadable-file", 3),
    ("a.py", f"run({LIST}\n", "unreadable-file", 1),
    ("a.py", f"{OURS}run({LIST})\n{THEIRS}", "unreadable-file", 1),
    ("a.py", f"x = 1\nrun({LIST})\0", "unreadable-file", 2),
    ("a.py", f"run({LIST})\nx = {'-' * 50_000}1\n", "unchecked-part", 1),
    ("a.yaml", f'jobs:\n  run: "{COMMAND}\n', "yaml-syntax", 3),
    ("a.yaml", f"jobs:\n{OURS}  run: {COMMAND}\n{THEIRS}", "yaml-syntax", 3),
    ("a.yml", "# for verl\nactor:\n\toptim: 1\n", "yaml-syntax", 3),
    ("a.toml", f'a = "{COMMAND}\n', "unknown-key", 1),
    ("a.toml", f"{OURS}a = {LIST}\n{THEIRS}", "unknown-key", 2),
    ("Dockerfile", f"FROM a\nRUN {LIST[:-1]}\n", "unreadable-file", 2),
    ("Dockerfile", f"FROM a\nCMD {LIST.replace(chr(34), chr(39))}\n", "unreadable-file", 2),
    ("Makefile", f"all:\n        {COMMAND}\n", "unreadable-file", 2),
    ("a.sh", f"if true; then\n{COMMAND}\n", "unknown-key", 2),
    ("a.sh", f'echo "start\n{COMMAND}\n', "unreadable-file", 1),
    ("a.sh", f"# it's\nX='a\n{COMMAND}\n", "unreadable-file", 2),
    ("a.sh", f'if true; then\n{COMMAND} \\\n  data.seed="1\nfi\n', "unreadable-file", 3),
    ("a.sh", f"echo don't\n{COMMAND}\n", "unreadable-file", 1),
    ("run", f'#!/bin/bash\nX=$(echo "a)\n{COMMAND}\n', "unreadable-file", 2),
    ("a.sh", UNGRAMMATICAL, "unchecked-part", 1),
    ("a.sh", f"{OURS}{COMMAND}\n{THEIRS}", "unknown-key", 2),
    ("a.ipy", f"def (:\n!{COMMAND}\n", "unknown-key", 2),
    ("a.md", f"```bash\n{COMMAND}\n", "unknown-key", 2),
    ("a.mdx", f"<A>\n```bash\n{COMMAND}\n", "unknown-key", 3),
    ("a.adoc", f"----\n{COMMAND}\n", "unknown-key", 2),
    ("a.org", f"#+begin_src sh\n{COMMAND}\n", "unknown-key", 2),
    ("a.rst", f".. code-block:: bash\n\n   {COMMAND}\n x\n", "unknown-key", 3),
    ("a.po", f'msgid "verl\nmsgstr "{COMMAND}"\n', "catalog-syntax", 1),
]

SUFFIXES = [
    "ipynb",
    "json",
    "py",
    "yaml",
    "toml",
    "sh",
    "md",
    "mdx",
    "rst",
    "po",
    "mk",
    "just",
    "ipy",
]


def findings(name: str, data: bytes) -> list[Finding]:
    """What is found in a file that lies in no project."""
    checked = runner.check_bytes(f"/nowhere/{name}", data, Options(VERL))
    assert checked.failure is None
    return [*checked.findings]


@pytest.mark.parametrize(("name", "text", "rule", "line"), BROKEN)
def test_what_cannot_be_read_is_said(name: str, text: str, rule: str, line: int) -> None:
    assert (rule, line) in [(one.rule, one.span.line) for one in findings(name, text.encode())]


@pytest.mark.parametrize(("name", "text", "rule", "line"), BROKEN)
def test_nothing_is_said_of_what_is_not_about_verl(
    name: str, text: str, rule: str, line: int
) -> None:
    text = text.replace("verl", "other").replace("trainer.nnode", "nodes")
    said = [one.rule for one in findings(name, text.encode())]
    assert said == (["catalog-syntax"] if rule == "catalog-syntax" else [])


@pytest.mark.parametrize("encoding", ["utf-16", "utf-32", "utf-16-le", "utf-16-be", "utf-32-le"])
@pytest.mark.parametrize("suffix", SUFFIXES)
def test_another_encoding_is_said(suffix: str, encoding: str) -> None:
    [finding] = findings(f"a.{suffix}", f'run = "{COMMAND}"\n'.encode(encoding))
    assert finding.rule == "unreadable-file"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("Dockerfile", f'FROM a\nRUN [ "$A" = b ] && {COMMAND.replace("nnode", "nnodes")}\n'),
        ("log.json", "Loading the tokenizer...\nSaved to: /home/a/verl/data/lengths.png\n"),
        ("a.sh", f'# it\'s\necho "don\'t" \\" # "\n{COMMAND.replace("nnode", "nnodes")}\n'),
        ("a.sh", f'[[ $A == \\"*\\" && "$B" ]]\n{COMMAND.replace("nnode", "nnodes")}\n'),
        ("a.sh", f"cat <<'E'\n\"\nE\n{COMMAND.replace('nnode', 'nnodes')}\n"),
        ("a.md", f'```bash\nX="\n{COMMAND.replace("nnode", "nnodes")}\n```\n'),
        ("Makefile", f"define RUN\n  {COMMAND}\nendef\n"),
        ("Makefile", f"ifdef A\n  RUN = {COMMAND}\nendif\n"),
        ("a.md", f'```json\n{{"a": "{COMMAND}", ...\n```\n'),
        ("a.md", f'```python\nrun("{COMMAND.replace("nnode", "nnodes")}"\n```\n'),
        ("chart.yaml", "image: {{ .Values.verl }}\n  a: {{ b }}\n"),
    ],
)
def test_what_only_looks_broken_is_left_alone(name: str, text: str) -> None:
    assert findings(name, text.encode()) == []


def test_each_way_stands_in_the_table() -> None:
    """A format without a case would be passed over again."""
    from snippet_checker.documents import EXAMPLES

    forms = {Path(name).suffix or name for name, *_ in BROKEN}
    alike = {
        ".bash",
        ".slurm",
        ".sbatch",
        ".batch",
        ".pbs",
        ".txt",
        ".dockerfile",
        ".mk",
        *(".zsh", ".ksh", ".lsf", ".markdown", ".qmd", ".rmd", ".asciidoc", ".jsonc"),
        ".code-workspace",
    }  # readers of others
    refused = {name for name in EXAMPLES if not _takes_any_text(name)}
    assert refused - forms - alike == {".just", "justfile", ".env"}  # of which no text is refused


def _takes_any_text(name: str) -> bool:
    """Whether only the commands on the lines of a file are read, whatever stands there."""
    name = f"a{name}" if name.startswith(".") else name
    return {block.kind for block in read_text(name, COMMAND)} == {BlockKind.FOREIGN}
