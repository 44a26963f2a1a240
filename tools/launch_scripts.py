"""What the launch scripts of the guide start, as bash makes it of them."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path

import noted_calls

ROOT = Path(__file__).resolve().parents[1]
PROGRAMS = ("verl.trainer.main_ppo", "verl.trainer.sft_trainer")


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
    done = noted_calls.run(script, ("python3", "torchrun"))
    if done.status != 0:
        said = done.said.strip().replace(str(script.resolve()), script.name)
        raise NoCommand(f"bash stopped with status {done.status}: {said}")
    started = [list(call) for call in done.calls if "-m" in call]
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
