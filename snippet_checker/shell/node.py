"""What the shell reader asks of a grammar, so that any binding of tree-sitter's can take its place.

`tree_sitter_binding` is the one module that knows the native library. Where there is no native
code, as in a browser, a module with the same function `parse` stands in for it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol


class Node(Protocol):
    """A node of a script's syntax tree; places are bytes of its UTF-8 text, ends are exclusive."""

    @property
    def type(self) -> str: ...
    @property
    def start_byte(self) -> int: ...
    @property
    def end_byte(self) -> int: ...
    @property
    def is_named(self) -> bool: ...
    @property
    def has_error(self) -> bool: ...
    @property
    def parent(self) -> Node | None: ...
    @property
    def children(self) -> Sequence[Node]: ...
    def child_by_field_name(self, name: str, /) -> Node | None: ...
    def children_by_field_name(self, name: str, /) -> Sequence[Node]: ...


class ParseTimeout(Exception):
    """The grammar was told to stop before it had read the text."""
