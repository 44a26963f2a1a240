"""Write the JSON Schemas of what `--format json` prints, which the site publishes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec

from snippet_checker.reports.history_json import Compared, Shown
from snippet_checker.reports.json import Report
from snippet_checker.reports.rules_json import Explained
from snippet_checker.reports.schema_export import Exported
from snippet_checker.upgrade.report_json import Upgrade

FOLDER = Path(__file__).parents[1] / "docs/_static"
PRINTED: dict[str, tuple[Any, str]] = {
    "report": (Report, "Report of snippet-checker"),
    "schema-show": (Shown, "Keys of verl through all releases"),
    "schema-diff": (Compared, "What changed between two releases of verl"),
    "schema-export": (Exported, "Keys of a program of verl"),
    "explain": (list[Explained], "Rules of snippet-checker"),
    "upgrade": (Upgrade, "What files need on another release of verl"),
}
"""The types that are printed, each with the title of its schema (draft 2020-12)."""


def schema(name: str) -> dict[str, Any]:
    """The JSON Schema of what is printed under a name."""
    kind, title = PRINTED[name]
    head = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": title}
    return head | msgspec.json.schema(kind)


def main() -> None:
    for name in PRINTED:
        text = json.dumps(schema(name), indent=2) + "\n"
        (FOLDER / f"{name}.schema.json").write_text(text, "utf-8")


if __name__ == "__main__":
    main()
