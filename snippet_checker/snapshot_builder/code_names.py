"""Names in Python source, read with `ast`: what code takes out of configs, and what it is called.

Whether a key that somebody appends is read by anyone, and whether a word of running text is a
name of verl's code rather than a misspelling of a key, is decided with these.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterable, Iterator, Mapping

from rapidfuzz import fuzz, process

from snippet_checker.text.python_reads import chain as chain_of

_CONFIG_WORDS = ("config", "cfg", "kwargs")
_NEARLY = 80.0
_TO_PLAIN = frozenset({"to_container", "dict"})
_CARRIERS = frozenset({"verl", "omegaconf", "hydra", "ray"})
_TO_DATACLASS = "omega_conf_to_dataclass"
_AFFIXES = re.compile(r"^_?(?:omega_)?|_(?:config|cfg)$")


def reads(modules: Iterable[ast.Module]) -> frozenset[str]:
    """`parent.name` of everything that code takes out of something called a config.

    `config.data.get("output_path")` gives `data.output_path` and `config.data`.
    """
    found: set[str] = set()
    for module in modules:
        for node in ast.walk(module):
            chain = chain_of(node)
            if len(chain) > 1 and any(word in part for part in chain[:2] for word in _CONFIG_WORDS):
                found.add(".".join(chain[-2:]))
    return frozenset(found)


def spread(modules: Iterable[ast.Module]) -> frozenset[str]:
    """`parent.name` of the mappings that code passes on whole, as arguments or as plain data."""
    return frozenset(
        ".".join(chain[-2:])
        for module in modules
        for function in ast.walk(module)
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef)
        for mapping in _forwarded(function)
        if len(chain := _inner(mapping, _local_names(function))) > 2
    )


def given_away(modules: Iterable[ast.Module]) -> frozenset[str]:
    """What code takes out of something called a config for functions of other packages.

    `from fast import build` and `build(self.engine_config.plan)` gives `plan`. The standard library
    and what only carries a config on are no such packages.
    """
    found: set[str] = set()
    for module in modules:
        theirs = _names_of_others(module)
        for node in ast.walk(module):
            if isinstance(node, ast.Call) and _root(node.func) in theirs:
                given = (*node.args, *(word.value for word in node.keywords))
                found.update(
                    chain[-1]
                    for chain in map(chain_of, given)
                    if len(chain) > 1 and any(word in chain[-2] for word in _CONFIG_WORDS)
                )
    return frozenset(found)


def _names_of_others(module: ast.Module) -> frozenset[str]:
    """What a module calls the packages, functions and classes that it imports from others."""
    found: set[str] = set()
    for node in ast.walk(module):
        if isinstance(node, ast.ImportFrom) and not node.level and _is_others(node.module):
            found.update(alias.asname or alias.name for alias in node.names)
        elif isinstance(node, ast.Import):
            names = (alias for alias in node.names if _is_others(alias.name))
            found.update(alias.asname or alias.name.partition(".")[0] for alias in names)
    return frozenset(found)


def _is_others(module: str | None) -> bool:
    package = (module or "").partition(".")[0]
    return package not in _CARRIERS and package not in sys.stdlib_module_names


def _root(node: ast.expr) -> str | None:
    """The first name of `a.b.c`."""
    while isinstance(node, ast.Attribute):
        node = node.value
    return node.id if isinstance(node, ast.Name) else None


def _forwarded(function: ast.AST) -> Iterator[ast.expr]:
    """What a function passes as `**…`, or makes plain data of."""
    for node in ast.walk(function):
        if isinstance(node, ast.Call):
            yield from (word.value for word in node.keywords if word.arg is None)
            if ast.unparse(node.func).rpartition(".")[2] in _TO_PLAIN:
                yield from node.args[:1]


def _local_names(function: ast.AST) -> dict[str, list[str]]:
    """What a function's variables stand for: `fn = config.reward.get("fn") or {}`."""
    found: dict[str, list[str]] = {}
    for node in ast.walk(function):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            value = node.value.values[0] if isinstance(node.value, ast.BoolOp) else node.value
            if chain := chain_of(value):
                found[node.targets[0].id] = chain
    return found


def _inner(node: ast.expr, local_names: Mapping[str, list[str]]) -> list[str]:
    """The names of `a.b.get("c")`, also inside a conversion such as `to_container(…)`."""
    chain = chain_of(node)
    if not chain and isinstance(node, ast.Call) and node.args:
        chain = chain_of(node.args[0])
    return [*local_names.get(chain[0], chain[:1]), *chain[1:]] if chain else []


def built(modules: Iterable[ast.Module]) -> frozenset[str]:
    """What the mappings are called that verl turns into dataclasses: `actor`, `rollout`, …

    `omega_conf_to_dataclass(self.config.actor)` gives `actor`, and so does `(actor_config)`.
    """
    found: set[str] = set()
    for module in modules:
        for node in ast.walk(module):
            if not isinstance(node, ast.Call) or not node.args:
                continue
            if ast.unparse(node.func).rpartition(".")[2] == _TO_DATACLASS:
                name = (chain_of(node.args[0]) or [ast.unparse(node.args[0])])[-1]
                found.add(_AFFIXES.sub("", name))
    return frozenset(name for name in found if name.isidentifier())


def lookalikes(modules: Iterable[ast.Module], leaves: frozenset[str]) -> frozenset[str]:
    """The identifiers of the code that are no key's last name, but nearly one."""
    names = {name for module in modules for name in _identifiers(module)} - leaves
    wanted = sorted(leaf for leaf in leaves if "_" in leaf)
    return frozenset(
        name
        for name in names
        if "_" in name.strip("_")
        and process.extractOne(name, wanted, scorer=fuzz.ratio, score_cutoff=_NEARLY) is not None
    )


def _identifiers(module: ast.Module) -> Iterator[str]:
    for node in ast.walk(module):
        if isinstance(node, ast.Name):
            yield node.id
        elif isinstance(node, ast.Attribute):
            yield node.attr
        elif isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.keyword) and node.arg:
            yield node.arg
        elif isinstance(node, ast.Constant) and str(node.value).isidentifier():
            yield str(node.value)
