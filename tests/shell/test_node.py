"""The shell reader asks a grammar for no more than `Node` promises."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from types import SimpleNamespace

import pytest

from snippet_checker import shell
from snippet_checker.pipeline import Options, check_text
from snippet_checker.shell import tree_sitter_binding
from snippet_checker.shell.node import Node
from tests.configured import VERL
from tests.parts import every_nth_fast

SCRIPTS = sorted((Path(__file__).parents[1] / "cases").glob("*.sh"))


class Plain:
    """A node of another binding: it has what the protocol names, and nothing else."""

    def __init__(self, node: Node) -> None:
        self._node = node
        self.type = node.type
        self.start_byte = node.start_byte
        self.end_byte = node.end_byte
        self.is_named = node.is_named
        self.has_error = node.has_error

    @property
    def parent(self) -> Node | None:
        return Plain(self._node.parent) if self._node.parent is not None else None

    @property
    def children(self) -> Sequence[Node]:
        return [Plain(child) for child in self._node.children]

    def child_by_field_name(self, name: str, /) -> Node | None:
        child = self._node.child_by_field_name(name)
        return Plain(child) if child is not None else None

    def children_by_field_name(self, name: str, /) -> Sequence[Node]:
        return [Plain(child) for child in self._node.children_by_field_name(name)]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Plain) and self._node == other._node

    def __hash__(self) -> int:
        return hash(self._node)


def parse(text: bytes, is_time_up: Callable[[], bool]) -> Node:
    return Plain(tree_sitter_binding.parse(text, is_time_up))


@pytest.mark.parametrize("script", every_nth_fast(2, SCRIPTS), ids=lambda path: path.name)
def test_another_binding_gives_the_same_findings(
    script: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text, options = script.read_text(encoding="utf-8"), Options(VERL)
    expected = check_text(script.name, text, options)
    monkeypatch.setattr(shell, "tree_sitter_binding", SimpleNamespace(parse=parse))
    assert check_text(script.name, text, options) == expected
    assert expected.counts.settings
