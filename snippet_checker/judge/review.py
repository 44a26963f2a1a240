"""What has to be read again in verl's code for a release that is later than what was read.

Snapshots are made by a program; what a person read in the code (`lifecycle.toml`, `upgrades.toml`,
`drift.toml`, `other_trainers.toml`, the cross-field rules, the places of closed sets) says up to
which release.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from snippet_checker.judge import conflicts
from snippet_checker.suggest import meanings
from snippet_checker.verl import drift, lifecycle, tables, upgrades
from snippet_checker.verl.release import Release, load, releases

_PACKAGE = Path(__file__).parents[1]


class ReviewItem(Struct, frozen=True):
    """An entry to read again.

    `where` it stands in this package, what it is `about`, what to `ask` of it, and the `files` of
    verl's wheel to read, as far as they are known.
    """

    where: str
    about: str
    ask: str
    files: tuple[str, ...] = ()


def review_items(release: Release) -> tuple[ReviewItem, ...]:
    """What has to be read again for `release`; nothing where everything was."""
    return (
        *_entries(release),
        *_checks(release),
        *_closed_sets(release),
        *_drift(release),
    )


def is_reviewed(release: Release) -> bool:
    """Whether all that is known holds for `release` as it does for those before it."""
    begins = (tables.reviewed(path) for path in (lifecycle.LIFECYCLE, upgrades.UPGRADES))
    entries_are = all(tables.is_reviewed(name, None, release.name) for name in begins)
    return (
        (entries_are or not any(_entries(release)))
        and not any((*_checks(release), *_closed_sets(release)))
        and drift.is_reviewed(release.name)
    )


_QUESTIONS = {
    "ineffective": "does anything read it now?",
    "deprecated": "is it still deprecated?",
    "value": "is it still taken?",
    "word": "is it still refused?",
    "read": "does the program still read it?",
    "arrival": "does its default still make another run?",
    "indifferent": "is the run still the same?",
    "meaning": "does it still mean this?",
    "together": "does it still take all of them?",
    "data": "do files still have to hold this?",
}


def _entries(release: Release) -> Iterator[ReviewItem]:
    """The entries of the reviewed lists about keys."""
    found: list[tuple[Path, str, lifecycle.Note | upgrades.BehaviourChange]] = [
        *(
            (lifecycle.LIFECYCLE, kind, n)
            for kind in lifecycle.KINDS
            for n in lifecycle.notes(kind)
        ),
        *((upgrades.UPGRADES, kind, c) for kind in upgrades.KINDS for c in upgrades.changes(kind)),
    ]
    for path, kind, entry in found:
        if not entry.is_reviewed(release.name):
            about = ", ".join(entry.keys)
            yield ReviewItem(_place(path, entry.line), about, _QUESTIONS[kind], (entry.file,))


def _checks(release: Release) -> Iterator[ReviewItem]:
    for check in conflicts.every_check():
        if not tables.is_reviewed(check.reviewed, check.last, release.name):
            yield ReviewItem(check.where, check.about, "does verl still refuse it?", check.files)


def _closed_sets(release: Release) -> Iterator[ReviewItem]:
    for one in release.facts.closed_sets:
        if one.unreviewed:
            files, _, name = one.source.rpartition(": ")
            about = f"{', '.join(one.keys)} ({name}: {', '.join(one.values)})"
            ask = "does any other code take further words?"
            yield ReviewItem("closed_sets.toml", about, ask, tuple(files.split(", ")))


def _drift(release: Release) -> Iterator[ReviewItem]:
    """The keys that went, and the names to suggest that are gone or have come."""
    if drift.is_reviewed(release.name):
        return
    before = load(next(name for name in reversed(releases()) if drift.is_reviewed(name)))
    for key in sorted(before.all_keys - release.all_keys):
        if not drift.is_gone(key, release.name) and drift.moved(key) not in release.all_keys:
            ask = f"what took its place in {release.name}?"
            yield ReviewItem(_place(drift.DRIFT), key, ask)
    for entry in (*drift.hints(), *drift.counterparts()):
        if _went(entry.right, before, release):
            yield ReviewItem(
                _place(drift.DRIFT, entry.line), entry.right, "it is gone; what is right?"
            )
        if _went(entry.wrong, release, before):
            yield ReviewItem(_place(drift.DRIFT, entry.line), entry.wrong, "it is a key now")
    for variant in drift.variants():
        if _went(variant.instead, before, release):
            where = _place(drift.DRIFT, variant.line)
            yield ReviewItem(where, variant.instead, "it is gone; what is right?")
    for move in drift.moves():
        if _went(move.new, before, release):
            yield ReviewItem(_place(drift.DRIFT, move.line), move.new, "it is gone; where is it?")
    for program in drift.moved_programs():
        if before.has_module(program.new) and not release.has_module(program.new):
            where = _place(drift.DRIFT, program.line)
            yield ReviewItem(where, program.new, "it is gone; where is it?")
    for right in sorted({right for meaning in meanings.all_meanings() for right in meaning.right}):
        if _went(right, before, release):
            yield ReviewItem(_place(meanings.OTHER_TRAINERS), right, "it is gone; what is right?")


def _went(name: str, before: Release, after: Release) -> bool:
    """Whether a key, the end of one, or a mapping is in one release and not in another."""
    short = name.removesuffix(".*")
    return bool(before.expand(short)) and not after.expand(short)


def _place(path: Path, line: int | None = None) -> str:
    name = path.relative_to(_PACKAGE.parent).as_posix()
    return name if line is None else f"{name}:{line}"
