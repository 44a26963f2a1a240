"""Which verdicts on keys a project's own configs and code leave open.

A release of verl does not know what a project adds to it. `EVIDENCE` is the table of the facts that
count. Rules about values, such as a word that the project's code registers, ask the project itself.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from snippet_checker.judge.own_code import brings_own_code
from snippet_checker.judge.subject import Basis, Subject
from snippet_checker.judge.verdict import (
    NEW,
    AlreadyThere,
    DeadAppend,
    Gap,
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
from snippet_checker.snippets.snippet import Command, Fragment, Mentions
from snippet_checker.suggest.key_paths import SHARED_ROOT
from snippet_checker.suggest.likeness import is_misspelled, near_siblings
from snippet_checker.verl import drift
from snippet_checker.verl.release import Release, releases

_SEVERAL = 3  # keys that are no slips of one section


class Evidence(Struct, frozen=True):
    """A fact that leaves verdicts of some types, on snippets judged in some `bases`, open.

    `applies` says whether it is so for a key, and `gap` why nothing can be said then.
    """

    verdicts: tuple[type[Verdict], ...]
    bases: tuple[Basis, ...]
    applies: Callable[[Verdict, str, Subject], bool]
    gap: Gap


def apply_evidence(verdict: Verdict, key: str, subject: Subject) -> Verdict:
    """The verdict on a full key; where some evidence applies, that nothing can be said."""
    for evidence in EVIDENCE:
        if (
            isinstance(verdict, evidence.verdicts)
            and subject.basis in evidence.bases
            and evidence.applies(verdict, key, subject)
        ):
            return Unjudged(verdict.setting, evidence.gap)
    return verdict


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
    """A config of the project has it, or ends so. Such a config has misspelled keys itself."""
    configs = subject.project.configs
    return not subject.extends_verls and configs.has(key, subject.release, shortened=True)


def _is_set_in_own_config(_: Verdict, key: str, subject: Subject) -> bool:
    """A config of the project has that very key, and shares nothing with verl's.

    The project holds no copy of verl, and such a config is judged itself.
    """
    project, snippet, release = subject.project, subject.snippet, subject.release
    is_open = not snippet.is_config_file and not project.verl_copy.is_whole
    configs = project.configs
    return is_open and configs.has(key, release) and not configs.shares(SHARED_ROOT, release)


def _is_added_by_own_config(_: Verdict, key: str, subject: Subject) -> bool:
    """A config of the project that takes in verl's, from which a command may start, has it."""
    is_config = subject.snippet.is_config_file
    return not is_config and subject.project.configs.adds(key, subject.release)


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


def _is_named_in_code(_: Verdict, key: str, subject: Subject) -> bool:
    """Running text names a whole key of three parts, as code of the project does in a message."""
    if not isinstance(subject.snippet, Mentions) or key.count(".") < 2 or "*" in key:
        return False
    return not is_misspelled(key, subject.release) and subject.project.code.names_key(key)


def _names_own_group(_: Verdict, key: str, subject: Subject) -> bool:
    """Running text names keys with `*`, and a config or a class of the project's own has such.

    The project holds no copy of verl.
    """
    project, release = subject.project, subject.release
    if not isinstance(subject.snippet, Mentions) or "*" not in key or project.verl_copy.is_whole:
        return False
    name = key.removesuffix(".*").rpartition(".")[2]
    is_declared = name not in release.by_leaf and project.code.has_field(name)
    return is_declared or project.configs.has_like(key, release)


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
    return is_own or (code.has_parameter(key) and not is_misspelled(key, subject.release))


def _is_added(_: Verdict, key: str, subject: Subject) -> bool:
    """The config that it stands in is the project's own, and it is not misspelled.

    What lies in a mapping that no release has is no misspelling of verl's.
    """
    release = subject.release
    is_inside = key.rpartition(".")[0].count(".") > 1 and not _has_mapping(key, release)
    return subject.extends_verls and (is_inside or not _is_misspelled_here(key, subject))


def _is_misspelled_here(key: str, subject: Subject) -> bool:
    """Whether a key is misspelled, and not for a real one that the same snippet has beside it."""
    if not is_misspelled(key, subject.release):
        return False
    if drift.find(key) is not None:
        return True
    names = [f".{setting.key}." for setting in subject.snippet.settings]
    return not all(
        any(f".{real}." in name or name.startswith(f".{real}.") for name in names)
        for real in near_siblings(key, subject.release)
    )


def _has_mapping(key: str, release: Release) -> bool:
    """Whether the mapping around a key is one of verl's, or a misspelling of one."""
    above = key.rpartition(".")[0]
    return above in release.all_keys or is_misspelled(above, release)


def _is_in_own_section(_: Verdict, key: str, subject: Subject) -> bool:
    """It stands in a config file, in a section that verl has not there, and is no slip.

    Most keys there end as none of verl's do, so that code of the project's own makes verl's of it.
    """
    release, (root, dot, _rest) = subject.release, key.partition(".")
    if not dot or not subject.snippet.is_config_file or root in release.roots:
        return False
    keys = {one.key for one in subject.snippet.settings if one.key.startswith(f"{root}.")}
    others = sum(not release.expand(one) for one in keys)
    if others < _SEVERAL or 2 * others <= len(keys):
        return False
    above, leaf = key.rpartition(".")[::2]
    return not any(any(near_siblings(f"{one}.{leaf}", release)) for one in release.expand(above))


def _is_anothers(_: Verdict, key: str, subject: Subject) -> bool:
    """The document starts other programs, whose it may be, and it is not misspelled."""
    may_be = subject.context.starts_other_programs and not subject.names_program
    return may_be and not is_misspelled(key, subject.release)


def _is_appended_by_script(_: Verdict, key: str, subject: Subject) -> bool:
    """It stands behind the name of a script of the project, which puts it in with a plus."""
    snippet = subject.snippet
    is_words = isinstance(snippet, Fragment) and not snippet.is_config
    return is_words and subject.project.named_files.append(key, snippet.block.text)


def _is_handed_to_another(_: Verdict, key: str, subject: Subject) -> bool:
    """Scripts of the project hand it on to a program that is none of verl's: no slip, that is."""
    snippet = subject.snippet
    is_words = isinstance(snippet, Fragment) and not snippet.is_config
    if not is_words or is_misspelled(key, subject.release):
        return False
    return subject.project.named_files.hand_on_to_others(snippet.block.text)


def _is_in_anothers_mapping(_: Verdict, key: str, subject: Subject) -> bool:
    """The document starts other programs, and no config of verl's has the mapping around it.

    A setting without a command may be one for such a program, whose config has the mapping.
    """
    if not subject.context.starts_other_programs or subject.names_program:
        return False
    above = key.rpartition(".")[0]
    is_fragment = isinstance(subject.snippet, Fragment)
    return is_fragment and not any(
        one == above or one.startswith(f"{above}.") for one in subject.release.keys
    )


def _is_in_copy(_: Verdict, key: str, subject: Subject) -> bool:
    """The project's copy of verl has it in its configs; a page may name the end of it."""
    is_shortened = isinstance(subject.snippet, Mentions) or subject.is_on_page
    return subject.project.copy_configs.adds_key(key, subject.release, shortened=is_shortened)


def _is_taken_by_copy(_: Verdict, key: str, subject: Subject) -> bool:
    """A command runs in the project's copy of verl, whose configs have it, or a mapping for it.

    Hydra appends to a mapping, and to what is null.
    """
    project, release = subject.project, subject.release
    is_run_from = project.verl_copy.is_run_from(release)
    return is_run_from and project.copy_configs.adds_key_or_mapping(key, release)


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
    return not refuses and not is_misspelled(key, release) and code.reads_new_key(key, release)


def _is_read_on_page(_: Verdict, key: str, subject: Subject) -> bool:
    """Code that the page, or one beside a script, shows takes it out of the mapping that holds it.

    Such a page tells how to change verl's code, or what a changed one has.
    """
    above, leaf = key.rpartition(".")[::2]
    read = (above.rpartition(".")[2], leaf)
    if read not in subject.context.reads and read not in subject.project.reads_of_page:
        return False
    return leaf not in subject.release.by_leaf and not is_misspelled(key, subject.release)


def _is_in_missing_part(_: Verdict, key: str, subject: Subject) -> bool:
    """The copy's config takes in a file for it that is not there, and it is not misspelled."""
    primary, release = subject.starts_from, subject.release
    if primary is None or is_misspelled(key, release):
        return False
    return subject.project.copy_configs.misses_file_for(key, primary, release)


def _may_be_forks(_: Verdict, key: str, subject: Subject) -> bool:
    """The project's verl is a fork that is not here, and the key is not misspelled."""
    return not is_misspelled(key, subject.release) and subject.project.has_unseen_fork


def _is_of_a_commit(_: Verdict, key: str, subject: Subject) -> bool:
    """The project's verl is one of any age, and commits between two releases had the key."""
    return subject.project.age_is_open and drift.was_unreleased(key)


def _is_own_trainers(_: Verdict, key: str, subject: Subject) -> bool:
    """It stands in a config that shares nothing with verl's, and the project's code reads it."""
    snippet = subject.snippet
    if not snippet.is_config_file:
        return False
    return not subject.shares_config and subject.project.code.reads_former_key(key, subject.release)


def _is_kept_by_own(_: Verdict, key: str, subject: Subject) -> bool:
    """It stands in a config of the project's own, whose code reads it as verl once did."""
    return subject.extends_verls and subject.project.code.reads_former_key(key, subject.release)


def _is_own_programs(_: Verdict, __: str, subject: Subject) -> bool:
    """Only programs that import nothing of verl's start from the config, nor has that any of it."""
    snippet = subject.snippet
    if not snippet.is_config_file:
        return False
    takes_in = any(setting.key == "defaults" for setting in snippet.settings)
    if takes_in or subject.shares_config or not subject.project.starts_from_file:
        return False
    return not subject.project.hands_file_to_verl


def is_only_in_outdated_copy(key: str, subject: Subject) -> bool:
    """Whether a command of verl's own program sets a key that only an outdated copy reads.

    Code beside that copy may read it as well. On the newer release nothing hands it the config,
    unless the command names code of its own.
    """
    project, release = subject.project, subject.release
    if not project.verl_copy.is_outdated or not isinstance(subject.snippet, Command):
        return False
    if subject.snippet.starts_project_program or key in release.all_keys:
        return False
    reaches_own_code = brings_own_code(subject.snippet) and project.code.reads(key, release)
    return not reaches_own_code and project.is_of_outdated_copy(key, release)


def _is_read(verdict: Verdict, key: str, subject: Subject) -> bool:
    """Code around a copy of verl reads it or what holds it, or gave it to the class.

    A program of the project's own may read it, and take it away before verl's class sees it.
    """
    assert isinstance(verdict, DeadAppend)
    if is_only_in_outdated_copy(key, subject):
        return False
    code = subject.project.code
    refused_by = None if subject.snippet.starts_project_program else verdict.refused_by
    return code.reads(key, subject.release, refused_by) or (
        refused_by is None and code.reads_new_mapping(key, subject.release)
    )


def _is_kept(_: Verdict, key: str, subject: Subject) -> bool:
    """A copy of verl about as old as the release still has it."""
    return subject.starts_from is None and subject.project.copy_configs.still_has(
        key, subject.release
    )


def _is_written_out(verdict: Verdict, _: str, subject: Subject) -> bool:
    """The file is a whole config, written out between two releases, and the earlier one has it."""
    assert isinstance(verdict, Removed)
    if not subject.snippet.block.whole_file:
        return False
    if subject.project.written_out_for != subject.release.name:
        return False  # another one is asked for, such as the one to move to
    names = list(releases())
    return names.index(subject.release.name) - names.index(verdict.last) == 1


def _is_in_copied_config(verdict: Verdict, key: str, subject: Subject) -> bool:
    """The copy of verl has it in its own form of a config that the command composes.

    What only another choice of the copy's groups would bring, Hydra refuses there as well.
    """
    copy, primary = subject.project.copy_configs, subject.starts_from
    if isinstance(verdict, OtherChoice) and primary is not None:
        options = subject.chosen_options(primary)
        return options is None or copy.config_has_key(key, primary, subject.release, options)
    return any(copy.config_adds_key(key, one, subject.release) for one in subject.verls_configs)


def _is_not_in_copied_config(_: Verdict, key: str, subject: Subject) -> bool:
    """A config of its own takes in one of the copy's, which has not what the release's has."""
    copy, release = subject.project.copy_configs, subject.release
    if subject.primary is None or not subject.primary.is_project_config:
        return False
    taken_in = subject.verls_configs if subject.project.verl_copy.is_run_from(release) else ()
    return bool(taken_in) and all(copy.config_lacks_key(key, one, release, {}) for one in taken_in)


def _is_own_option(verdict: Verdict, _: str, subject: Subject) -> bool:
    """It chooses an option that a config group has in the project's copy of verl alone."""
    return subject.adds_option(verdict.setting)


def _is_below_own_option(_: Verdict, key: str, subject: Subject) -> bool:
    """The command chooses such an option, which only the copy knows, and it is not misspelled."""
    return subject.chooses_own_option and not is_misspelled(key, subject.release)


def _is_in_foreign_config(_: Verdict, key: str, subject: Subject) -> bool:
    """A config of the project has it, from which a program that is not verl's may start."""
    return subject.project.configs.has(key, subject.release)


_KNOWN = (Removed, NeedsPlus, OtherChoice, OtherProgram)  # to some release or program
_ANY = (Basis.COMPOSED, Basis.LOOSE)

EVIDENCE = (
    Evidence((*NEW, Removed), (Basis.LOOSE,), _is_declared, Gap.OWN_KEY),
    Evidence((*NEW, Removed), (Basis.LOOSE,), _is_built_into_own_class, Gap.OWN_KEY),
    Evidence(NEW, (Basis.LOOSE,), _is_in_own_config, Gap.OWN_KEY),
    Evidence((Removed, NeedsPlus), (Basis.LOOSE,), _is_set_in_own_config, Gap.OWN_KEY),
    Evidence((NeedsPlus,), (Basis.LOOSE,), _is_added_by_own_config, Gap.OWN_KEY),
    Evidence(NEW, (Basis.LOOSE,), _is_in_config_beside, Gap.OWN_KEY),
    Evidence((*NEW, Removed), (Basis.LOOSE,), _is_in_named_file, Gap.OWN_KEY),
    Evidence((Unknown,), (Basis.LOOSE,), _is_named_in_code, Gap.OWN_KEY),
    Evidence((Unknown,), (Basis.LOOSE,), _names_own_group, Gap.OWN_KEY),
    Evidence(NEW, (Basis.LOOSE,), _is_flag, Gap.OTHER_PROGRAM),
    Evidence(NEW, (Basis.LOOSE,), _is_own_name, Gap.OWN_KEY),
    Evidence(NEW, (Basis.LOOSE,), _is_added, Gap.OWN_KEY),
    Evidence(NEW, (Basis.LOOSE,), _is_in_own_section, Gap.OWN_KEY),
    Evidence(NEW, (Basis.LOOSE,), _is_anothers, Gap.OTHER_PROGRAM),
    Evidence((*NEW, NeedsPlus), (Basis.LOOSE,), _is_appended_by_script, Gap.OWN_KEY),
    Evidence((*NEW, NeedsPlus), (Basis.LOOSE,), _is_handed_to_another, Gap.OTHER_PROGRAM),
    Evidence((NeedsPlus,), (Basis.LOOSE,), _is_in_anothers_mapping, Gap.OTHER_PROGRAM),
    Evidence(NEW, (Basis.LOOSE,), _is_new_and_read, Gap.OWN_KEY),
    Evidence((Removed,), (Basis.LOOSE,), _is_kept_by_own, Gap.OWN_KEY),
    Evidence((*NEW, Removed), (Basis.LOOSE,), _is_own_trainers, Gap.OWN_KEY),
    Evidence((*NEW, *_KNOWN), (Basis.LOOSE,), _is_own_programs, Gap.OWN_KEY),
    Evidence(NEW, _ANY, _is_read_on_page, Gap.OWN_KEY),
    Evidence((*NEW, NeedsPlus, DeadAppend), _ANY, _may_be_forks, Gap.OWN_KEY),
    Evidence((*NEW, NeedsPlus), _ANY, _is_of_a_commit, Gap.OWN_KEY),
    Evidence((*NEW, NeedsPlus), (Basis.COMPOSED,), _is_in_missing_part, Gap.OWN_KEY),
    Evidence(NEW, _ANY, _is_in_copy, Gap.OWN_KEY),
    Evidence(NEW, _ANY, _is_read_by_name, Gap.OWN_KEY),
    Evidence((DeadAppend,), _ANY, _is_read, Gap.OWN_KEY),
    Evidence((DeadAppend,), (Basis.COMPOSED,), _is_taken_by_copy, Gap.OWN_KEY),
    Evidence((Removed,), _ANY, _is_kept, Gap.OWN_KEY),
    Evidence((Removed,), (Basis.LOOSE,), _is_written_out, Gap.OWN_KEY),
    Evidence(_KNOWN, (Basis.COMPOSED,), _is_in_copied_config, Gap.OWN_KEY),
    Evidence((AlreadyThere,), (Basis.COMPOSED,), _is_not_in_copied_config, Gap.OWN_KEY),
    Evidence((UnknownOption,), (Basis.COMPOSED,), _is_own_option, Gap.OWN_KEY),
    Evidence((DeadAppend, *NEW, *_KNOWN), (Basis.COMPOSED,), _is_below_own_option, Gap.OWN_KEY),
    Evidence((Missing,), (Basis.FOREIGN,), _is_in_foreign_config, Gap.OTHER_PROGRAM),
)
"""The first one that applies decides."""
