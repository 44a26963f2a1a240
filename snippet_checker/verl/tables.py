"""The reviewed TOML files beside this module: tables that become frozen types."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any


def read(path: Path, name: str) -> list[dict[str, Any]]:
    """The tables of that name in a file, in their order, with tuples for lists."""
    tables = tomllib.loads(path.read_text(encoding="utf-8"))[name]
    return [
        {key: tuple(value) if isinstance(value, list) else value for key, value in table.items()}
        for table in tables
    ]
