"""Values as overrides have them."""

from __future__ import annotations

import json
import re
from typing import Any

_PLAIN = re.compile(r"[A-Za-z_][\w./-]*|\w[\w.-]*/[\w./-]*")


def written(value: Any) -> str | None:
    """A value as an override has it; None for what no override says."""
    if value is None:
        return "null"
    if isinstance(value, bool | int | float):
        return str(value)
    if isinstance(value, str):
        return value if _PLAIN.fullmatch(value) else json.dumps(value, ensure_ascii=False)
    if isinstance(value, list):
        items = [written(item) for item in value]
        return f"[{','.join(item for item in items if item is not None)}]" if all(items) else None
    return None
