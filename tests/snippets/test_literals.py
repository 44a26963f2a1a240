"""Python's literals, of which no text of a document may run, warn or end the check."""

from __future__ import annotations

import ast
import warnings
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from snippet_checker.hydra.setting import Value
from snippet_checker.snippets import literals
from tests.generating import tries

SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-(10**18), 10**18)
    | st.floats(allow_nan=False, allow_infinity=False, min_value=-1e15, max_value=1e15)
    | st.text(st.sampled_from([*"ab '\"\\\n\t{}[]:,#é中"]), max_size=8)
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.lists(inner, max_size=3).map(tuple)
        | st.dictionaries(st.text("abc", max_size=3) | st.integers(0, 9), inner, max_size=3)
    ),
    max_leaves=8,
)
PIECES = st.sampled_from(
    [*"[](){},:-+ 01.eE_'\"rbuf\\n#", "True", "None", "...", "1.5", "0x1f", "'a'", "lambda", "\n"]
)


def pythons(text: str) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return literals.plain(ast.literal_eval(text.strip()))
        except (ValueError, SyntaxError, TypeError, MemoryError):
            return Value.UNKNOWN


@given(VALUES)
def test_literals_are_read(value: Any) -> None:
    assert repr(literals.read(repr(value))) == repr(literals.plain(value))


@tries(1000)
@given(st.lists(PIECES, max_size=10).map("".join))
def test_no_text_is_read_as_something_else(text: str) -> None:
    ours = literals.read(text)
    assert ours is Value.UNKNOWN or repr(ours) == repr(pythons(text))


@pytest.mark.parametrize(
    "text",
    [
        "open('x')",
        "a.b",
        "1 + 2j",
        "[1",
        "[1 2]",
        "{1}",
        "{[1]: 2}",
        "b'x'",
        "f'x'",
        "",
        "()x",
        "''''",
        "'a'\n'a'",
        "-\n1",
        "[1,\xa02]",
        "0x" + "f" * 1000,
        "1" + "+1" * 100_000,
    ],
)
def test_anything_else_is_unknown(text: str) -> None:
    assert literals.read(text) is Value.UNKNOWN


def test_nesting_is_no_danger() -> None:
    assert literals.read("[" * 100_000) is Value.UNKNOWN
    assert literals.read("-" * 100_000 + "1") is Value.UNKNOWN
    assert literals.read("[" * 15 + "]" * 15) == eval_nested(15)


def eval_nested(depth: int) -> list[Any]:
    return [] if depth == 1 else [eval_nested(depth - 1)]
