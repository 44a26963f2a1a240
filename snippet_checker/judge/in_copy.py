"""What a command meets that runs in the project's copy of verl."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from snippet_checker.hydra.composed_config import ComposedConfig
from snippet_checker.hydra.setting import Operator, Setting
from snippet_checker.judge.subject import Subject
from snippet_checker.judge.verdict import (
    NEW,
    Accepted,
    AlreadyThere,
    DeadAppend,
    LostInCopy,
    Misplaced,
    NeedsPlus,
    Unknown,
    Verdict,
)
from snippet_checker.suggest import own_keys
from snippet_checker.suggest.candidates import suggest
from snippet_checker.suggest.key_paths import KeyPath
from snippet_checker.suggest.likeness import is_misspelled
from snippet_checker.verl.release import Primary, Release, load, releases

_NEXT = 2  # later releases that a copy may lie before
_HYDRAS_OWN = "hydra"  # the root of its own settings


def adjusted_to_copy(verdict: Verdict, subject: Subject) -> Verdict:
    """The verdict on a setting of a command that runs in the project's copy of verl.

    There Hydra refuses a plus for what only the copy's config has, asks for one for what only the
    copy's code reads, and refuses what the copy's config has lost.
    """
    primary = subject.primary
    if primary is not None and primary.is_project_config:
        return _as_code_reads(_as_taken_in(verdict, subject), primary, subject)
    if primary is None:
        return verdict
    if not subject.project.verl_copy.is_run_from(subject.release):
        return _as_code_reads(verdict, primary, subject)
    adjusted = _new_to_release if isinstance(verdict, NEW) else _known_to_release
    return adjusted(verdict, primary, subject)


def _known_to_release(verdict: Verdict, primary: Primary, subject: Subject) -> Verdict:
    """The verdict in the copy on a key that the release has, or lets a plus bring in."""
    setting, copy = verdict.setting, subject.project.copy_configs
    is_added = _is_surely_added(setting, subject)
    if (
        is_added
        and isinstance(verdict, Accepted | DeadAppend)
        and not subject.snippet.starts_project_program
    ):
        is_there = copy.refuses_plus(setting, primary, subject.release)
        refuses = is_there and not _chooses(subject, primary)
        return AlreadyThere(setting, in_copy=True) if refuses else verdict
    if is_added and isinstance(verdict, AlreadyThere) and _brings_in(setting, primary, subject):
        return Accepted(setting, (setting.key,))
    if isinstance(verdict, Accepted) and _is_lost(setting, primary, subject):
        return LostInCopy(setting)
    return verdict


def _new_to_release(verdict: Verdict, primary: Primary, subject: Subject) -> Verdict:
    """The verdict in the copy on a key that neither the release nor an earlier one has."""
    setting, copy, release = verdict.setting, subject.project.copy_configs, subject.release
    is_read = not copy.adds_key(setting.key, release) and _is_read_by_code(
        setting, primary, subject
    )
    if is_read and _takes_field(setting.key, primary, release):
        return NeedsPlus(setting, (setting.key,))
    config = copy.composed_config(primary, release)
    if config is not None and _is_new_in_empty(setting, config, subject):
        return NeedsPlus(setting, (setting.key,))
    if not isinstance(verdict, Unknown | Misplaced):
        return verdict
    keys = tuple(config.dotted_keys()) if config is not None else ()
    meant = own_keys.closest_own_key(setting.key, keys, release)
    meant = meant or _meant_later(setting, keys, release)
    return replace(verdict, candidates=(meant,)) if meant is not None else verdict


def _meant_later(setting: Setting, keys: Iterable[str], release: Release) -> str | None:
    """What a key was meant to be of what the copy has already, and a later release only.

    `val_temperature` is `val_kwargs.temperature` in a copy between 0.2.0 and 0.3.0.
    """
    name, new = KeyPath.of(setting.key).name, frozenset(keys) - release.all_keys
    if all(name.isdisjoint(KeyPath.of(key).name) for key in new):
        return None
    names = releases()
    for later in names[names.index(release.name) + 1 :][:_NEXT]:
        best = next(iter(suggest(setting.key, load(later), keys, setting.value)), None)
        if best in new:
            return best
    return None


def _is_surely_added(setting: Setting, subject: Subject) -> bool:
    """Whether a plus is there in each run, though perhaps with another value.

    A branch may decide about an argument, and a default about a value: `+a=${A:-1}`. What stands
    on a line of the command itself is there in any case.
    """
    return setting.operator is Operator.ADD and (setting.sure or subject.begins_line(setting))


def _as_taken_in(verdict: Verdict, subject: Subject) -> Verdict:
    """The verdict on a setting of a command whose own config takes in one of the copy's.

    Whatever program it is, Hydra refuses a plus for what the copy's config has.
    """
    setting, project, release = verdict.setting, subject.project, subject.release
    is_added = _is_surely_added(setting, subject)
    if not (is_added and isinstance(verdict, Accepted | DeadAppend)):
        return verdict
    if not project.verl_copy.is_run_from(release):
        return verdict
    for taken_in in subject.verls_configs_at_root:
        refuses = project.copy_configs.refuses_plus(setting, taken_in, release)
        if refuses and not _chooses_otherwise(subject, taken_in):
            return AlreadyThere(setting, in_copy=True)
    return verdict


def _as_code_reads(verdict: Verdict, primary: Primary, subject: Subject) -> Verdict:
    """The verdict on a setting whose key code of the project's own may read.

    The project has no copy of verl, or the program starts from a config of the project's own.
    """
    setting, release = verdict.setting, subject.release
    if not isinstance(verdict, Unknown | Misplaced) or setting.operator is not Operator.SET:
        return verdict
    key, code = setting.key, subject.project.code
    if primary.is_project_config:
        keys = release.composed(primary).dotted_keys()
        if own_keys.closest_own_key(key, keys, release) is not None:
            return verdict
    if is_misspelled(key, release) or is_misspelled(key.rpartition(".")[0], release):
        return verdict
    is_read = code.reads_new_key(key, release) or code.reads_key_of_new_mapping(key, release)
    is_read = is_read or code.reads_by_name(key, release)
    if is_read and _takes_field(setting.key, primary, release):
        return NeedsPlus(setting, (setting.key,))
    return verdict


def _is_read_by_code(setting: Setting, primary: Primary, subject: Subject) -> bool:
    """Whether code around a copy of verl reads a key, by a name that no config has.

    Or by any, where the code calls the mapping around it as the key does.
    """
    key, code, release = setting.key, subject.project.code, subject.release
    if code.reads_by_name(key, release):
        return True
    is_new = setting.operator is Operator.SET and key.rpartition(".")[2] not in release.by_leaf
    if not is_new or is_misspelled(key, release):
        return False
    config = subject.project.copy_configs.composed_config(primary, release)
    keys = config.dotted_keys() if config is not None else ()
    return own_keys.closest_own_key(key, keys, release) is None and code.reads(key, release)


def _is_new_in_empty(setting: Setting, config: ComposedConfig, subject: Subject) -> bool:
    """Whether the copy's config has an empty mapping for a key: only a plus brings it in."""
    if setting.operator is not Operator.SET or subject.snippet.starts_project_program:
        return False
    return config.value(setting.key.rpartition(".")[0]) == {} and not _is_brought_in(
        setting.key, subject
    )


def _is_brought_in(key: str, subject: Subject) -> bool:
    """Whether another setting of the command brings in a key, or what it lies in."""
    return any(
        other.operator is not Operator.SET and f"{key}.".startswith(f"{other.key}.")
        for other in subject.snippet.settings
    )


def _chooses(subject: Subject, primary: Primary) -> bool:
    """Whether a command chooses config groups itself, so that the copy's choices do not hold."""
    composer = subject.release.composer(primary)
    return any(composer.is_group(setting.key) for setting in subject.snippet.settings)


def _chooses_otherwise(subject: Subject, taken_in: Primary) -> bool:
    """Whether a command, or the config of a project's own that it starts from, chooses groups.

    That config has `taken_in` verl's, which makes choices itself.
    """
    own, release = subject.primary, subject.release
    if own is None or _chooses(subject, own):
        return True
    theirs = release.composer(taken_in).group_keys(taken_in.config_name)
    chosen = release.composer(own).group_keys(own.config_name)
    return any(chosen.get(group) != option for group, option in theirs.items())


def _is_lost(setting: Setting, primary: Primary, subject: Subject) -> bool:
    """Whether the copy's config has not the key of a setting, and no other setting brings it in."""
    if setting.operator is not Operator.SET or subject.snippet.starts_project_program:
        return False
    if setting.package is not None or setting.key.partition(".")[0] == _HYDRAS_OWN:
        return False
    is_group = subject.release.composer(primary).is_group(setting.key)
    if is_group or _is_brought_in(setting.key, subject):
        return False
    chosen = subject.chosen_options(primary)
    if chosen is None or (chosen and not setting.sure):
        return False  # another branch may choose other groups
    return subject.project.copy_configs.config_lacks_key(
        setting.key, primary, subject.release, chosen
    )


def _brings_in(setting: Setting, primary: Primary, subject: Subject) -> bool:
    """Whether Hydra takes a plus in the copy, whose config has not what the release's has.

    No other setting of the command brings the key in before.
    """
    keys = [other.key for other in subject.snippet.settings]
    if sum(f"{setting.key}.".startswith(f"{key}.") for key in keys) > 1:
        return False
    chosen = subject.chosen_options(primary)
    copy = subject.project.copy_configs
    return chosen is not None and copy.config_lacks_key(
        setting.key, primary, subject.release, chosen
    )


def _takes_field(key: str, primary: Primary, release: Release) -> bool:
    """Whether no class that verl builds of a config refuses a key that a plus brings in."""
    return release.space(primary).refusing_class(key, release.composed(primary)) is None
