"""What the launch scripts of the guide start, as bash makes it of them.

A script is run with programs in the place of python3 and torchrun that note how they were called:
what verl gets is what the shell hands on, and no reader of shell scripts can be wrong about it.
"""

from __future__ import annotations

import argparse
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PROGRAMS = ("verl.trainer.main_ppo", "verl.trainer.sft_trainer")
_NOTE_CALL = """#!/bin/sh
printf '%s\\0' "$#" "${0##*/}" "$@" >> "$CALLS"
"""


@dataclass(frozen=True, slots=True)
class Command:
    """How a script starts verl."""

    name: str  # of the script, below the root of the repository
    program: str
    overrides: list[str]
    processes: int  # that torchrun starts


class NoCommand(Exception):
    """Why there is nothing to judge in a script."""


def all_scripts() -> list[Path]:
    """Every script that the guide shows."""
    return sorted([*ROOT.glob("docs/recipes/*.sh"), *ROOT.glob("docs/guide/*.sh")])


def name_of(script: Path) -> str:
    path = script.resolve()
    return (path.relative_to(ROOT) if path.is_relative_to(ROOT) else path).as_posix()


def command_of(script: Path) -> Command:
    """The one launch of verl in a script."""
    started = [call for call in _calls(script) if "-m" in call]
    if len(started) != 1:
        raise NoCommand(f"the script starts {len(started)} Python modules, and should start one")
    [words] = started
    flag = words.index("-m")
    program, *overrides = words[flag + 1 :]
    if program not in PROGRAMS:
        raise NoCommand(f"{program} is started; only {' and '.join(PROGRAMS)} can be judged")
    return Command(name_of(script), program, overrides, _processes(words[:flag]))


def _processes(launcher: list[str]) -> int:
    """How many processes torchrun starts; it takes each option with `-` and with `_`."""
    sizes = argparse.ArgumentParser(add_help=False, exit_on_error=False)
    sizes.add_argument("--nnodes", type=int, default=1)
    sizes.add_argument("--nproc-per-node", "--nproc_per_node", type=int, default=1)
    try:
        found, _others = sizes.parse_known_args(launcher)
    except argparse.ArgumentError:
        raise NoCommand("--nnodes and --nproc_per_node of torchrun should be numbers") from None
    return int(found.nnodes * found.nproc_per_node)


def _calls(script: Path) -> list[list[str]]:
    """Program and arguments of each call of python3 and torchrun."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        noted = folder / "calls"
        noted.touch()
        for program in ("python3", "torchrun"):
            (folder / program).write_text(_NOTE_CALL, "utf-8")
            (folder / program).chmod(0o755)
        done = subprocess.run(
            ["bash", script.resolve()],
            env={"HOME": "/home/you", "PATH": f"{folder}:/usr/bin:/bin", "CALLS": str(noted)},
            cwd=folder,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode != 0:
            said = done.stderr.strip().replace(str(script.resolve()), script.name)
            raise NoCommand(f"bash stopped with status {done.returncode}: {said}")
        words = noted.read_text("utf-8").split("\0")[:-1]
    calls = []
    while words:
        end = int(words[0]) + 2
        calls.append(words[1:end])
        words = words[end:]
    return calls
