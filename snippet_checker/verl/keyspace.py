"""Every key that a primary config can have."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from functools import cache, cached_property
from itertools import chain
from typing import Any

from snippet_checker.hydra.compose import Composer
from snippet_checker.hydra.composed_config import ComposedConfig, dotted_items
from snippet_checker.hydra.config_file import Field
from snippet_checker.verl.facts import Declaration, Facts

_NO_FIELDS = Declaration(file="", fields={})


class KeySpace:
    """Every key that some choice of config groups gives a primary config.

    `declared` are the further keys that verl's dataclasses take and the YAML leaves out; Hydra
    lets a user set those with `+` only.
    """

    def __init__(self, composer: Composer, config_name: str, facts: Facts) -> None:
        self._declarations = facts.declarations
        self._built = facts.built
        self._spread = facts.spread
        self._open: set[str] = set()
        self._values: dict[str, Any] = {}
        self._defaults: dict[str, list[Any]] = defaultdict(list)
        self._classes: dict[str, set[str]] = defaultdict(set)
        self._nested = cache(lambda node: self._fields_of(self._declared_as(node)))
        for package, _, body in composer.reachable(config_name):
            prefix = f"{package}." if package else ""
            for part in _prefixes(package):
                self._values.setdefault(part, {})
            for key, value in dotted_items(body):
                self._add(prefix + key, value)
            if "_target_" in body:
                self._classes[package].add(body["_target_"])

    def _add(self, key: str, value: Any) -> None:
        self._values.setdefault(key, value)
        self._defaults[key].append(value)
        if value == {}:
            self._open.add(key)
        if isinstance(value, dict) and isinstance(value.get("_target_"), str):
            self._classes[key].add(value["_target_"])

    def __contains__(self, key: str) -> bool:
        return key in self._values

    @cached_property
    def keys(self) -> frozenset[str]:
        return frozenset(key for key in self._values if not key.startswith("hydra"))

    @property
    def all_keys(self) -> frozenset[str]:
        """`keys`, and those that only a dataclass declares."""
        return self.keys.union(self.declared)

    @cached_property
    def declared(self) -> dict[str, Field]:
        """Keys that only a dataclass declares, with their fields."""
        found = {}
        for key in self._classes:
            for name, field in self.fields(key).items():
                dotted = f"{key}.{name}" if key else name
                if dotted not in self._values and not name.startswith("_"):
                    found[dotted] = field
        return found

    def fields(self, node: str) -> dict[str, Field]:
        """The fields of the dataclasses that verl builds from the mapping at `node`."""
        return self._fields_of(sorted(self._classes.get(node, ())))

    def _fields_of(self, classes: Iterable[str]) -> dict[str, Field]:
        fields = (self._declarations.get(one, _NO_FIELDS).fields for one in classes)
        return dict(chain.from_iterable(some.items() for some in fields))

    def field(self, key: str) -> Field | None:
        """The dataclass field that `key` sets, or would set if its mapping were built."""
        node, _, leaf = key.rpartition(".")
        return self.fields(node).get(leaf) or self._nested(node).get(leaf)

    def declaring(self, key: str) -> dict[str, str]:
        """The dataclasses with a field for `key`, and the files of the wheel that hold them."""
        node, _, leaf = key.rpartition(".")
        return {
            target: self._declarations[target].file
            for target in (*self._classes.get(node, ()), *self._declared_as(node))
            if leaf in self._declarations.get(target, _NO_FIELDS).fields
        }

    def _declared_as(self, node: str) -> list[str]:
        """The dataclasses that the field for the mapping at `node` is declared as."""
        above, _, name = node.rpartition(".")
        field = self.fields(above).get(name)
        if field is None:
            return []
        named = set(re.findall(r"\w+", field.annotation))
        return [one for one in self._declarations if one.rpartition(".")[2] in named]

    def classes(self, node: str) -> frozenset[str]:
        """The dataclasses that some choice of groups builds from the mapping at `node`."""
        return frozenset(self._classes.get(node, ()))

    def default(self, key: str) -> Any:
        """What the YAML gives `key`, unresolved; None too where it has no such key."""
        return self._values.get(key)

    def defaults(self, key: str) -> list[Any]:
        """What any choice of groups, or else a dataclass alone, gives `key`, unresolved."""
        if key in self._values:
            return self._defaults[key]
        field = self.declared.get(key)
        return [field.default] if field is not None and field.has_default else []

    def is_open(self, key: str) -> bool:
        """Whether `key` lies in a mapping whose keys verl leaves to the user."""
        parts = key.split(".")
        if any(".".join(parts[n : n + 2]) in self._spread for n in range(len(parts) - 2)):
            return True  # whatever stands below goes where the mapping goes
        key = self._within_reach(key)
        if any(key.startswith(f"{mapping}.") for mapping in self._forwarded):
            return True
        parent = key.rpartition(".")[0]
        while parent:
            if parent in self._open:
                return True
            above, _, name = parent.rpartition(".")
            field = self.fields(above).get(name)
            if field is not None and field.is_mapping:
                return True
            if parent in self._values and self._values[parent] not in (None, {}):
                return False
            parent = above
        return False

    @cached_property
    def _forwarded(self) -> frozenset[str]:
        """The fields of dataclasses that verl gives to other packages as they are."""
        return frozenset(
            f"{node}.{name}"
            for node, targets in self._classes.items()
            for target in targets
            for name in self._declarations.get(target, _NO_FIELDS).fields
            if f"{target.rpartition('.')[2]}.{name}" in self._spread
        )

    def nearest(self, key: str) -> str:
        """The longest beginning of `key` that the YAML has, or the empty string."""
        key = self._within_reach(key)
        while key and key not in self._values:
            key = key.rpartition(".")[0]
        return key

    def _within_reach(self, key: str) -> str:
        """The beginning of a key of any length below which no mapping of verl lies."""
        return ".".join(key.split(".", self._depth)[: self._depth])

    @cached_property
    def _depth(self) -> int:
        """How many parts a key can have of which anything is known, and one more."""
        known = chain(self._values, self._open, self._classes)
        return max((key.count(".") for key in known), default=0) + 3

    def refusing_class(self, key: str, config: ComposedConfig | None = None) -> str | None:
        """The dataclass that verl builds from what `key` is appended to, if it has no such field.

        Building it then fails: a dataclass takes no arguments but its fields. The `config` of a
        command says which one it chooses.
        """
        node = self.nearest(key)
        target = config.value(f"{node}._target_") if config is not None else None
        new = key[len(node) :].lstrip(".").partition(".")[0]
        classes, fields = self.classes(node), self.fields(node)
        if target in self._declarations:
            classes, fields = frozenset([target]), self._declarations[target].fields
        if self._built.isdisjoint(node.split(".")):
            return None  # the code reads the mapping as it is
        if not classes or new in fields or self.is_open(f"{node}.{new}".lstrip(".")):
            return None
        own = [one for one in classes if node.rpartition(".")[2] in one.lower()]
        return min(own or classes).rpartition(".")[2]

    def accepts_appended(self, key: str) -> bool:
        """Whether `+key` is a setting that something in verl may read."""
        if key in self.declared or self.is_open(key):
            return True
        node, _, leaf = key.rpartition(".")
        # A field that is itself a dataclass, built where the mapping holds `_target_`.
        return bool(leaf == "_target_" or self.field(key)) and self.field(node) is not None


def _prefixes(package: str) -> list[str]:
    parts = package.split(".") if package else []
    return [".".join(parts[: n + 1]) for n in range(len(parts))]
