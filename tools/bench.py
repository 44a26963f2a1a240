"""Measure how long the command takes, beside the same command of an earlier commit.

Machines differ, and so does one machine from minute to minute. So both are run in turn, and what
counts is the ratio of their medians.
"""

from __future__ import annotations

import argparse
import contextlib
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SCRIPT = "python3 -m verl.trainer.main_ppo trainer.nnodes=2 data.train_batch_size=8\n"


@dataclass(frozen=True, slots=True)
class Task:
    """A command, where it is run, and how often."""

    name: str
    arguments: tuple[str, ...]
    folder: Path
    rounds: int


@dataclass(frozen=True, slots=True)
class Took:
    """Seconds of one run: of the processors, and by the clock."""

    processor: float
    clock: float


def tasks(folder: Path, verl: Path | None) -> Iterator[Task]:
    """What is measured: the version, a small script, our own pages, and those of verl's."""
    (folder / "small.sh").write_text(SCRIPT, encoding="utf-8")
    check = ("check", "--no-cache")
    yield Task("--version", ("--version",), folder, 9)
    yield Task("a small script", (*check, "small.sh"), folder, 9)
    yield Task("our pages and catalogs", (*check, "docs", "locales"), ROOT, 3)
    if verl is not None:
        yield Task("verl's documents and examples", (*check, "docs", "examples"), verl, 5)


def run(package: Path, task: Task) -> Took:
    """Run a task with the package that lies in a folder."""
    program = f"import sys; sys.path.insert(0, {str(package)!r}); import snippet_checker.cli as c; "
    program += f"sys.exit(c.main({[*task.arguments]!r}))"
    before, started = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    done = subprocess.run([sys.executable, "-c", program], cwd=task.folder, capture_output=True)
    clock, after = time.perf_counter() - started, resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode not in (0, 1):  # nothing found, or something
        sys.exit(f"{task.name}: {done.stderr.decode(errors='replace').strip()}")
    user, system = after.ru_utime - before.ru_utime, after.ru_stime - before.ru_stime
    return Took(user + system, clock)


def compared(task: Task, old: Path, new: Path) -> str:
    """A line of the table: both medians, and their ratios."""
    took: dict[Path, list[Took]] = {old: [], new: []}
    for _ in range(task.rounds):
        for package, rounds in took.items():
            rounds.append(run(package, task))
    before, after = (_median(took[package]) for package in (old, new))
    return (
        f"{task.name:30} {before.processor:8.3f} {after.processor:8.3f}"
        f" {after.processor / before.processor:6.2f} {before.clock:10.3f} {after.clock:8.3f}"
        f" {after.clock / before.clock:6.2f}"
    )


def _median(rounds: Sequence[Took]) -> Took:
    return Took(
        statistics.median(took.processor for took in rounds),
        statistics.median(took.clock for took in rounds),
    )


@contextlib.contextmanager
def checked_out(commit: str, folder: Path) -> Iterator[Path]:
    """The files of a commit, in a folder of their own."""
    git = ["git", "-C", str(ROOT), "worktree"]
    subprocess.run([*git, "add", "--quiet", "--detach", str(folder), commit], check=True)
    try:
        yield folder
    finally:
        subprocess.run([*git, "remove", "--force", str(folder)], check=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--before", default="HEAD~1", metavar="COMMIT")
    parser.add_argument("--verl-repo", type=Path, metavar="FOLDER", help="a clone of verl")
    options = parser.parse_args()
    print(f"{'seconds':30} {'CPU was':>8} {'is':>8} {'ratio':>6} {'clock was':>10} {'is':>8} ratio")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with checked_out(options.before, folder / "before") as old:
            for task in tasks(folder, options.verl_repo):
                print(compared(task, old, ROOT), flush=True)


if __name__ == "__main__":
    main()
