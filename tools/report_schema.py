"""Write the JSON Schema of the report of `--format json`, which the site publishes."""

from __future__ import annotations

import json
from pathlib import Path

from snippet_checker.reports.json import json_schema

PUBLISHED = Path(__file__).parents[1] / "docs/_static/report.schema.json"


def main() -> None:
    PUBLISHED.write_text(json.dumps(json_schema(), indent=2) + "\n", "utf-8")


if __name__ == "__main__":
    main()
