"""The files in which a project says what it is installed with."""

from __future__ import annotations

import re
from collections.abc import Iterator

_PARTS = ("verl", "train", "training", "rl", "gpu", "sglang", "vllm")
FILES = (
    "pyproject.toml",
    "requirements.txt",
    "REQUIRED_VERL.txt",  # of verl-recipe
    *(f"requirements{mark}{part}.txt" for mark in "-_/" for part in _PARTS),
    "setup.py",
    "setup.cfg",
    "environment.yml",
    "environment.yaml",
)
IMAGE = "Dockerfile"
IMAGES = (
    *(IMAGE, f"docker/{IMAGE}", f"{IMAGE}.verl", f"docker/{IMAGE}.verl"),
    "docker-compose.yml",
)
_REMARK = re.compile(r"(?:^|(?<=\s))#")  # the `#egg=verl` of an address is none


def lines_without_remarks(text: str) -> Iterator[str]:
    """The lines of a file, without what stands behind a blank and `#`."""
    return (_REMARK.split(line, maxsplit=1)[0] for line in text.splitlines())
