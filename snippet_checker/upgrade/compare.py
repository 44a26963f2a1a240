"""A file on two releases: what becomes wrong, what was wrong before, what changes under it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence, Set
from itertools import chain

from msgspec import Struct
from msgspec.structs import replace
from packaging.version import Version

from snippet_checker import documents
from snippet_checker.findings import CONFLICTS, Finding, Severity, Stage
from snippet_checker.hydra.setting import Setting
from snippet_checker.judge.diagnosis import APPENDING
from snippet_checker.judge.verdict import Accepted
from snippet_checker.options import Options
from snippet_checker.pipeline import checked_blocks
from snippet_checker.projects.project import Project
from snippet_checker.projects.requirement import Requirement
from snippet_checker.results import CheckedBlock, in_file_order
from snippet_checker.rules.base import JudgedSnippet
from snippet_checker.snippets.snippet import Command
from snippet_checker.text.places import Span
from snippet_checker.upgrade.changes import CommandChanges
from snippet_checker.upgrade.defaults import changes_for
from snippet_checker.verl import history, key_index
from snippet_checker.verl.release import Release, load, older_than


class StartingRelease(Struct, frozen=True):
    """The release that a file was written for.

    If nobody said so, it is that of the project's copy of verl, whose version is `copy_version`, or
    that of the one version that the project's `requirement` asks for. Without either, `accepting`
    are the releases on which Hydra refuses nothing of the file; without any, the release is the one
    that refuses least.
    """

    release: str
    accepting: tuple[str, ...] | None = None
    copy_version: str | None = None
    requirement: Requirement | None = None


class NotCompared(Struct, frozen=True):
    """A command that does not start from a config that is known, and why."""

    span: Span
    why: str


class Comparison(Struct, frozen=True):
    """What a file needs on the newer release.

    `changes` become wrong there, `wrong_before` is wrong on both, and `commands` are those under
    which something changes. `start` is None where no older release refuses less of it, and nobody
    said what it is for.
    """

    path: str
    start: StartingRelease | None
    changes: tuple[Finding, ...]
    wrong_before: tuple[Finding, ...] = ()
    commands: tuple[CommandChanges, ...] = ()
    not_compared: tuple[NotCompared, ...] = ()

    @property
    def is_done(self) -> bool:
        """Whether the newer release takes all of it, and nothing has to be set beside."""
        beside = any(command.beside for command in self.commands)
        return not self.changes and not self.wrong_before and not beside

    def as_left_of(self, before: Comparison) -> Comparison:
        """What is left after fixes: only what was wrong before them was wrong before.

        A setting that was mended for the newer release is wrong on the older one.
        """
        old = {(finding.rule, finding.key) for finding in before.wrong_before}
        left = in_file_order((*self.changes, *self.wrong_before))
        return replace(
            self,
            start=before.start,
            changes=tuple(one for one in left if (one.rule, one.key) not in old),
            wrong_before=tuple(one for one in left if (one.rule, one.key) in old),
        )

    @property
    def is_silent(self) -> bool:
        """Whether there is nothing to say about it."""
        return self.is_done and not self.commands and not self.not_compared


def compare(name: str, text: str, options: Options, old: str | None) -> Comparison:
    """What the text of a file needs on the release of `options`; `old` is what it is for."""
    options = replace(options, is_upgrade=True)
    blocks = documents.read_text(name, text)
    after = checked_blocks(blocks, options)
    found = _findings(after)
    open_ = tuple(dict.fromkeys(_not_compared(after)))
    start = StartingRelease(old) if old is not None else guessed(name, text, options, found)
    if start is None:
        return Comparison(name, None, found, not_compared=open_)
    before = checked_blocks(blocks, _as_of(start.release, options))
    earlier = [one for one in _findings(before) if one.rule != _AHEAD]
    wrong = {(one.span.start, one.severity) for one in earlier}
    old_ones = tuple(one for one in found if _was_as_wrong(one, wrong))
    changes = tuple(one for one in found if not _was_as_wrong(one, wrong))
    commands: dict[Span, CommandChanges] = {}
    suggested = {finding.suggestion for finding in found}
    for command in _commands(before, after, options.release, suggested):
        one = commands.get(command.span)  # in a loop, say, with another value
        commands[command.span] = one.with_those_of(command) if one is not None else command
    return Comparison(name, start, changes, old_ones, tuple(commands.values()), open_)


def _as_of(release: str, options: Options) -> Options:
    """The options for what the files are now, on an older release and no other one."""
    return replace(options, release=release, is_upgrade=False, release_is_default=False)


def _was_as_wrong(now: Finding, before: Set[tuple[tuple[int, int], Severity]]) -> bool:
    """Whether it was as wrong before: what was discouraged only, and is refused now, was not."""
    severities = {Severity.ERROR, now.severity}
    return any((now.span.start, severity) in before for severity in severities)


def guessed(
    name: str, text: str, options: Options, found: Sequence[Finding]
) -> StartingRelease | None:
    """The release of the project's copy of verl, if that is older than the newer release.

    Without one, that of the version that the project asks for, on the same condition. Else the
    newest one on which least of a file is wrong: refused, and then anything else. None where that
    is not less than on the newer release itself, which refuses something.
    """
    newest = load(options.release).name
    project = Project(name, options.files)
    release = project.stated_release
    if release is not None and Version(release) < Version(newest):
        if project.verl_copy.is_whole:
            return StartingRelease(release, copy_version=project.verl_copy.version)
        return StartingRelease(release, requirement=project.requirement)
    if not any(finding.severity is Severity.ERROR for finding in found):
        return StartingRelease(newest, (newest,))
    blocks = documents.read_text(name, text)
    wrong = {
        release: _wrong(_findings(checked_blocks(blocks, _as_of(release, options))))
        for release in older_than(newest)
    } | {newest: _wrong(found)}
    seen = Counter(chain.from_iterable(others for _, others in wrong.values()))
    telling = {one for one, count in seen.items() if 2 * count < len(wrong)}

    def amount(release: str) -> tuple[int, int]:
        refused, others = wrong[release]
        return refused, len(others & telling)

    start = min(reversed(wrong), key=amount)
    if wrong[start][0] and start == newest:
        return None
    return StartingRelease(start, tuple(release for release in wrong if not wrong[release][0]))


_AHEAD = "future-key"  # none on the release that the setting is written for


def _wrong(findings: Sequence[Finding]) -> tuple[int, frozenset[tuple[tuple[int, int], str]]]:
    """How much Hydra refuses, and what else is wrong, by its places and rules.

    What is wrong on most releases does not tell one from another.
    """
    errors = [
        finding
        for finding in findings
        if finding.severity is Severity.ERROR and finding.rule != CONFLICTS
    ]
    others = [finding for finding in errors if finding.stage is not Stage.HYDRA]
    places = frozenset((finding.span.start, finding.rule) for finding in others)
    return len(errors) - len(others), places


def _findings(blocks: Iterable[CheckedBlock]) -> tuple[Finding, ...]:
    return in_file_order(finding for block in blocks for finding in block.findings)


def _commands(
    before: Sequence[CheckedBlock],
    after: Sequence[CheckedBlock],
    newer: str,
    suggested: Set[str | None],
) -> Iterable[CommandChanges]:
    """What changes under each command; `suggested` are keys that findings suggest to set."""
    for old, new in zip(before, after, strict=True):
        for one, other in zip(old.snippets, new.snippets, strict=True):
            found = changes_for(one, other, newer)
            if found:
                beside = tuple(one for one in found.beside if one.key not in suggested)
                yield replace(found, beside=beside)


def _not_compared(blocks: Iterable[CheckedBlock]) -> Iterable[NotCompared]:
    """The commands about verl of which not all is compared: their config, or their program."""
    for judged in (judged for block in blocks for judged in block.snippets):
        command = judged.command
        if command is None:
            continue
        if judged.judgement.config is not None:
            if (left := _config_of_outdated_copy(judged)) is not None:
                yield NotCompared(command.span, _CONFIG.format(left, judged.release.name))
            elif judged.module is None and not command.starts_verl_program:
                yield NotCompared(command.span, _PROGRAM.format(_name(command)))
            continue
        gone = [*_gone(command, judged.release)]
        if gone or any(judged.verdicts_of(Accepted)) or _may_start_verls(command, judged.release):
            why = _why(command, judged.judgement.primary is not None)
            said = f"; verl {judged.release.name} has not got {', '.join(gone)}" if gone else ""
            yield NotCompared(command.span, why + said)


def _config_of_outdated_copy(judged: JudgedSnippet) -> str | None:
    """The config that a command of verl's own program starts from, if only the old copy has it."""
    primary, copy, command = judged.judgement.primary, judged.project.verl_copy, judged.command
    if (
        primary is None
        or not primary.is_project_config
        or command is None
        or not command.starts_verl_program
    ):
        return None
    folders = tuple(f"{package}/" for package in copy.packages)
    is_left = copy.is_outdated and f"{primary.config_dir}/".startswith(folders)
    return primary.config_name if is_left else None


def _may_start_verls(command: Command, release: Release) -> bool:
    """Whether a program in the project's copy of verl that cannot be read is given verl's keys."""
    keys = (setting.key for setting in command.every_setting)
    return command.starts_copy_program and any(key in release.all_keys for key in keys)


def _name(command: Command) -> str:
    """The program's name: of a path, the end, since what is before it may depend on the launch."""
    return command.entry.rpartition("/")[2]


_CONFIG = "its config '{}' is in the project's copy of verl, and verl {} has not got it"
_PROGRAM = "its settings are compared, but not what the project's '{}' takes from verl's code"


def _gone(command: Command, release: Release) -> Iterable[str]:
    """The keys of verl's that it sets and the release has not got, with what is set now."""
    for key, setting in {setting.key: setting for setting in command.settings}.items():
        is_gone = key not in release.all_keys and not _is_taken(setting, release)
        if is_gone and any(key_index.before(key, release.name)):
            now = history.fate(key)[1] or history.replacement_for(key)
            yield f"'{key}' (now '{now}')" if now in release.all_keys else f"'{key}'"


def _is_taken(setting: Setting, release: Release) -> bool:
    """Whether a plus brings the key into a mapping that some program of the release leaves open."""
    spaces = release.spaces if setting.operator in APPENDING else ()
    return any(space.accepts_appended(setting.key) for space in spaces)


def _why(command: Command, has_config: bool) -> str:
    if has_config:
        return "what it starts from is known at launch only"
    if not command.starts_verl_program:
        why = f"'{command.entry}' is no program of verl's package"
        return f"{why}; {_RECIPES}" if command.entry.startswith("recipe") else why
    name = command.config_name
    return f"its config '{name.text}' is not here" if name is not None else "its config is not here"


_RECIPES = "since 0.7.1, verl keeps its recipes in a repository of their own, verl-recipe"
