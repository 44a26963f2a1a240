"""OmegaConf's typed configs, made from the facts about Hydra's dataclasses."""

from __future__ import annotations

import copy
import dataclasses
import re
from enum import Enum
from functools import cache
from typing import Any, Dict, List, Optional  # noqa: UP035, the names in the facts

from snippet_checker.hydra import facts
from snippet_checker.hydra.config_file import Field

_GENERIC = re.compile(r"(Optional|List|Dict)\[(.*)\]")
_PLAIN: dict[str, Any] = {"Any": Any, "str": str, "int": int, "bool": bool}


@cache
def class_of(name: str) -> type:
    """The dataclass of that name, for `OmegaConf.structured`."""
    fields = facts.load().classes[name]
    body: dict[str, Any] = {known: _field(field) for known, field in fields.items()}
    hints = {known: type_of(field.annotation) for known, field in fields.items()}
    made = type(name, (), body | {"__annotations__": hints, "__module__": __name__})
    # Without the methods that `dataclass` writes, it runs no code that it makes from texts.
    return dataclasses.dataclass(init=False, repr=False, eq=False, match_args=False)(made)


def type_of(annotation: str) -> Any:
    """The type that an annotation of the facts means."""
    generic = _GENERIC.fullmatch(annotation)
    if generic is None:
        return _PLAIN.get(annotation) or _enum_or_class(annotation)
    if generic[1] == "Dict":
        key, value = generic[2].split(", ", 1)
        return Dict[type_of(key), type_of(value)]  # type: ignore[misc]  # noqa: UP006
    wrapper: Any = Optional if generic[1] == "Optional" else List  # noqa: UP006
    return wrapper[type_of(generic[2])]


@cache
def _enum_or_class(name: str) -> type:
    members = facts.load().enums.get(name)
    return class_of(name) if members is None else Enum(name, members)  # type: ignore[return-value]


def _field(field: Field) -> Any:
    if not field.has_default and field.annotation in facts.load().classes:
        return dataclasses.field(default_factory=lambda: class_of(field.annotation))
    if isinstance(field.default, list | dict):
        return dataclasses.field(default_factory=lambda: copy.copy(field.default))
    return dataclasses.field(default=field.default if field.has_default else "???")
