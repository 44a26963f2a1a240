"""Nodes that hold texts of their own, which the page's catalog translates."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sphinx import addnodes

from verl_docs.printed import Interactive


class Labelled(Interactive, addnodes.translatable):
    """A node with English texts by name, and what the catalog says for them."""

    def set_labels(self, english: Mapping[str, str]) -> None:
        self["english"], self["said"] = dict(english), {}

    def __setitem__(self, key: Any, value: Any) -> None:
        # Sphinx takes a whole node for translated where its last text is the same in both
        # languages, such as `GPU`, and leaves out the others.
        if key != "translated":
            super().__setitem__(key, value)

    def preserve_original_messages(self) -> None:
        pass  # the English texts stay where they are

    def apply_translated_message(self, original_message: str, translated_message: str) -> None:
        self["said"] = {**self["said"], original_message: translated_message}

    def extract_original_messages(self) -> list[str]:
        return list(dict.fromkeys(self["english"].values()))

    def labels(self) -> dict[str, str]:
        """The texts by name, in the language of the page as far as it has them."""
        return {name: self["said"].get(text, text) for name, text in self["english"].items()}
