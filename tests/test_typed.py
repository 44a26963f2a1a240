"""What is said of a table that does not fit its type."""

from __future__ import annotations

import ast
from typing import Annotated, Any

import pytest
from msgspec import Meta, Struct

from snippet_checker import typed
from tests.checkout import ROOT

Name = Annotated[
    str, Meta(pattern=r"\A[a-z]+\Z", description="a name", extra={"limit": "of small letters"})
]


class Entry(Struct, rename="kebab", kw_only=True):
    """An entry of a file."""

    other: Name | None = None
    its_name: Name
    count: int = 1


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ({"its-name": "A"}, "[a]: 'its-name' must be a name, of small letters"),
        ({"its-name": 1}, "[a]: 'its-name' must be a name"),
        ({"its-name": "a", "other": "A"}, "[a]: 'other' must be a name, of small letters"),
        ({"its-name": "a", "other": []}, "[a]: 'other' must be a name"),
        ({"its-name": "a", "count": "b"}, "[a]: 'count' cannot be 'b': Expected `int`, got `str`"),
        ({"count": 2}, "[a] lacks 'its-name'"),
        ({"count": "b"}, "[a]: 'count' cannot be 'b': Expected `int`, got `str`"),
        (
            {"its-nam": "a"},
            "[a] has no 'its-nam'; it has other, its-name; did you mean 'its-name'?",
        ),
    ],
)
def test_the_first_fault_is_told(table: dict[str, Any], said: str) -> None:
    with pytest.raises(typed.Mismatch) as error:
        typed.read(table, Entry, "[a]", **({} if "count" in table else {"count": 1}))
    assert str(error.value) == said


def test_what_fits_is_read() -> None:
    assert typed.read({"its-name": "a"}, Entry, "[a]", count=3) == Entry(its_name="a", count=3)


def test_what_replaces_a_field_names_one() -> None:
    """mypy asks that of calls of types, and not of `msgspec.structs.replace`."""
    fields, replaced = set(), set()
    for file in (ROOT / "snippet_checker").rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.ClassDef):
                parts = (part.target for part in node.body if isinstance(part, ast.AnnAssign))
                fields |= {target.id for target in parts if isinstance(target, ast.Name)}
            elif isinstance(node, ast.Call) and ast.unparse(node.func).endswith("replace"):
                replaced |= {keyword.arg for keyword in node.keywords}
    assert len(replaced) > 20
    assert replaced - {None} <= fields
