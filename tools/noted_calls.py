"""Which programs a shell script starts, and with which arguments: what bash itself makes of it.

Programs that only note how they were called stand in the place of python3, torchrun and the like,
so that no reader of shell scripts can be wrong about a script.
"""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

_NOTE_CALL = """#!/bin/sh
printf '%s\\0' "$#" "${0##*/}" "$@" >> "$CALLS"
"""
_SECONDS = 10
# Nothing of the machine but its programs, to read; no network.
_SANDBOX = (
    *("bwrap", "--unshare-all", "--die-with-parent", "--new-session"),
    *("--ro-bind", "/usr", "/usr", "--ro-bind", "/etc", "/etc", "--dev", "/dev", "--proc", "/proc"),
    *("--symlink", "usr/bin", "/bin", "--symlink", "usr/sbin", "/sbin"),
    *("--symlink", "usr/lib", "/lib", "--symlink", "usr/lib64", "/lib64"),
    *("--tmpfs", "/tmp", "--dir", "/home/you"),
)


class NotRun(Exception):
    """Why a script could not be run."""


@dataclass(frozen=True, slots=True)
class Run:
    """The calls of a script, program and arguments each, and how the script ended."""

    calls: tuple[tuple[str, ...], ...]
    status: int
    said: str  # to standard error


def run(script: Path, programs: Iterable[str], arguments: Sequence[str] = ()) -> Run:
    """Run a script of our own; those of `programs` that it starts only note their calls."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        _write_stand_ins(folder, dict.fromkeys(programs, _NOTE_CALL))
        paths = {"PATH": f"{folder}:/usr/bin:/bin", "CALLS": str(folder / "calls")}
        return _run(["bash", str(script.resolve()), *arguments], folder, paths)


def run_sandboxed(script: Path, stand_ins: dict[str, str], arguments: Sequence[str] = ()) -> Run:
    """The same for anybody's script: it sees a copy of itself, and may write to /tmp only.

    `stand_ins` are the programs to put in the place of others with their text; an empty one notes
    its calls. Raises NotRun without bubblewrap.
    """
    if shutil.which("bwrap") is None:
        raise NotRun("bubblewrap is needed to run other people's scripts: apt install bubblewrap")
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        _write_stand_ins(folder, {name: text or _NOTE_CALL for name, text in stand_ins.items()})
        (folder / "profile").write_text("command_not_found_handle() { return 0; }\n", "utf-8")
        shutil.copy(script, folder / "script.sh")
        bash = ["bash", "script.sh", *arguments]
        command = [*_SANDBOX, "--bind", temporary, "/run/script", "--chdir", "/run/script", *bash]
        paths = {"PATH": "/run/script:/usr/bin:/bin", "CALLS": "/run/script/calls"}
        return _run(command, folder, {**paths, "BASH_ENV": "/run/script/profile"})


def _write_stand_ins(folder: Path, programs: dict[str, str]) -> None:
    (folder / "calls").touch()
    for name, text in programs.items():
        (folder / name).write_text(text, "utf-8")
        (folder / name).chmod(0o755)


def _run(command: Sequence[str], folder: Path, environment: dict[str, str]) -> Run:
    try:
        done = subprocess.run(
            command,
            env={"HOME": "/home/you", "USER": "you", **environment},
            cwd=folder,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_SECONDS,
            check=False,
        )
        status, said = done.returncode, done.stderr.decode("utf-8", "replace")
    except subprocess.TimeoutExpired:
        status, said = -1, f"it ran longer than {_SECONDS} seconds"
    noted = (folder / "calls").read_bytes().decode("utf-8", "replace").split("\0")[:-1]
    return Run(tuple(_calls(noted)), status, said)


def _calls(words: list[str]) -> Iterable[tuple[str, ...]]:
    while words:
        end = int(words[0]) + 2
        yield tuple(words[1:end])
        words = words[end:]
