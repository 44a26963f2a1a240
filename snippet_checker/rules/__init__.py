"""Snippet and schema -> problems: one module a rule, found by its name here."""

from __future__ import annotations

import pkgutil
from functools import lru_cache
from importlib import import_module
from types import ModuleType

from snippet_checker.rules.base import JudgedSnippet, Rule
from snippet_checker.text.closest import closest

_NO_RULES = frozenset({"base", "advice", "pages"})  # what the modules of rules have in common
__all__ = ["JudgedSnippet", "Rule", "all_rules"]


@lru_cache(maxsize=1)
def all_rules() -> dict[str, Rule]:
    """Every rule by its id: the `RULE` of each module of this package, or its table `RULES`."""
    names = {module.name for module in pkgutil.iter_modules(__path__)} - _NO_RULES
    modules = [import_module(f"{__name__}.{name}") for name in sorted(names)]
    found = [rule for module in modules for rule in _rules_of(module)]
    return {rule.id: rule for rule in sorted(found, key=lambda rule: rule.id)}


def unknown(name: str) -> str:
    """What to say of a name that no rule has."""
    known = all_rules()
    like = closest(name, known)
    hint = f"did you mean '{like}'?" if like else f"there are {', '.join(known)}"
    return f"there is no rule '{name}'; {hint}"


def _rules_of(module: ModuleType) -> tuple[Rule, ...]:
    rules: tuple[Rule, ...] = getattr(module, "RULES", ()) or (module.RULE,)
    return rules
