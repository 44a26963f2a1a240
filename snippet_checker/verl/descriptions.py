"""What keys are for: the guide's own descriptions, in Markdown.

They are the files that the site shows (`docs/guide/keys`); the distribution holds them beside this
module. They were written about the newest release, and are said of no other.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from snippet_checker.verl.release import newest

_HERE = Path(__file__).parent
_FOLDERS = (_HERE / "descriptions", _HERE.parents[1] / "docs/guide/keys")


def of_key(key: str, release: str) -> str | None:
    """The description of a full key of a release; None where there is none."""
    return _all().get(key) if release == newest() else None


@cache
def _all() -> Mapping[str, str]:
    """By full key; empty where the package was installed without them."""
    found: dict[str, str] = {}
    for folder in _FOLDERS:
        for file in folder.glob("*.toml"):
            found |= tomllib.loads(file.read_text("utf-8"))
    return found
