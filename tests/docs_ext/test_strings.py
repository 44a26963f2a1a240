"""What the pages say beside their text has to be in the catalog of interface strings."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from snippet_checker.verl.values import Kind

ROOT = Path(__file__).resolve().parents[2]


def translated_in_code() -> Iterator[str]:
    """The literals that the code of the pages hands to `_`."""
    for file in (ROOT / "docs/_ext").rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            is_call = isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
            if is_call and node.func.id == "_" and isinstance(node.args[0], ast.Constant):
                yield node.args[0].value


def named_in_templates() -> set[str]:
    text = (ROOT / "docs/_templates/strings.html").read_text("utf-8")
    return set(re.findall(r'_\("([^"]+)"\)', text))


def test_the_template_names_every_string_of_the_code() -> None:
    foreign = {"Breadcrumb", "Color mode", "Link to this heading", "System Settings"}
    assert named_in_templates() - foreign == {*translated_in_code(), *map(str, Kind)}
