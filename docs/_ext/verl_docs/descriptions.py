"""What the guide says about single keys: `docs/guide/keys/<page>.toml`, one line a key."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from sphinx.errors import ConfigError

from verl_docs.facts import DOCS, VERL, find

FOLDER = DOCS / "guide/keys"


@dataclass(frozen=True, slots=True)
class Description:
    """A key's description in MyST markup, and the page that discusses it, which is also a label."""

    text: str
    page: str
    file: Path


@cache
def all_descriptions() -> dict[str, Description]:
    """By full key; raises ConfigError where two pages describe one key, or no program has it."""
    found: dict[str, Description] = {}
    for file in sorted(FOLDER.glob("*.toml")):
        for key, text in tomllib.loads(file.read_text("utf-8")).items():
            if key in found:
                raise ConfigError(f"{file.name} and {found[key].file.name} both describe '{key}'")
            if not isinstance(text, str):
                raise ConfigError(f"{file.name}: put quotation marks around the key '{key}.…'")
            if find(key) is None:
                raise ConfigError(f"{file.name} describes '{key}', which verl {VERL} does not have")
            found[key] = Description(text, file.stem, file)
    return found
