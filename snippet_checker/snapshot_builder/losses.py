"""What the release before gave and a new one does not: dropped by verl, or no longer found?

Only a reader of the code can tell. `losses.toml` holds what was read; everything else stops the
building of a snapshot, since a fact that is not found turns into false findings.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields
from pathlib import Path

from packaging.version import Version

from snippet_checker.schema import tables
from snippet_checker.schema.facts import Facts

LOSSES = Path(__file__).with_name("losses.toml")
_MOST_LOST = 0.5
"""The share of the names read from configs from which on the reading is at fault: it was 0.2."""


@dataclass(frozen=True, slots=True)
class Loss:
    """What `last` is the last release to have, each kind as `losses.toml` describes it."""

    last: str
    entries: tuple[str, ...] = ()
    configs: tuple[str, ...] = ()
    classes: tuple[str, ...] = ()
    mappings: tuple[str, ...] = ()
    words: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Missing:
    """A `_target_` that has no class in the wheels of some releases."""

    target: str
    since: str
    last: str

    def is_about(self, release: str) -> bool:
        return Version(self.since) <= Version(release) <= Version(self.last)


@dataclass(frozen=True, slots=True)
class Reviewed:
    """All that `losses.toml` says."""

    losses: tuple[Loss, ...] = ()
    missing: tuple[Missing, ...] = ()

    def are_dropped(self, kind: str, before: str, after: str) -> frozenset[str]:
        """What of one kind verl dropped between two releases."""
        return frozenset(
            name
            for loss in self.losses
            if Version(before) <= Version(loss.last) < Version(after)
            for name in getattr(loss, kind)
        )


def reviewed() -> Reviewed:
    """What was read in the code; raises TableError."""
    found = tables.load(LOSSES, ("loss", "missing"))
    return Reviewed(found.of("loss", Loss), found.of("missing", Missing))


def losses(before: Facts, after: Facts, known: Reviewed) -> Iterator[str]:
    """A line for each thing that `before` has and `after` lacks, and that nobody has read about."""
    kinds = (field.name for field in fields(Loss) if field.name != "last")
    for kind in kinds:
        dropped = known.are_dropped(kind, before.release, after.release)
        for name, where, what in _LOST[kind](before, after):
            if name not in dropped:
                yield (
                    f"{where}: {what}, which verl {before.release} has; if {after.release} dropped "
                    f"it, add '{name}' to {kind} of a [[loss]] with last = \"{before.release}\" "
                    f"in {LOSSES.name}, else correct the snapshot builder"
                )
    yield from _emptied(before, after)


def _entries(before: Facts, after: Facts) -> Iterator[tuple[str, str, str]]:
    there = {entry.module for entry in after.entries}
    for entry in before.entries:
        if entry.module not in there:
            path = entry.module.replace(".", "/") + ".py"
            lack = "starts no program" if path in after.files else "there is no such file"
            yield entry.module, path, f"{lack}: no entry point '{entry.module}'"


def _configs(before: Facts, after: Facts) -> Iterator[tuple[str, str, str]]:
    for folder in sorted(before.configs.keys() - after.configs.keys()):
        yield folder, folder, "no entry point starts from this config dir"


def _classes(before: Facts, after: Facts) -> Iterator[tuple[str, str, str]]:
    there = _fields_by_class(after)
    for target, declared in before.declarations.items():
        name = target.rpartition(".")[2]
        if name not in there:
            yield name, declared.file, f"no config is built into a dataclass '{name}'"
        elif declared.fields and not there[name]:
            yield name, declared.file, f"the dataclass '{name}' has no fields"


def _fields_by_class(facts: Facts) -> dict[str, set[str]]:
    found: dict[str, set[str]] = defaultdict(set)
    for target, declared in facts.declarations.items():
        found[target.rpartition(".")[2]].update(declared.fields)
    return found


def _mappings(before: Facts, after: Facts) -> Iterator[tuple[str, str, str]]:
    for name in sorted(before.spread - after.spread):
        yield name, "verl/**/*.py", f"no code hands on the mapping '{name}' whole"


def _words(before: Facts, after: Facts) -> Iterator[tuple[str, str, str]]:
    """The words that a key no longer takes; one that has no set any more is told of elsewhere."""
    there = _words_of(after)
    for place, words in _words_of(before).items():
        for word in words if place in there else ():
            if word not in there[place]:
                key = place[0]
                where = next(s.source for s in after.closed_sets if key in s.keys)
                yield f"{key}={word}", where, f"does not name '{word}' for '{key}'"


def _words_of(facts: Facts) -> dict[tuple[str, str | None], dict[str, None]]:
    """The words of each key, by the key and the class that they hold in."""
    found: dict[tuple[str, str | None], dict[str, None]] = defaultdict(dict)
    for one in facts.closed_sets:
        for key in one.keys:
            found[key, one.cls].update(dict.fromkeys(one.values))
    return found


_LOST = {
    "entries": _entries,
    "configs": _configs,
    "classes": _classes,
    "mappings": _mappings,
    "words": _words,
}


def _emptied(before: Facts, after: Facts) -> Iterator[str]:
    """A line for each way of reading the code that hardly finds anything any more."""
    read = {"reads": "is read from configs", "built": "is built into dataclasses"}
    for name, what in read.items():
        had: frozenset[str] = getattr(before, name)
        kept = had & getattr(after, name)
        if len(kept) < _MOST_LOST * len(had):
            yield (
                f"verl/**/*.py: of {len(had)} names of what {what} in verl {before.release}, "
                f"{len(kept)} are left; correct `{name}` in code_names.py"
            )


def missing(targets: Iterable[str], release: str, known: Reviewed) -> Iterator[str]:
    """A line for each `_target_` without a class, unless that is known of the release."""
    there = {one.target for one in known.missing if one.is_about(release)}
    for target in sorted(set(targets) - there):
        yield (
            f"{target}: the YAML names it as a `_target_`, and no dataclass of the wheel has that "
            f"name; correct source_tree.py, or if there is none, add a [[missing]] to {LOSSES.name}"
        )
