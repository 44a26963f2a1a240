"""Which verdicts on keys a project's own configs and code leave open, or its copy of verl changes.

A release of verl does not know what a project adds to it. `EVIDENCE` is the table of the facts that
count. Rules about values, such as a word that the project's code registers, ask the project itself.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from enum import Enum, auto
from functools import cached_property

from msgspec import Struct
from msgspec.structs import replace

from snippet_checker.hydra.defaults_list import CompositionError
from snippet_checker.hydra.setting import Operator, Setting
from snippet_checker.judge.context import Context
from snippet_checker.judge.own_code import brings_own_code
from snippet_checker.judge.verdict import (
    Accepted,
    AlreadyThere,
    DeadAppend,
    Future,
    Gap,
    LostInCopy,
    Misplaced,
    Missing,
    NeedsPlus,
    OtherChoice,
    OtherProgram,
    Removed,
    Unjudged,
    Unknown,
    UnknownOption,
    Verdict,
)
from snippet_checker.projects.project import Project
from snippet_checker.snippets.snippet import Command, Fragment, Mentions, Snippet
from snippet_checker.suggest import own_keys
from snippet_checker.suggest.key_paths import SHARED_ROOT
from snippet_checker.suggest.likeness import is_slip
from snippet_checker.verl.release import Primary, Release

_HYDRAS_OWN = "hydra"  # the root of its own settings
_SECTIONS = frozenset({"data", "algorithm", "trainer"})  # of every program that trains with RL


class Form(Enum):
    """How settings were judged."""

    COMPOSED = auto()  # a command, by the config that it composes
    FOREIGN = auto()  # a command of which verl composes nothing
    LOOSE = auto()  # without a command, or without knowing its config


class Subject(Struct, frozen=True, dict=True):
    """The snippet whose settings were judged.

    `primary` is the config that a composed command starts from. A loose one that is `named` says
    which program of verl's it is for.
    """

    form: Form
    snippet: Snippet
    release: Release
    context: Context
    primary: Primary | None = None
    named: bool = False

    @property
    def project(self) -> Project:
        return self.context.project

    @property
    def starts_own_program(self) -> bool:
        """Whether it is a command of a program of the project's own."""
        return isinstance(self.snippet, Command) and not self.snippet.starts_verls

    @property
    def is_on_page(self) -> bool:
        """Whether it is a piece of a config in a document."""
        snippet = self.snippet
        return isinstance(snippet, Fragment) and snippet.is_config and not snippet.block.whole_file

    @cached_property
    def shares_config(self) -> bool:
        """Whether it has settings of the section that verl's trainers share."""
        return any(s.key.partition(".")[0] == SHARED_ROOT for s in self.snippet.settings)

    @cached_property
    def chooses_own_option(self) -> bool:
        """Whether it chooses an option that a group has in the project's copy of verl alone."""
        return any(_adds_option(setting, self) for setting in self.snippet.settings)

    @property
    def starts_from(self) -> Primary | None:
        """The config of verl's that a command starts from."""
        return None if self.primary is None or self.primary.is_own else self.primary

    @cached_property
    def verls_configs(self) -> tuple[Primary, ...]:
        """The config of verl's that a command starts from, or those that its own takes in."""
        if self.primary is None or not self.primary.is_own:
            return () if self.primary is None else (self.primary,)
        names: set[str] = set()
        with suppress(CompositionError):  # of an option that is not chosen
            reached = self.release.composer(self.primary).reachable(self.primary.config_name)
            names.update(one.config_path for one in reached)
        return tuple(one for one in self.release.primaries if one.config_name in names)

    @property
    def extends_verls(self) -> bool:
        """Whether it is a part of a project's own config, which may add any key."""
        if not isinstance(self.snippet, Fragment):
            return False
        return self.snippet.package is not None or (
            self.snippet.is_config
            and (
                any(setting.key == "defaults" for setting in self.snippet.settings)
                or is_complete(self.snippet)
                or (self.snippet.block.whole_file and self.project.starts_from_file)
            )
        )


def is_complete(snippet: Snippet) -> bool:
    """Whether a file has most sections of verl's config, so that a program may start from it.

    Settings for verl's own program would leave out what they do not change.
    """
    if not snippet.block.whole_file:
        return False
    roots = {setting.key.partition(".")[0] for setting in snippet.settings}
    return SHARED_ROOT in roots and len(roots & _SECTIONS) == len(_SECTIONS)


class Evidence(Struct, frozen=True):
    """A fact that leaves verdicts of some types, on snippets judged in some `forms`, open.

    `applies` says whether it is so for a key, and `gap` why nothing can be said then.
    """

    verdicts: tuple[type[Verdict], ...]
    forms: tuple[Form, ...]
    applies: Callable[[Verdict, str, Subject], bool]
    gap: Gap


def left_open(verdict: Verdict, key: str, subject: Subject) -> Verdict:
    """The verdict on a full key; where some evidence applies, that nothing can be said."""
    for evidence in EVIDENCE:
        if (
            isinstance(verdict, evidence.verdicts)
            and subject.form in evidence.forms
            and evidence.applies(verdict, key, subject)
        ):
            return Unjudged(verdict.setting, evidence.gap)
    return verdict


def as_copy_judges(verdict: Verdict, subject: Subject) -> Verdict:
    """The verdict on a setting of a command that runs in the project's copy of verl.

    There Hydra refuses a plus for what only the copy's config has, asks for one for what only the
    copy's code reads, and refuses what the copy's config has lost.
    """
    setting, copy, release = verdict.setting, subject.project.verl_copy, subject.release
    primary = subject.starts_from
    if primary is None or not copy.is_run_from(release):
        return verdict
    is_added = setting.sure and setting.operator is Operator.ADD
    if is_added and isinstance(verdict, Accepted | DeadAppend) and not subject.starts_own_program:
        refuses = copy.refuses(setting, primary, release) and not _chooses(subject, primary)
        return AlreadyThere(setting, in_copy=True) if refuses else verdict
    if is_added and isinstance(verdict, AlreadyThere) and _brings_in(setting, primary, subject):
        return Accepted(setting, (setting.key,))
    if isinstance(verdict, Accepted) and _is_lost(setting, primary, subject):
        return LostInCopy(setting)
    is_read = (
        isinstance(verdict, _NEW)
        and not copy.has(setting.key, release)
        and subject.project.code.reads_by_name(setting.key, release)
    )
    if is_read and _takes_field(setting.key, primary, release):
        return NeedsPlus(setting, (setting.key,))
    if not isinstance(verdict, Unknown | Misplaced):
        return verdict
    config = copy.config_of(primary, release)
    keys = config.dotted_keys() if config is not None else ()
    meant = own_keys.meant(setting.key, keys, release)
    return replace(verdict, candidates=(meant,)) if meant is not None else verdict


def _chooses(subject: Subject, primary: Primary) -> bool:
    """Whether a command chooses config groups itself, so that the copy's choices do not hold."""
    composer = subject.release.composer(primary)
    return any(composer.is_group(setting.key) for setting in subject.snippet.settings)


def _is_lost(setting: Setting, primary: Primary, subject: Subject) -> bool:
    """Whether the copy's config has not the key of a setting, and no other setting brings it in."""
    if setting.operator is not Operator.SET or subject.starts_own_program:
        return False
    if setting.package is not None or setting.key.partition(".")[0] == _HYDRAS_OWN:
        return False
    if subject.release.composer(primary).is_group(setting.key) or any(
        other.operator is not Operator.SET and f"{setting.key}.".startswith(f"{other.key}.")
        for other in subject.snippet.settings
    ):
        return False
    chosen = _chosen_options(subject, primary)
    if chosen is None or (chosen and not setting.sure):
        return False  # another branch may choose other groups
    return subject.project.verl_copy.lacks(setting.key, primary, subject.release, chosen)


def _brings_in(setting: Setting, primary: Primary, subject: Subject) -> bool:
    """Whether Hydra takes a plus in the copy, whose config has not what the release's has.

    No other setting of the command brings the key in before.
    """
    keys = [other.key for other in subject.snippet.settings]
    if sum(f"{setting.key}.".startswith(f"{key}.") for key in keys) > 1:
        return False
    chosen = _chosen_options(subject, primary)
    copy = subject.project.verl_copy
    return chosen is not None and copy.lacks(setting.key, primary, subject.release, chosen)


def _chosen_options(subject: Subject, primary: Primary) -> dict[str, str] | None:
    """The options of config groups that a command chooses; None where only a run knows one."""
    composer = subject.release.composer(primary)
    chosen = {
        setting.group_key: setting.value
        for setting in subject.snippet.settings
        if setting.operator is Operator.SET and composer.is_group(setting.key)
    }
    options = {key: value for key, value in chosen.items() if isinstance(value, str)}
    return options if options.keys() == chosen.keys() else None


def _takes_field(key: str, primary: Primary, release: Release) -> bool:
    """Whether no class that verl builds of a config refuses a key that a plus brings in."""
    space = release.space(primary)
    target = release.composed(primary).value(f"{space.nearest(key)}._target_")
    return space.refusing_class(key, target) is None


def _is_declared(_: Verdict, key: str, subject: Subject) -> bool:
    """A class of the project, which is no copy of verl's, declares it."""
    return subject.project.code.declares(key)


def _is_built_into_own_class(_: Verdict, key: str, subject: Subject) -> bool:
    """The mapping around it names a class to be built into, and one of the project's has it."""
    above, leaf = key.rpartition(".")[::2]
    for setting in subject.snippet.settings:
        node, name = setting.key.rpartition(".")[::2]
        is_target = name == "_target_" and f".{above}".endswith(f".{node}")
        if is_target and isinstance(setting.value, str):
            return subject.project.code.class_has_field(setting.value.rpartition(".")[2], leaf)
    return False


def _is_in_own_config(_: Verdict, key: str, subject: Subject) -> bool:
    """A config of the project has it, or ends as it does. Such a config has slips itself."""
    configs = subject.project.configs
    return not subject.extends_verls and configs.has(key, subject.release, shortened=True)


def _is_set_in_own_config(_: Verdict, key: str, subject: Subject) -> bool:
    """A config of the project has that very key, and shares nothing with verl's.

    The project holds no copy of verl, and such a config is judged itself.
    """
    project, snippet, release = subject.project, subject.snippet, subject.release
    is_config = isinstance(snippet, Fragment) and snippet.is_config and snippet.block.whole_file
    is_open = not is_config and not project.verl_copy.is_whole
    configs = project.configs
    return is_open and configs.has(key, release) and not configs.shares(SHARED_ROOT, release)


def _is_in_config_beside(_: Verdict, key: str, subject: Subject) -> bool:
    """It stands on a page, and a config beside that, which shares nothing with verl's, has it."""
    if subject.snippet.block.whole_file or subject.project.verl_copy.is_whole:
        return False
    return "." in key and subject.project.configs.has_beside(key, SHARED_ROOT)


def _is_in_named_file(_: Verdict, key: str, subject: Subject) -> bool:
    """A config, or a script for a program of its own, that a page names has it.

    The project holds no copy of verl.
    """
    project = subject.project
    if subject.snippet.block.whole_file or project.verl_copy.is_whole or "." not in key:
        return False
    return project.named_files.have(key)


def _is_flag(_: Verdict, key: str, subject: Subject) -> bool:
    """The text, or a program of the project, has a flag of that name."""
    is_mention = isinstance(subject.snippet, Mentions)
    return is_mention and subject.project.code.has_flag(key, subject.snippet.block.text)


def _is_own_name(_: Verdict, key: str, subject: Subject) -> bool:
    """Running text says a single name, of a shell variable that it or a script of its sets.

    Or a class or config of the project's own has it. Then the project holds no copy of verl, and
    the config shares nothing with verl's.
    """
    project = subject.project
    if not isinstance(subject.snippet, Mentions) or "." in key:
        return False
    if project.named_files.set_variable(key):
        return True
    if project.verl_copy.is_whole:
        return False
    code = project.code
    is_own = code.has_field(key) or project.configs.has_name(key, SHARED_ROOT)
    return is_own or (code.has_parameter(key) and not is_slip(key, subject.release))


def _is_added(_: Verdict, key: str, subject: Subject) -> bool:
    """The config that it stands in is the project's own, and it is no slip.

    What lies in a mapping that no release has is no slip of verl's.
    """
    release = subject.release
    is_inside = key.rpartition(".")[0].count(".") > 1 and not _has_mapping(key, release)
    return subject.extends_verls and (is_inside or not is_slip(key, release))


def _has_mapping(key: str, release: Release) -> bool:
    """Whether the mapping around a key is one of verl's, or a slip of one."""
    above = key.rpartition(".")[0]
    return above in release.all_keys or is_slip(above, release)


def _is_anothers(_: Verdict, key: str, subject: Subject) -> bool:
    """The document starts other programs, whose it may be, and it is no slip."""
    may_be = subject.context.starts_other_programs and not subject.named
    return may_be and not is_slip(key, subject.release)


def _is_appended_by_script(_: Verdict, key: str, subject: Subject) -> bool:
    """It stands behind the name of a script of the project, which puts it in with a plus."""
    snippet = subject.snippet
    is_words = isinstance(snippet, Fragment) and not snippet.is_config
    return is_words and subject.project.named_files.append(key, snippet.block.text)


def _is_in_anothers_mapping(_: Verdict, key: str, subject: Subject) -> bool:
    """The document starts other programs, and no config of verl's has the mapping around it.

    A setting without a command may be one for such a program, whose config has the mapping.
    """
    if not subject.context.starts_other_programs or subject.named:
        return False
    above = key.rpartition(".")[0]
    is_fragment = isinstance(subject.snippet, Fragment)
    return is_fragment and not any(
        one == above or one.startswith(f"{above}.") for one in subject.release.keys
    )


def _is_in_copy(_: Verdict, key: str, subject: Subject) -> bool:
    """The project's copy of verl has it in its configs; a page may name the end of it."""
    is_shortened = isinstance(subject.snippet, Mentions) or subject.is_on_page
    return subject.project.verl_copy.has(key, subject.release, shortened=is_shortened)


def _is_read_by_name(_: Verdict, key: str, subject: Subject) -> bool:
    """Code around a copy of verl reads it by its last two names. Hydra stops a command before."""
    is_command = isinstance(subject.snippet, Command)
    return not is_command and subject.project.code.reads_by_name(key, subject.release)


def _is_new_and_read(_: Verdict, key: str, subject: Subject) -> bool:
    """Code of a project without a copy of verl reads it, by a name that verl has nowhere.

    No class that verl builds of a config that goes to it refuses the key before.
    """
    code, release = subject.project.code, subject.release
    refuses = subject.shares_config and any(
        space.refusing_class(key) is not None for space in release.spaces
    )
    return not refuses and not is_slip(key, release) and code.adds(key, release)


def _is_own_trainers(_: Verdict, key: str, subject: Subject) -> bool:
    """It stands in a config that shares nothing with verl's, and the project's code reads it."""
    snippet = subject.snippet
    if not (isinstance(snippet, Fragment) and snippet.is_config and snippet.block.whole_file):
        return False
    return not subject.shares_config and subject.project.code.keeps(key, subject.release)


def _is_kept_by_own(_: Verdict, key: str, subject: Subject) -> bool:
    """It stands in a config of the project's own, whose code reads it as verl once did."""
    return subject.extends_verls and subject.project.code.keeps(key, subject.release)


def _is_own_programs(_: Verdict, __: str, subject: Subject) -> bool:
    """Only programs that import nothing of verl's start from the config, nor has that any of it."""
    snippet = subject.snippet
    if not (isinstance(snippet, Fragment) and snippet.is_config and snippet.block.whole_file):
        return False
    takes_in = any(setting.key == "defaults" for setting in snippet.settings)
    if takes_in or subject.shares_config or not subject.project.starts_from_file:
        return False
    return not subject.project.hands_file_to_verl


def is_left_behind(key: str, subject: Subject) -> bool:
    """Whether a command of verl's own program sets a key that only a copy which stays behind reads.

    Code beside that copy may read it as well. On the newer release nothing hands it the config,
    unless the command names code of its own.
    """
    project, release = subject.project, subject.release
    if not project.verl_copy.stays_behind or not isinstance(subject.snippet, Command):
        return False
    if subject.starts_own_program or key in release.all_keys:
        return False
    is_handed_on = brings_own_code(subject.snippet) and project.code.reads(key, release)
    return not is_handed_on and project.has_left_behind(key, release)


def _is_read(verdict: Verdict, key: str, subject: Subject) -> bool:
    """Code around a copy of verl reads it or what holds it, or gave it to the class.

    A program of the project's own may read it, and take it away before verl's class sees it.
    """
    assert isinstance(verdict, DeadAppend)
    if is_left_behind(key, subject):
        return False
    code = subject.project.code
    refused_by = None if subject.starts_own_program else verdict.refused_by
    return code.reads(key, subject.release, refused_by) or (
        refused_by is None and code.hands_on(key, subject.release)
    )


def _is_kept(_: Verdict, key: str, subject: Subject) -> bool:
    """A copy of verl about as old as the release still has it."""
    return subject.starts_from is None and subject.project.verl_copy.keeps(key, subject.release)


def _is_in_copied_config(verdict: Verdict, key: str, subject: Subject) -> bool:
    """The copy of verl has it in its own form of a config that the command composes.

    What only another choice of the copy's groups would bring, Hydra refuses there as well.
    """
    copy, primary = subject.project.verl_copy, subject.starts_from
    if isinstance(verdict, OtherChoice) and primary is not None:
        options = _chosen_options(subject, primary)
        return options is None or copy.composes(key, primary, subject.release, options)
    return any(copy.brings(key, one, subject.release) for one in subject.verls_configs)


def _is_not_in_copied_config(_: Verdict, key: str, subject: Subject) -> bool:
    """A config of its own takes in one of the copy's, which has not what the release's has."""
    copy, release = subject.project.verl_copy, subject.release
    if subject.primary is None or not subject.primary.is_own or not copy.is_run_from(release):
        return False
    taken_in = subject.verls_configs
    return bool(taken_in) and all(copy.lacks(key, one, release, {}) for one in taken_in)


def _is_own_option(verdict: Verdict, _: str, subject: Subject) -> bool:
    """It chooses an option that a config group has in the project's copy of verl alone."""
    return _adds_option(verdict.setting, subject)


def _is_below_own_option(_: Verdict, key: str, subject: Subject) -> bool:
    """The command chooses such an option, so that only the copy knows the config; it is no slip."""
    return subject.chooses_own_option and not is_slip(key, subject.release)


def _adds_option(setting: Setting, subject: Subject) -> bool:
    primary, release = subject.starts_from, subject.release
    if primary is None or not isinstance(setting.value, str):
        return False
    if not release.composer(primary).is_group(setting.key):
        return False
    copy = subject.project.verl_copy
    return copy.adds_option(setting.group_key, setting.value, primary, release)


def _is_in_foreign_config(_: Verdict, key: str, subject: Subject) -> bool:
    """A config of the project has it, from which a program that is not verl's may start."""
    return subject.project.configs.has(key, subject.release)


_NEW = (Unknown, Misplaced, Future)  # to every release up to this one
_KNOWN = (Removed, NeedsPlus, OtherChoice, OtherProgram)  # to some release or program
_ANY = (Form.COMPOSED, Form.LOOSE)

EVIDENCE = (
    Evidence((*_NEW, Removed), (Form.LOOSE,), _is_declared, Gap.OWN_KEY),
    Evidence((*_NEW, Removed), (Form.LOOSE,), _is_built_into_own_class, Gap.OWN_KEY),
    Evidence(_NEW, (Form.LOOSE,), _is_in_own_config, Gap.OWN_KEY),
    Evidence((Removed, NeedsPlus), (Form.LOOSE,), _is_set_in_own_config, Gap.OWN_KEY),
    Evidence(_NEW, (Form.LOOSE,), _is_in_config_beside, Gap.OWN_KEY),
    Evidence((*_NEW, Removed), (Form.LOOSE,), _is_in_named_file, Gap.OWN_KEY),
    Evidence(_NEW, (Form.LOOSE,), _is_flag, Gap.OTHER_PROGRAM),
    Evidence(_NEW, (Form.LOOSE,), _is_own_name, Gap.OWN_KEY),
    Evidence(_NEW, (Form.LOOSE,), _is_added, Gap.OWN_KEY),
    Evidence(_NEW, (Form.LOOSE,), _is_anothers, Gap.OTHER_PROGRAM),
    Evidence((*_NEW, NeedsPlus), (Form.LOOSE,), _is_appended_by_script, Gap.OWN_KEY),
    Evidence((NeedsPlus,), (Form.LOOSE,), _is_in_anothers_mapping, Gap.OTHER_PROGRAM),
    Evidence(_NEW, (Form.LOOSE,), _is_new_and_read, Gap.OWN_KEY),
    Evidence((Removed,), (Form.LOOSE,), _is_kept_by_own, Gap.OWN_KEY),
    Evidence((*_NEW, Removed), (Form.LOOSE,), _is_own_trainers, Gap.OWN_KEY),
    Evidence((*_NEW, *_KNOWN), (Form.LOOSE,), _is_own_programs, Gap.OWN_KEY),
    Evidence(_NEW, _ANY, _is_in_copy, Gap.OWN_KEY),
    Evidence(_NEW, _ANY, _is_read_by_name, Gap.OWN_KEY),
    Evidence((DeadAppend,), _ANY, _is_read, Gap.OWN_KEY),
    Evidence((Removed,), _ANY, _is_kept, Gap.OWN_KEY),
    Evidence(_KNOWN, (Form.COMPOSED,), _is_in_copied_config, Gap.OWN_KEY),
    Evidence((AlreadyThere,), (Form.COMPOSED,), _is_not_in_copied_config, Gap.OWN_KEY),
    Evidence((UnknownOption,), (Form.COMPOSED,), _is_own_option, Gap.OWN_KEY),
    Evidence((DeadAppend, *_NEW, *_KNOWN), (Form.COMPOSED,), _is_below_own_option, Gap.OWN_KEY),
    Evidence((Missing,), (Form.FOREIGN,), _is_in_foreign_config, Gap.OTHER_PROGRAM),
)
"""The first one that applies decides."""
