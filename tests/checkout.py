"""A copy of this repository as git has it, without what was built in it."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[1]


def tracked() -> list[str]:
    """The paths of all files that git knows, relative to the root."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True)
    return [name for name in listed.stdout.decode().split("\0") if name]


def copy_tracked(folder: Path) -> Path:
    """Copy these files into a folder, as they are on the disk; returns the folder."""
    for name in tracked():
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, target)
    return folder
