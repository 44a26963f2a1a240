"""Snippet and schema -> problems: one module a rule, found by its name here."""

from __future__ import annotations

import pkgutil
from functools import lru_cache
from importlib import import_module

from snippet_checker.rules.base import Case, Rule

__all__ = ["Case", "Rule", "all_rules"]


@lru_cache(maxsize=1)
def all_rules() -> dict[str, Rule]:
    """Every rule by its id: the `RULE` of each module of this package."""
    names = sorted(module.name for module in pkgutil.iter_modules(__path__))
    modules = [import_module(f"{__name__}.{name}") for name in names if name != "base"]
    return {module.RULE.id: module.RULE for module in modules}
