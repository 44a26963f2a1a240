"""The scripts of the pages, run without a browser: what they compute, not what they show."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from py_mini_racer import MiniRacer

# What the scripts touch while they are loaded. They do their work in a page when it is ready.
NO_PAGE = """
var window = globalThis;
var document = { addEventListener() {}, documentElement: { lang: "en", dataset: {} } };
var localStorage = { setItem() {}, getItem() { return null; } };
"""


class Engine:
    """A context with scripts loaded in their order, as a page loads them."""

    def __init__(self, *scripts: Path | str) -> None:
        self._context = MiniRacer()
        for script in (NO_PAGE, *scripts):
            text = script.read_text("utf-8") if isinstance(script, Path) else script
            self._context.eval(f"{text}\n;undefined")

    def call(self, function: str, *values: object) -> Any:
        """What a function gives for values; both ways as JSON."""
        given = ", ".join(json.dumps(value) for value in values)
        return json.loads(self._context.eval(f"JSON.stringify(({function})({given}) ?? null)"))
