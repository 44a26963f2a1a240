"""A file on two releases: what becomes wrong, what was wrong before, what changes under it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from packaging.version import Version

from snippet_checker import documents
from snippet_checker.findings import Finding, Stage
from snippet_checker.pipeline import CheckedBlock, Options, each_block, in_order
from snippet_checker.text.places import Span
from snippet_checker.upgrade.defaults import Default, Differences, differences
from snippet_checker.verl.release import load, releases


@dataclass(frozen=True, slots=True)
class Start:
    """The release that a file was written for; if nobody said so, those that `accept` all of it."""

    release: str
    accepting: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class CommandDefaults:
    """The defaults that change under the command that stands at `span`.

    `beyond` says what changes for it that no override does.
    """

    span: Span
    defaults: tuple[Default, ...]
    beyond: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Comparison:
    """What a file needs on the newer release.

    `changes` become wrong there, `wrong_before` is wrong on both, and `defaults` change under its
    commands. `start` is None where no release accepts it, and nobody said what it is for.
    """

    path: str
    start: Start | None
    changes: tuple[Finding, ...]
    wrong_before: tuple[Finding, ...] = ()
    defaults: tuple[CommandDefaults, ...] = ()

    @property
    def is_done(self) -> bool:
        """Whether the newer release takes all of it."""
        return not self.changes and not self.wrong_before


def compare(name: str, text: str, options: Options, old: str | None) -> Comparison:
    """What the text of a file needs on the release of `options`; `old` is what it is for."""
    blocks = documents.read_text(name, text)
    after = list(each_block(blocks, options))
    found = _findings(after)
    start = Start(old) if old is not None else guessed(name, text, options, found)
    if start is None:
        return Comparison(name, None, found)
    before = list(each_block(blocks, replace(options, release=start.release)))
    wrong = {(finding.span.line, finding.span.column) for finding in _findings(before)}
    changes = tuple(one for one in found if (one.span.line, one.span.column) not in wrong)
    wrong_before = tuple(one for one in found if (one.span.line, one.span.column) in wrong)
    defaults = tuple(_defaults(before, after, options.release))
    return Comparison(name, start, changes, wrong_before, defaults)


def guessed(name: str, text: str, options: Options, found: Sequence[Finding]) -> Start | None:
    """The newest release that accepts a file, of those that do; the newer one itself if it does."""
    newest = load(options.release).name
    if not _stopped(found):
        return Start(newest, (newest,))
    blocks = documents.read_text(name, text)
    accepting = tuple(
        release
        for release in releases()
        if Version(release) < Version(newest)
        and not _stopped(_findings(each_block(blocks, replace(options, release=release))))
    )
    return Start(accepting[-1], accepting) if accepting else None


def _stopped(findings: Iterable[Finding]) -> bool:
    """Whether Hydra refuses something of a file."""
    return any(finding.stage is Stage.HYDRA for finding in findings)


def _findings(blocks: Iterable[CheckedBlock]) -> tuple[Finding, ...]:
    return in_order(finding for block in blocks for finding in block.findings)


def _defaults(
    before: Sequence[CheckedBlock], after: Sequence[CheckedBlock], newer: str
) -> Iterable[CommandDefaults]:
    for old, new in zip(before, after, strict=True):
        for one, other in zip(old.cases, new.cases, strict=True):
            found = differences(one, other, newer)
            if found != Differences():
                yield CommandDefaults(other.snippet.span, found.defaults, found.beyond)
