"""References from one value to another key, `${trainer.nnodes}`, as OmegaConf follows them.

Resolvers, such as `${oc.env:HOME}` and `${oc.select:a.b,1}`, are functions and refer to nothing
that has to be there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from snippet_checker.hydra.composed_config import ComposedConfig

WHOLE = re.compile(r"\$\{(\.*)(\w[\w.]*)\}")
"""A reference to a key: the dots that make it relative, and the name."""

_IN_TEXT = re.compile(r"(?<!\\)\$\{(\.*)([A-Za-z_]\w*(?:\.\w+)*)\}")


def absolute(key: str, dots: str, name: str) -> str:
    """The key that a reference at `key` means; each dot before its name goes one level up."""
    if not dots:
        return name
    parents = key.split(".")[: -len(dots)]
    return ".".join([*parents, name])


def referred(key: str, value: Any) -> Iterator[str]:
    """The keys that the value at `key` refers to; in lists, where places have no names, a few."""
    if isinstance(value, str):
        for dots, name in _IN_TEXT.findall(value):
            yield absolute(key, dots, name)
    elif isinstance(value, dict):
        for name, inner in value.items():
            yield from referred(f"{key}.{name}", inner)
    elif isinstance(value, list):
        for element in value:
            for dots, name in _IN_TEXT.findall(element) if isinstance(element, str) else ():
                if not dots:
                    yield name


def leads_nowhere(key: str, config: ComposedConfig) -> bool:
    """Whether a reference to `key` fails: a mapping that is there has no such name in it."""
    parent = key
    while parent and not config.has(parent):
        parent = parent.rpartition(".")[0]
    return parent != key and (not parent or isinstance(config.value(parent), dict))
