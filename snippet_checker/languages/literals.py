"""What YAML and Python write a value as, in the types that OmegaConf has."""

from __future__ import annotations

from typing import Any

from snippet_checker.model import Value


def plain(value: Any) -> Any:
    """The value of a literal; UNKNOWN for what no config holds: sets, bytes, dates, `...`."""
    if value is None or isinstance(value, bool | int | float | str | Value):
        return value
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if isinstance(value, dict):
        return {str(name): plain(item) for name, item in value.items()}
    return Value.UNKNOWN
