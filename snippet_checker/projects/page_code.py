"""What the code on a page takes out of a config, also where it is no whole statement."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TypeAlias

Reads: TypeAlias = frozenset[tuple[str, str]]
"""Names, each after the name of the mapping that it is taken out of."""

_READ = re.compile(
    r"""\b(?=(\w{1,80})(?:["']\])?(?:\.get\(|\[)\s{0,80}["']([A-Za-z_]\w{0,80})["'])"""
)


def read_in(texts: Iterable[str]) -> Reads:
    """What code in some texts takes out of what: `config.trainer.get("mine", None)`."""
    return frozenset(read for text in texts for read in _READ.findall(text))
