"""Whether a file is for another verl than the one that it is checked against.

That is asked where nothing is sure about which verl a project has. A file that other releases take,
or with settings that none has, gets one finding for all that only its verl can answer for.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct

from snippet_checker.findings import CONFLICTS, Finding, Problem, Severity
from snippet_checker.judge.verdict import Accepted, Unknown
from snippet_checker.likely import NO_MODULE, OF_CODE, Place, places_of
from snippet_checker.rules import JudgedSnippet
from snippet_checker.suggest.likeness import is_misspelled
from snippet_checker.verl.release import Release, releases

RULE = "other-release"
_OF_RELEASE = frozenset(
    {
        *("removed-key", "future-key", "unknown-key", "misplaced-root", "needs-plus"),
        *("needless-plus", "unknown-group", "unknown-option", "unknown-file", "invalid-choice"),
        *("wrong-type", "ineffective-key", "stale-default", NO_MODULE),
    }
)
_OF_VALUES = frozenset({"invalid-choice", "wrong-type", "stale-default"})
_OF_NO_RELEASE = frozenset({"unknown-key", "misplaced-root"})
_OF_KEYS = _OF_NO_RELEASE | {"needs-plus", "dead-append"}
_SEVERAL, _MANY = 2, 3  # settings that are no slips of one file or command
_FOR_ONE_LACKED = 10  # settings that only a release takes, for one that it lacks
_MOST_NAMED = 5


class Taken(Struct, frozen=True):
    """What a `release` finds in a file, and the settings that it takes, and their `places`."""

    release: str
    found: Sequence[Finding]
    places: frozenset[Place]
    keys: frozenset[str]


class Written(Struct, frozen=True):
    """For which `releases` a file is written, the newest first, and what only this one refuses.

    Each of them takes that, or the release `before` them does where one is named.
    """

    releases: tuple[str, ...]
    before: str | None
    refused: tuple[Finding, ...]


def taken(release: str, snippets: Iterable[JudgedSnippet], found: Sequence[Finding]) -> Taken:
    """What a release makes of a file."""
    settings = [verdict.setting for judged in snippets for verdict in judged.verdicts_of(Accepted)]
    places = frozenset(one.span.start for one in settings)
    return Taken(release, found, places, frozenset(one.key for one in settings))


def written_for(
    this: Taken, others: Iterable[Taken], apart: frozenset[Place] = frozenset()
) -> Written | None:
    """The releases that take most of the settings that this one refuses, and what it takes.

    `this` has found nothing in places `apart`. The others come with the newest first, and no more
    of them are asked for where an older one could take nothing else. They refuse nothing else, and
    may only lack few settings, as the releases around a copy that is from between two of them do.
    """
    errors = [one for one in this.found if _counts(one)]
    here = places_of(errors)
    if len(_subjects(errors)) < _MANY:
        return None
    most, likely, more_before = set[Place](), list[str](), set[Place]()
    before: str | None = None
    for other in others:
        wrong = [one for one in other.found if _counts(one) and one.span.start not in apart]
        more = {one.span.start for one in errors if _is_taken(one, other)} - places_of(wrong)
        has_program = all(one.rule != NO_MODULE for one in wrong)
        lacks_few = len(this.places - other.places) * _FOR_ONE_LACKED <= len(more)
        is_likely = has_program and lacks_few and places_of(wrong) <= here
        if is_likely and len(more) > len(most):
            most, likely, more_before, before = more, [], set(), None
        if is_likely and most and more == most:
            likely.append(other.release)
        elif most == here:
            break
        elif likely and not more_before:  # next to them: a copy may be from between two releases
            more_before, before = more, other.release if more - most else None
    refused = tuple(one for one in errors if one.span.start in most | more_before)
    if len(_subjects(refused)) < _MANY:
        return None
    return Written(tuple(likely), before, refused)


def _is_taken(finding: Finding, other: Taken) -> bool:
    """Whether a release takes the setting of a finding, of which a value is a part, or the program.

    It does if it has found nothing there as well.
    """
    if finding.rule in _OF_VALUES:
        return finding.key in other.keys
    return finding.rule == NO_MODULE or finding.span.start in other.places


def left_to_fork(
    snippets: Iterable[JudgedSnippet], found: Sequence[Finding], release: Release
) -> list[Finding]:
    """What only a fork can answer for, where a command has more of its settings than of slips.

    A command that starts from a config of its project's own is known whole. Other names of what
    verl has beside them are slips as well.
    """
    renamed = places_of(filter(_has_other_name, found))
    if not any(_is_made_up(one, renamed) for one in snippets):
        return []
    left = [one for one in found if _is_forks(one, release)]
    return left if any(one.rule in _OF_NO_RELEASE for one in left) else []


def _has_other_name(finding: Finding) -> bool:
    """Whether what is suggested for a key has the same parents: `total_epochs` for `epochs`."""
    if finding.key is None or finding.suggestion is None:
        return False
    return finding.suggestion.rpartition(".")[0] == finding.key.rpartition(".")[0]


def _is_made_up(judged: JudgedSnippet, renamed: frozenset[Place]) -> bool:
    if judged.command is None or judged.starts_from_project_config:
        return False
    release = judged.release
    settings = (one.setting for one in judged.verdicts_of(Unknown))
    keys = {
        one.key
        for one in settings
        if one.span.start not in renamed and not is_misspelled(one.key, release)
    }
    below_own_roots = sum(key.partition(".")[0] not in release.roots for key in keys)
    return len(keys) >= _MANY or below_own_roots >= _SEVERAL


def _is_forks(finding: Finding, release: Release) -> bool:
    """Whether nobody can say if a finding holds for a fork of verl: a slip is one everywhere.

    So is a key of another program of verl's.
    """
    if finding.rule in _OF_NO_RELEASE and finding.key in release.all_keys:
        return False
    if finding.rule in _OF_KEYS:
        return finding.key is None or not is_misspelled(finding.key, release)
    return finding.rule in OF_CODE


def sure(
    kept: Iterable[Finding], written: Written, found: Iterable[Sequence[Finding]]
) -> list[Finding]:
    """The findings that hold on the releases that a file is written for as well.

    Each of these has `found` something about the same setting then. What is no question of the
    release is the same on all.
    """
    told = frozenset(written.refused)
    known = [frozenset(mark for one in there for mark in _marks(one)) for there in found]
    return [
        one
        for one in kept
        if one not in told
        and (one.rule not in _OF_RELEASE | OF_CODE or all(map(_marks(one).__and__, known)))
    ]


def _marks(finding: Finding) -> frozenset[object]:
    """What a finding has in common with one about the same setting on another release.

    That may refuse the key where this one refuses the value, which stands elsewhere.
    """
    if finding.rule == CONFLICTS:
        return frozenset({(finding.key, finding.span)})
    if finding.rule in _OF_RELEASE | OF_CODE:
        return frozenset({finding.span.start, finding.key or finding.rule})
    return frozenset()


def for_releases(written: Written, release: str) -> Problem:
    """The one problem of a file that is written for some releases, and not for this one."""
    keys = _subjects(written.refused)
    before = f", or verl {written.before}" if written.before else ""
    message = (
        f"verl {release} refuses or passes over {len(keys)} settings of this file that "
        f"{_span(written.releases)} takes{before}: {_named(keys)}; name the verl it is for: "
        f"'--verl {written.releases[0]}', or '--verl {release}' to see what to change"
    )
    return _problem(written.refused, message)


def for_fork(left: Iterable[Finding]) -> Problem:
    """The one problem of a file with settings that no release has, of all that is left to a fork.

    A plus that is missing, and what verl's code makes of a key, are not told.
    """
    made_up = [one for one in left if one.rule in _OF_NO_RELEASE]
    keys = _subjects(made_up)
    message = (
        f"no release of verl has {len(keys)} settings of this file: {_named(keys)}; it is for a "
        f"fork of verl, or never ran"
    )
    return _problem(made_up, message)


def _problem(findings: Sequence[Finding], message: str) -> Problem:
    first = min(findings, key=lambda one: one.span.start)
    return Problem(first.span, message, first.key, stage=first.stage)


def _counts(finding: Finding) -> bool:
    return finding.severity is Severity.ERROR and finding.rule in _OF_RELEASE


def _subjects(findings: Iterable[Finding]) -> list[str]:
    """What findings are about, each once, in the order of their places."""
    in_order = sorted(findings, key=lambda one: one.span.start)
    return list(dict.fromkeys(one.key or one.rule for one in in_order))


def _named(keys: Sequence[str]) -> str:
    named = ", ".join(f"'{key}'" for key in keys[:_MOST_NAMED])
    left = len(keys) - _MOST_NAMED
    return f"{named} and {left} more" if left > 0 else named


def _span(likely: Sequence[str]) -> str:
    """Some releases in words: the first and the last, where all between are among them."""
    names = list(releases())
    numbers = sorted(map(names.index, likely))
    if len(numbers) == 1:
        return f"verl {names[numbers[0]]}"
    is_range = numbers == list(range(numbers[0], numbers[-1] + 1))
    joined = " to " if is_range else " or "
    return f"verl {names[numbers[0]]}{joined}{names[numbers[-1]]}"
