"""What the guide says about single keys: `docs/guide/keys/<page>.toml`, one line a key."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from verl_docs.facts import DOCS

FOLDER = DOCS / "guide/keys"


@dataclass(frozen=True, slots=True)
class Description:
    """A key's description in MyST markup, and the page that discusses it, which is also a label."""

    text: str
    page: str
    file: Path


@cache
def all_descriptions() -> dict[str, Description]:
    """By full key; raises ValueError where two pages describe one key."""
    found: dict[str, Description] = {}
    for file in sorted(FOLDER.glob("*.toml")):
        for key, text in tomllib.loads(file.read_text("utf-8")).items():
            if key in found:
                raise ValueError(f"{file.name} and {found[key].file.name} both describe '{key}'")
            found[key] = Description(text, file.stem, file)
    return found
