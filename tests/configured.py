"""The release that this repository's pages are about."""

from __future__ import annotations

from pathlib import Path

from snippet_checker import config

_RELEASE = config.load(Path(__file__).parent).verl
assert _RELEASE is not None, "pyproject.toml names no release of verl"
VERL = _RELEASE
