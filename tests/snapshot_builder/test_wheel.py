"""Wheels are read, never run, and only if they are what was recorded."""

from __future__ import annotations

import hashlib
import zipfile
from pathlib import Path

import pytest

from snippet_checker.snapshot_builder import wheel


def make(folder: Path, members: dict[str, bytes]) -> tuple[Path, str]:
    path = folder / "verl-9.9-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return path, hashlib.sha256(path.read_bytes()).hexdigest()


def test_texts_are_read(tmp_path: Path) -> None:
    path, sha256 = make(tmp_path, {"verl/a.py": b"x = 1\n", "verl/b.bin": b"\xff"})
    read = wheel.fetch("9.9", path.name, sha256, tmp_path)
    assert read.texts == {"verl/a.py": "x = 1\n"}
    assert read.sha256 == sha256


def test_another_hash_is_refused(tmp_path: Path) -> None:
    path, sha256 = make(tmp_path, {"verl/a.py": b"x = 1\n"})
    make(tmp_path, {"verl/a.py": b"x = 2\n"})
    with pytest.raises(wheel.WheelError, match=f"recorded is {sha256}"):
        wheel.fetch("9.9", path.name, sha256, tmp_path)


@pytest.mark.parametrize("name", ["../evil.py", "/etc/evil.py", "verl/../../evil.py", "C:/evil.py"])
def test_a_path_that_leaves_the_wheel_is_refused(name: str, tmp_path: Path) -> None:
    path, sha256 = make(tmp_path, {name: b"x = 1\n"})
    with pytest.raises(wheel.WheelError, match="leaves the wheel"):
        wheel.fetch("9.9", path.name, sha256, tmp_path)


@pytest.mark.parametrize("content", [b"not a zip", b""])
def test_a_broken_file_is_refused(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "verl-9.9-py3-none-any.whl"
    path.write_bytes(content)
    with pytest.raises(wheel.WheelError, match="not a readable wheel"):
        wheel.read(path)
