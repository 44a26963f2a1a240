"""What a rule is, and what it gets to see."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from snippet_checker.documents.block import DirectiveWord
from snippet_checker.findings import Problem, Severity, Stage
from snippet_checker.hydra.composed_config import ComposedConfig
from snippet_checker.hydra.setting import Setting, Value
from snippet_checker.judge import explained, relevance
from snippet_checker.judge.context import NO_CONTEXT, Context
from snippet_checker.judge.explained import Explanation
from snippet_checker.judge.judgement import Judgement
from snippet_checker.judge.subject import is_complete
from snippet_checker.judge.verdict import Accepted, Gap, Missing, Unjudged, Verdict
from snippet_checker.projects.project import Project
from snippet_checker.snippets.snippet import Command, FaultKind, Fragment, Mentions, Snippet
from snippet_checker.suggest.likeness import is_misspelled
from snippet_checker.translations.comparison import Translation
from snippet_checker.translations.glossary import NO_TERMS, Vocabulary
from snippet_checker.verl import drift, history, values
from snippet_checker.verl.facts import ClosedSet
from snippet_checker.verl.lifecycle import Note
from snippet_checker.verl.release import Release

AVerdict = TypeVar("AVerdict", bound=Verdict)

_SEEMS_EXPLAINED = (
    "the text seems to say so: name the release or what is set now, or add an ignore comment"
)


class JudgedSnippet(Struct, frozen=True):
    """One snippet with the verdicts on its settings, as a rule gets it.

    `vocabulary` holds the terms that translations have to use.
    """

    snippet: Snippet
    judgement: Judgement
    vocabulary: Vocabulary = NO_TERMS
    context: Context = NO_CONTEXT

    @property
    def release(self) -> Release:
        return self.judgement.release

    @property
    def project(self) -> Project:
        """The project around the snippet."""
        return self.context.project

    @property
    def command(self) -> Command | None:
        """The snippet, where it is a launch command."""
        return self.snippet if isinstance(self.snippet, Command) else None

    @property
    def mentions(self) -> Mentions | None:
        """The snippet, where it is running text."""
        return self.snippet if isinstance(self.snippet, Mentions) else None

    @property
    def successor_program(self) -> str | None:
        """The program by which a command of one that the release lost is judged, if one is."""
        command = self.command
        if (
            command is None
            or command.starts_copy_program
            or drift.moved_program(command.entry) is not None
        ):
            return None
        return history.successor_of_entry(command.entry, self.release)

    @property
    def starts_from_project_config(self) -> bool:
        """Whether the snippet is a command that starts from a config of a project's own."""
        return self.judgement.primary is not None and self.judgement.primary.is_project_config

    @property
    def config_as_run(self) -> ComposedConfig | None:
        """What a command composes: in the project's copy of verl, if it runs in one of the release.

        The defaults are the copy's then.
        """
        config, primary = self.judgement.config, self.judgement.primary
        if config is None or primary is None or primary.is_project_config:
            return config
        own = self.project.copy_configs.composed_config(primary, self.release)
        composer, settings = self.release.composer(primary), self.snippet.settings
        if own is None or any(composer.is_group(setting.key) for setting in settings):
            return config
        for setting in settings:
            own.apply(setting)
        return own

    @property
    def is_project_program_config(self) -> bool:
        """Whether the snippet is a config that a program of the project's own starts from."""
        return self.snippet.is_config_file and self.project.starts_from_file

    @property
    def translation(self) -> Translation | None:
        """The snippet beside its original, where it is a message that was translated."""
        original = self.mentions.original if self.mentions is not None else None
        if original is None:
            return None
        return Translation(self.snippet.block, original.prose, original.translated)

    def verdicts_of(self, kind: type[AVerdict]) -> Iterator[AVerdict]:
        """The verdicts of one kind."""
        return (v for v in self.judgement.verdicts if isinstance(v, kind))

    def with_values(self) -> Iterator[Accepted]:
        """The accepted settings whose value is known before launch."""
        for verdict in self.verdicts_of(Accepted):
            value, is_sure = verdict.setting.value, verdict.setting.sure
            left_open = value == "" and not is_sure  # `key=${NAME:-}`: the environment's to say
            stands_for_another = (
                not self.snippet.block.whole_file
                and values.is_placeholder(value)
                and not self._is_known_word(verdict)
            )
            if verdict.keys and values.is_known(value) and not (left_open or stands_for_another):
                yield verdict

    def closed_sets_for(self, verdict: Accepted) -> tuple[ClosedSet, ...]:
        """The sets of words for all full keys of a setting; none where one takes any word."""
        found = [
            values.closed_sets(self.release, key, self.classes_around(key)) for key in verdict.keys
        ]
        return tuple(one for sets in found for one in sets) if all(found) else ()

    def _is_known_word(self, verdict: Accepted) -> bool:
        """Whether a word in capitals is no placeholder, but one of the key's own: `GRPO`."""
        word = str(verdict.setting.value)
        return word.isupper() and any(
            word.lower() in one.values for one in self.closed_sets_for(verdict)
        )

    def is_surely_verls(self, verdict: Verdict) -> bool:
        """Whether a setting that verl has is not `mode=…` in a text about something else."""
        return self.mentions is None or relevance.is_distinctive(verdict.setting.key, self.release)

    def unless_explained(self, problem: Problem, *successors: str | None) -> Iterator[Problem]:
        """The problem of a key that changed, unless running text explains what became of it.

        It is a warning where the text only seems to.
        """
        explanation = Explanation.NONE
        if self.mentions is not None:
            named = [key for key in successors if key is not None]
            explanation = explained.explanation(
                self.snippet.block, problem.span, named, self.release.name
            )
        if explanation is Explanation.LIKELY:
            message = f"{problem.message}; {_SEEMS_EXPLAINED}"
            problem = replace(problem, message=message, severity=Severity.WARNING)
        if explanation is not Explanation.CERTAIN:
            yield problem

    def defaults(self, verdict: Accepted) -> list[Any]:
        """What the release gives the keys that an accepted setting sets."""
        return [default for key in verdict.keys for default in self.release.defaults(key)]

    def changed_settings(self) -> Iterator[Accepted]:
        """The accepted settings that give one key another value than verl's YAML does.

        What only a config of the project's own gives it as well is meant all the same.
        """
        primary = self.judgement.primary
        for verdict in self.verdicts_of(Accepted):
            value = verdict.setting.value
            if len(verdict.keys) != 1 or value is None or value is Value.ABSENT or primary is None:
                continue
            key = verdict.keys[0]
            own = self.release.defaults(key) if primary.is_project_config else []
            if value not in (own or [self.release.space(primary).default(key)]):
                yield verdict

    def key_if_settable(self, key: str | None) -> str | None:
        """The key if the config that a command composes has it, or takes it with its plus."""
        config = self.judgement.config
        if key is None or config is None or key.startswith("+") or config.has(key):
            return key
        return None

    @property
    def module(self) -> str | None:
        """The entry point that the snippet starts, if it says so, or what took its place."""
        said = self.snippet.block.argument(DirectiveWord.ENTRY) or self.snippet.entry
        if not said or (self.command is not None and self.command.starts_copy_program):
            return None
        return self.release.entry_module(said) or history.successor_of_entry(said, self.release)

    def is_of_outdated_copy(self, key: str) -> bool:
        """Whether it is a key of the outdated copy of verl, and not misspelled there either."""
        release = self.release
        return self.project.is_of_outdated_copy(key, release) and not is_misspelled(key, release)

    def stage_of_missing(self, key: str) -> Stage | None:
        """Who stops a config with a key that verl has not, where that is not Hydra.

        A config that takes in verl's may bring any key, and so may one that a program starts from:
        Hydra merges it, and it goes unread unless verl builds a dataclass of the mapping around it.
        """
        snippet, primary = self.snippet, self.judgement.primary
        if not (isinstance(snippet, Fragment) and snippet.is_config_file and primary is not None):
            return None
        takes_in = snippet.package is not None or any(s.key == "defaults" for s in snippet.settings)
        if not (takes_in or is_complete(snippet)):
            return None
        refusing = self.release.space(primary).refusing_class(key)
        return Stage.SILENT if refusing is None else Stage.VERL

    def classes_around(self, key: str) -> frozenset[str] | None:
        """The dataclasses that the mapping around `key` is built into, None if that is open."""
        node = key.rpartition(".")[0]
        if self.judgement.config is not None:
            target = self.judgement.config.value(f"{node}._target_" if node else "_target_")
            return frozenset([target]) if isinstance(target, str) else frozenset()
        if self.judgement.primary is None:
            return None
        return self.release.space(self.judgement.primary).classes(node)

    def is_set(self, key: str) -> bool:
        """Whether the snippet sets a full key that is there, perhaps by a shortened one."""
        if self.mentions is not None:
            return False  # which names keys, and sets none
        return any(key in verdict.keys for verdict in self.verdicts_of(Accepted))

    def countable_verdicts(self) -> list[Verdict]:
        """The verdicts on settings; in running text `trainer.fit` may be one, `nvidia-smi` not."""
        return [
            verdict
            for verdict in self.judgement.verdicts
            if not (isinstance(verdict, Unjudged) and verdict.gap is Gap.NO_KEY)
            or self._has_root(verdict.setting.key)
        ]

    def _has_root(self, key: str) -> bool:
        root, dot, _ = key.partition(".")
        return bool(dot) and root in self.release.keys


class Rule(Struct, frozen=True):
    """One check: its stable name, who refuses what it finds, and the function that finds it.

    A `strict_only` rule is silent without `--strict`.
    """

    id: str
    stage: Stage
    summary: str
    check: Callable[[JudgedSnippet], Iterator[Problem]]
    severity: Severity = Severity.ERROR
    strict_only: bool = False


class FromFaults(Struct, frozen=True):
    """The check of a rule whose problems the reader of a language finds."""

    kind: FaultKind

    def __call__(self, judged: JudgedSnippet) -> Iterator[Problem]:
        return (fault for fault in judged.snippet.faults if fault.kind is self.kind)


class FromVerdicts(Struct, frozen=True):
    """The check of a rule that reports verdicts: a reporter a type of verdict makes a problem."""

    reporters: Mapping[type[Verdict], Callable[[Any, JudgedSnippet], Problem | None]]

    def __call__(self, judged: JudgedSnippet) -> Iterator[Problem]:
        for verdict in judged.judgement.verdicts:
            say = self.reporters.get(type(verdict))
            problem = say(verdict, judged) if say is not None else None
            if problem is not None and isinstance(verdict, Missing):
                problem = replace(problem, stage=judged.stage_of_missing(verdict.setting.key))
            if problem is not None:
                yield problem


def unreviewed_note(judged: JudgedSnippet, setting: Setting, what: str, note: Note) -> Problem:
    """The problem of a key that a note is about, for a later release than it was read for.

    It says what was read and no more, and suggests nothing.
    """
    message = (
        f"'{setting.key}' {what} in verl {note.reviewed}: {note.reason(judged.module)}; whether "
        f"that holds for {judged.release.name}, too, has not been read yet"
    )
    return Problem(setting.span, message, setting.key, severity=Severity.WARNING)


def no_problems(_: JudgedSnippet) -> Iterator[Problem]:
    """The check of a rule that the runner itself reports."""
    return iter(())
