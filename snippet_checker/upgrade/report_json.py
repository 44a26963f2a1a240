"""What files need on another release, for programs: one object, whose keys are a contract.

The types here are the contract: the object is made from them, and so is its JSON Schema.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

from msgspec import Meta, Struct
from msgspec.structs import asdict

from snippet_checker.reports import json as findings_json
from snippet_checker.reports.json import ReportedFinding
from snippet_checker.upgrade.compare import Comparison

SCHEMA = 1
"""Grows when a key of the JSON changes its meaning; keys may be added without it."""

_Count = Annotated[int, Meta(ge=0)]
_Line = Annotated[int, Meta(ge=1, description="the line of the command")]


class ChangedDefault(Struct):
    """A default that changed under a command, or that of a key that came.

    `old_key` is what the older release called the key, and `since` the first release with the new
    default, where that is known. `keep` is the override that keeps the old value, null where there
    is none. Of a key that came, `why` says what its default changes, and `old` changes nothing.
    """

    line: _Line
    key: str
    old_key: str
    old: Any
    new: Any
    since: str | None
    must_be_set: bool
    keep: str | None
    why: str | None


class OtherMeaning(Struct):
    """A value that a command sets, and that means something else from the release `since` on.

    `keep` is the override that does what the value did, null where there is none.
    """

    line: _Line
    key: str
    value: Any
    since: str
    keep: str | None
    why: str


class ToSetBeside(Struct):
    """An override that a command needs beside its own settings, and why."""

    line: _Line
    override: str
    why: str


class Remark(Struct):
    """What a person has to know or to do about a command."""

    line: _Line
    message: str


class UpgradedFile(Struct, rename={"start": "from"}):
    """What one file needs.

    `from` is null where no earlier release accepts more of the file. `accepted_by` is null where
    the release was given, where it is that of the project's copy of verl, whose version is
    `copy_version`, and where a file of the project asks for the version `required_version`. Each
    list of several is a guess, and so is an empty one.
    """

    path: str
    start: str | None
    accepted_by: list[str] | None
    copy_version: str | None
    required_version: str | None
    changes: Annotated[list[ReportedFinding], Meta(description="what becomes wrong")]
    wrong_before: Annotated[list[ReportedFinding], Meta(description="what is wrong on both")]
    defaults: list[ChangedDefault]
    meanings: list[OtherMeaning]
    beside: list[ToSetBeside]
    beyond: Annotated[list[Remark], Meta(description="what no override does")]
    not_compared: Annotated[list[Remark], Meta(description="commands that are left to a person")]


class Upgrade(Struct):
    """What `snippet-checker upgrade --format json` prints."""

    schema: Annotated[int, Meta(description="the number of this contract")]
    to: str
    fixed: _Count
    files: list[UpgradedFile]


def upgrade(compared: Sequence[Comparison], new: str, fixed: int) -> Upgrade:
    """What files need, as programs get it."""
    return Upgrade(SCHEMA, new, fixed, [_file(one) for one in compared])


def _file(one: Comparison) -> UpgradedFile:
    accepting = one.start.accepting if one.start is not None else ()
    asked = one.start.requirement if one.start is not None else None
    commands = [(command.span.line, command) for command in one.commands]
    return UpgradedFile(
        path=one.path,
        start=one.start.release if one.start is not None else None,
        accepted_by=list(accepting) if accepting is not None else None,
        copy_version=one.start.copy_version if one.start is not None else None,
        required_version=asked.version if asked is not None else None,
        changes=[findings_json.reported(finding) for finding in one.changes],
        wrong_before=[findings_json.reported(finding) for finding in one.wrong_before],
        defaults=[
            ChangedDefault(line, must_be_set=found.must_be_set, **asdict(found))
            for line, under in commands
            for found in under.defaults
        ],
        meanings=[
            OtherMeaning(line, **asdict(found))
            for line, under in commands
            for found in under.meanings
        ],
        beside=[
            ToSetBeside(line, **asdict(found)) for line, under in commands for found in under.beside
        ],
        beyond=[Remark(line, said) for line, under in commands for said in under.beyond],
        not_compared=[Remark(left.span.line, left.why) for left in one.not_compared],
    )
