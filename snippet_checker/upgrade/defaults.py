"""Defaults that change under a command: keys that it does not set, with another value then.

Both releases compose the command's config as Hydra does, with the groups that it chooses, so only
what its own program has counts. Values are compared with references followed: a key that takes
another key's value changes only where that does.
"""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from packaging.version import Version

from snippet_checker.hydra.resolved import Resolved
from snippet_checker.hydra.setting import Value
from snippet_checker.hydra.tree import Tree
from snippet_checker.judge.conflicts.checks import Values
from snippet_checker.judge.conflicts.roles import needs_critic
from snippet_checker.pipeline import Options, check_document
from snippet_checker.rules.base import Case
from snippet_checker.verl import history, lifecycle
from snippet_checker.verl.release import Release

_PLAIN = re.compile(r"[A-Za-z_][\w./-]*|\w[\w.-]*/[\w./-]*")
_NOT_COMPARED = ("_target_", "defaults")
_MANDATORY = "???"


@dataclass(frozen=True, slots=True)
class Default:
    """A default that is another one in the newer release.

    `old_key` is what the older release called the key. `since` is the first release with the new
    default, None where the releases' usual programs do not tell. A key that `must_be_set` has no
    default any more. `keep` is the override that keeps the old value, None where none is known
    that the newer release has nothing against.
    """

    key: str
    old_key: str
    old: Any
    new: Any
    since: str | None
    keep: str | None

    @property
    def must_be_set(self) -> bool:
        return bool(self.new == _MANDATORY)


def changed(before: Case, after: Case, newer: str) -> Iterator[Default]:
    """The defaults that change under one command, by their keys; none where it is not composed.

    `newer` is how `Options` name the newer release.
    What the command does not use is left out: what is switched off on both releases, and a critic
    that is not trained on either.
    """
    old, new = before.judgement.tree, after.judgement.tree
    if old is None or new is None:
        return
    unknown = [s.key for s in before.snippet.settings if s.value is Value.UNKNOWN or not s.sure]
    was, now = Resolved(old, unknown), Resolved(new, unknown)
    has_critic = any(needs_critic(Values(config)) for config in (was, now))
    for key in sorted(old.dotted_keys()):
        there = _name_in(key, new)
        if there is None or _is_set(before, after, key, there):
            continue
        was_idle = key != there or _is_switched_off(key, was)
        is_idle = was_idle and _is_switched_off(there, now)
        if is_idle or (there.startswith("critic.") and not has_critic):
            continue
        value, other = was.value(key), _value(new, now, there)
        if _differ(value, other) and not _has_no_effect(there, after):
            since = _since(there, value, other, before.release, after.release)
            yield Default(there, key, value, other, since, _keep(there, value, after, newer))


def _is_switched_off(key: str, config: Resolved) -> bool:
    """Whether a mapping around the key has a switch that is off: `skip.enable`."""
    parts = key.split(".")[:-1]
    switches = (".".join([*parts[:depth], "enable"]) for depth in range(1, len(parts) + 1))
    return any(config.value(switch) is False for switch in switches if switch != key)


def _name_in(key: str, tree: Tree) -> str | None:
    """What a key is called in the newer release, if it is there."""
    if key.rpartition(".")[2] in _NOT_COMPARED or key.startswith("hydra."):
        return None
    if tree.has(key):
        return key
    _, moved = history.fate(key)
    return moved if moved is not None and tree.has(moved) else None


def _is_set(before: Case, after: Case, key: str, there: str) -> bool:
    """Whether the command sets the key, or a mapping around it."""
    named = {setting.key for case in (before, after) for setting in case.snippet.settings}
    return any(_is_in(one, named) for one in (key, there))


def _is_in(key: str, named: set[str]) -> bool:
    while key and key not in named:
        key = key.rpartition(".")[0]
    return bool(key)


def _value(tree: Tree, resolved: Resolved, key: str) -> Any:
    return _MANDATORY if tree.value(key) == _MANDATORY else resolved.value(key)


def _differ(old: Any, new: Any) -> bool:
    known = not any(isinstance(value, Value | dict) for value in (old, new))
    return known and (old != new or isinstance(old, bool) != isinstance(new, bool))


def _has_no_effect(key: str, case: Case) -> bool:
    """Whether the newer release's program never looks at the key, as a review found."""
    return lifecycle.ineffective(key, case.release.name, case.module) is not None


def _since(key: str, old: Any, new: Any, before: Release, after: Release) -> str | None:
    """The first release with the new default, as far as the programs tell that start most runs."""
    found = history.of_key(key)
    entries = found.entries if found is not None else ()
    passed = [e for e in entries if Version(before.name) < Version(e.release)]
    changed = (e.release for e in passed if e.default == new != old)
    first = next(changed, None)
    is_sure = first is not None and Version(first) <= Version(after.name)
    return first if is_sure and _had(entries, before, old, key) else None


def _had(entries: tuple[history.Entry, ...], before: Release, old: Any, key: str) -> bool:
    """Whether the older release's usual programs had the old default, or not the key at all."""
    known = [entry.default for entry in entries if entry.release == before.name]
    return not known or known[0] == old


def _keep(key: str, value: Any, after: Case, newer: str) -> str | None:
    """The override that keeps a value, if the newer release has nothing against it."""
    written, module = _written(value), _module(after)
    if written is None or module is None:
        return None
    override = shlex.quote(f"{key}={written}")
    chosen = [
        shlex.quote(f"{setting.key}={setting.value}")
        for setting in after.snippet.settings
        if "." not in setting.key and isinstance(setting.value, str)
    ]
    command = " ".join(["python3 -m", module, *chosen, override])
    is_fine = not check_document("keep.sh", f"{command}\n", Options(newer)).findings
    return override if is_fine else None


def _module(case: Case) -> str | None:
    """The program that a command starts, or that took its place."""
    entry = case.snippet.entry
    return case.module or (history.successor_of_entry(entry, case.release) if entry else None)


def _written(value: Any) -> str | None:
    """A value as an override has it; None for what no override says."""
    if value is None:
        return "null"
    if isinstance(value, bool | int | float):
        return str(value)
    if isinstance(value, str):
        return value if _PLAIN.fullmatch(value) else json.dumps(value, ensure_ascii=False)
    if isinstance(value, list):
        items = [_written(item) for item in value]
        return f"[{','.join(item for item in items if item is not None)}]" if all(items) else None
    return None
