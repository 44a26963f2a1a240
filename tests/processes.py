"""The command in a process of its own, where streams, signals and terminals are real."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

COMMAND = [sys.executable, "-m", "snippet_checker"]

WRONG = "python3 -m verl.trainer.main_ppo trainer.nnodes=two\n"
"""A script with one finding, for which no other key has to be suggested: that takes longer."""


def shell(line: str, **options: object) -> subprocess.CompletedProcess[bytes]:
    """A line of bash, with the command as `$CHECKER`."""
    script = f'CHECKER="{" ".join(COMMAND)}"; {line}'
    return subprocess.run(["bash", "-c", script], capture_output=True, check=False, timeout=60)


def scripts(folder: Path, count: int = 80) -> list[str]:
    """As many scripts as are worth several processes; their names."""
    names = [f"s{number:02}.sh" for number in range(count)]
    for name in names:
        (folder / name).write_text(WRONG)
    return names


def patched(body: str, *arguments: str, first: str = "") -> list[str]:
    """The command with `check_blocks` replaced: `body` is what it does with `blocks`.

    Two processors are there, whatever the machine has, and `name` is the file's. `first`
    is what to do before the command.
    """
    program = f"""
import multiprocessing, os, signal, sys, time
from pathlib import Path
from snippet_checker import cli, pipeline, runner
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background ignores it
signal.signal(signal.SIGHUP, signal.SIG_DFL)  # and nohup this one
{first}
real = pipeline.check_blocks
def check_blocks(blocks, options):
    name = blocks[0].path
    {body}
    return real(blocks, options)
pipeline.check_blocks = check_blocks
runner._processors = lambda: 2
multiprocessing.set_start_method("fork")
sys.exit(cli.main({list(arguments)!r}))
"""
    return [sys.executable, "-c", program]
