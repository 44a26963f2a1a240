"""Write the JSON Schemas of what `--format json` prints, which the site publishes."""

from __future__ import annotations

import json
from pathlib import Path

from snippet_checker.reports import history_json, rules_json, schema_export
from snippet_checker.reports.json import json_schema
from snippet_checker.upgrade import report_json

FOLDER = Path(__file__).parents[1] / "docs/_static"
SCHEMAS = {
    "report": json_schema(),
    "schema-show": history_json.schema_of_show(),
    "schema-diff": history_json.schema_of_diff(),
    "schema-export": schema_export.schema_of_export(),
    "explain": rules_json.schema_of_explain(),
    "upgrade": report_json.json_schema(),
}


def main() -> None:
    for name, schema in SCHEMAS.items():
        text = json.dumps(schema, indent=2) + "\n"
        (FOLDER / f"{name}.schema.json").write_text(text, "utf-8")


if __name__ == "__main__":
    main()
