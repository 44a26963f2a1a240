"""The findings that a project accepts for now, named in a file, so that only new ones are reported.

A finding is known again by its file, its rule and what it is about. Lines and messages change.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from snippet_checker import files, typed
from snippet_checker.errors import UserError
from snippet_checker.findings import Finding

BASELINE = "snippet-checker-baseline.json"
"""The file beside `pyproject.toml`, where the configuration names no other."""


class Entry(Struct, frozen=True, order=True):
    """How many findings of a rule are accepted; without a key, they are about their message."""

    rule: str
    about: str
    count: Annotated[int, Meta(ge=1, description="a number from 1 on")] = 1


Entries = tuple[Entry, ...]
"""What is accepted in one file."""


class Baseline(Struct, frozen=True):
    """What is accepted, by the paths of files from the project's root on."""

    version: Annotated[Literal[1], Meta(description="1")] = 1
    files: Annotated[Mapping[str, Entries], Meta(description="entries by file")] = {}

    @property
    def count(self) -> int:
        """How many findings are accepted."""
        return sum(entry.count for entries in self.files.values() for entry in entries)


NOTHING = Baseline()


class Accepted:
    """The findings of one file that are still to be met, each as often as it is accepted."""

    def __init__(self, entries: Iterable[Entry]) -> None:
        self._left = Counter({(entry.rule, entry.about): entry.count for entry in entries})

    def takes(self, finding: Finding) -> bool:
        """Whether a finding is accepted; one of several that are alike is, as often as one was."""
        what = (finding.rule, _about(finding))
        if not self._left[what]:
            return False
        self._left[what] -= 1
        return True


def read_baseline(file: Path) -> Baseline:
    """What a file accepts; raises UserError where it does not say so."""
    try:
        data: Any = json.loads(files.text_of(files.read(file)))
        if not isinstance(data, dict):
            raise typed.Misfit("it has no JSON object")
        return typed.read(data, Baseline, "it")
    except files.UnreadableFile as error:
        raise UserError(f"{file} {error}; make one: snippet-checker baseline create") from None
    except (ValueError, RecursionError) as error:
        why = (
            "is nested too deeply"
            if isinstance(error, RecursionError)
            else f"is no baseline: {error}"
        )
        raise UserError(f"{file} {why}; make a new one: snippet-checker baseline create") from None


def entries_of(findings: Iterable[Finding]) -> Entries:
    """What has to be accepted so that findings are."""
    counts = Counter((finding.rule, _about(finding)) for finding in findings)
    return tuple(sorted(Entry(rule, about, count) for (rule, about), count in counts.items()))


def still_met(entries: Entries, met: Entries) -> Entries:
    """What is left of some entries if no more is accepted than is met."""
    counts = {(entry.rule, entry.about): entry.count for entry in met}
    left = (
        msgspec.structs.replace(entry, count=min(entry.count, counts[entry.rule, entry.about]))
        for entry in entries
        if (entry.rule, entry.about) in counts
    )
    return tuple(left)


def text_of(baseline: Baseline) -> str:
    """The text of the file, the same for the same findings."""
    ordered = {path: baseline.files[path] for path in sorted(baseline.files)}
    return typed.text_of(Baseline(files=ordered))


def _about(finding: Finding) -> str:
    return finding.key if finding.key is not None else finding.message
