"""Conditions on versions, as requirements write them: `>=0.8.5,<=0.12.0`."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable

from msgspec import Struct
from packaging.version import InvalidVersion, Version

_BOUND = re.compile(r"(===?|~=|<=|>=|!=|<|>)[ \t]*+v?(\d\w*+(?:[.+]\w++)*+)(\.\*)?")
_ORDERS: dict[str, Callable[[Version, Version], bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


class Bound(Struct, frozen=True):
    """One condition of a requirement: `>=0.8.5`, or `==0.8.*`, which is `of_all` such versions."""

    sign: str
    version: Version
    of_all: bool = False

    def takes(self, other: Version) -> bool:
        first = self.version.release
        begins_so = other.release[: len(first)] == first
        if self.of_all:
            return begins_so == (self.sign == "==")
        if self.sign == "~=":
            return other >= self.version and other.release[: len(first) - 1] == first[:-1]
        return _ORDERS[self.sign](other, self.version)


Bounds = tuple[Bound, ...]
"""What some line asks for: all of its conditions."""


def bounds_of(text: str) -> Bounds:
    """The conditions of a text such as `>=0.8.5,<=0.12.0`; none where one is no version."""
    found = []
    for sign, said, of_all in _BOUND.findall(text):
        try:
            found.append(Bound(sign[:2], Version(said), bool(of_all)))
        except InvalidVersion:
            return ()
    return tuple(found)


def takes(bounds: Bounds, version: Version) -> bool:
    """Whether a version meets all conditions."""
    return all(bound.takes(version) for bound in bounds)
