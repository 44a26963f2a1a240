"""The release that the guide describes, and how its facts are written in the pages."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from snippet_checker.model import Value
from snippet_checker.schema.release import Release, load
from verl_docs import reference
from verl_docs.interface import _, name_of
from verl_docs.reference import Key as Key

DOCS = Path(__file__).parents[2]
PYPROJECT = DOCS.parent / "pyproject.toml"
VERL = tomllib.loads(PYPROJECT.read_text("utf-8"))["tool"]["snippet-checker"]["verl"]
REPOSITORY = "https://github.com/verl-project/verl"

# The programs with keys or defaults of their own, the one that most readers start first.
PROGRAMS = (
    "verl.trainer.main_ppo",
    "verl.trainer.sft_trainer",
    "verl.experimental.fully_async_policy.fully_async_main",
    "verl.experimental.one_step_off_policy.main_ppo",
    "verl.trainer.main_eval",
    "scripts.megatron_merge_lora",
)


@cache
def release() -> Release:
    return load(VERL)


def keys_of(program: str) -> dict[str, Key]:
    """Every leaf that `program` can have, by its full name, in the order of its config."""
    return reference.of_program(release(), program).keys


def builds_on_first(program: str) -> bool:
    """Whether a program has all keys of the first one."""
    return program != PROGRAMS[0] and keys_of(program).keys() >= keys_of(PROGRAMS[0]).keys()


def added_keys(program: str) -> list[Key]:
    """The keys of a program, without those that it has from the first program."""
    inherited = keys_of(PROGRAMS[0]) if builds_on_first(program) else {}
    return [key for name, key in keys_of(program).items() if name not in inherited]


def changed_keys(program: str) -> list[tuple[Key, Key]]:
    """The keys that a program has from the first one, and sets to something else in its YAML.

    Each as it is in the first program, and as it is here.
    """
    if not builds_on_first(program):
        return []
    pairs = ((key, keys_of(program)[name]) for name, key in keys_of(PROGRAMS[0]).items())
    return [
        (there, here)
        for there, here in pairs
        if (there.default, there.needs_plus) != (here.default, here.needs_plus)
    ]


@cache
def names_of(program: str) -> frozenset[str]:
    """The keys of a program, and the mappings around them."""
    leaves = keys_of(program).keys()
    return frozenset(leaves | {mapping for name in leaves for mapping in ancestors(name)})


def ancestors(name: str) -> Iterator[str]:
    """The mappings around a key, the outermost first."""
    parts = name.split(".")
    return (".".join(parts[:n]) for n in range(1, len(parts)))


def is_listed(name: str) -> bool:
    """Whether the reference has a key or a mapping of that name."""
    return any(name in names_of(program) for program in PROGRAMS)


def find(name: str) -> Key | None:
    """The key of that full name, in the first program that has it."""
    return next((keys_of(p)[name] for p in PROGRAMS if name in keys_of(p)), None)


def source_url(path: str) -> str:
    """The address of a file of verl's repository at the release's tag."""
    return f"{REPOSITORY}/blob/v{VERL}/{path}"


def shown(value: Any) -> str:
    """A value as a reader would write it in an override."""
    if value is None:
        return "null"
    if isinstance(value, list):
        return "[" + ",".join(map(shown, value)) + "]"
    return '""' if value == "" else str(value)


def default_of(key: Key) -> str | None:
    """The default as text; None where only a run can tell, or where there is none.

    A mapping that another key holds is that other key's to tell.
    """
    is_told_there = key.follows is not None and isinstance(key.default, dict)
    return None if isinstance(key.default, Value) or is_told_there else shown(key.default)


def kinds_of(key: Key) -> str:
    """What the key takes, in the reader's language; empty where that is not known."""
    return _(" or ").join(name_of(kind) for kind in key.kinds)
