"""The copy of verl's package that a project may hold: a fork, or a clone with changes.

What it added is the project's own. What an earlier release of verl had is verl's, unless the copy
is about as old as the release: a script that moves to the release has to change there. Where a
whole project moves to a release, a copy of another age stays behind, and says nothing.
"""

from __future__ import annotations

import posixpath
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import cached_property
from types import MappingProxyType
from typing import Any, TypeAlias

from msgspec.structs import replace
from packaging.version import Version

from snippet_checker.documents.block import Block
from snippet_checker.hydra.compose import GroupChoices
from snippet_checker.hydra.composed_config import ComposedConfig, Status
from snippet_checker.hydra.setting import Setting, Value
from snippet_checker.projects.code_facts import CodeFacts, Condition, Refused, facts_of, having
from snippet_checker.projects.config_folder import ConfigFolder
from snippet_checker.projects.configs import composed, defaults_of, primaries_in, refusal_of
from snippet_checker.projects.files import ProjectFiles, folders_above
from snippet_checker.text import python_reads
from snippet_checker.verl import key_index, values
from snippet_checker.verl.release import (
    Primary,
    Release,
    load,
    nearest,
    newest,
    numbers,
    numbers_of_releases,
    releases,
)

_Options: TypeAlias = frozenset[tuple[str, str]]
"""Config groups, each with the option that is chosen."""
_NO_CHOICES: Mapping[str, str] = MappingProxyType({})

_PACKAGE = "verl"
_CARRIES_OVER = "migrate_legacy_reward_impl"
_VERSION = f"{_PACKAGE}/version/version"
_ANY_RELEASES = f"{_PACKAGE}/protocol.py"
_FIRST_HOLDER = "verl/trainer/ppo/ray_trainer.py"
_ANY_COPYS = ("protocol.py", "trainer/main_ppo.py", "trainer/ppo/ray_trainer.py")
_HOLDERS = (
    _FIRST_HOLDER,
    "verl/trainer/main_ppo.py",
    "verl/trainer/ppo/actor/dp_actor.py",
    "verl/trainer/ppo/critic/dp_critic.py",
    "verl/trainer/ppo/workers/fsdp_workers.py",
    "verl/utils/config.py",
    "verl/utils/seqlen_balancing.py",
    "verl/utils/tensordict_utils.py",
    "verl/workers/config/actor.py",
    "verl/workers/config/critic.py",
    "verl/workers/config/rollout.py",
    "verl/workers/engine/utils.py",
    "verl/workers/engine_workers.py",
    "verl/workers/fsdp_workers.py",
    "verl/workers/megatron_workers.py",
    "verl/workers/rollout/vllm_rollout/vllm_rollout_spmd.py",
)
"""Where verl refuses settings together, in some release; in the first ones all in one file."""
_ALIKE = 0.7  # of all keys that a copy without a version and a release have both
_PRINTED = "_generated_"  # as `scripts/generate_trainer_config.sh` of verl names them
_TEST = "test_"  # as pytest knows its files
_LOADING = "OmegaConf.load("
_ROLES = (frozenset({"critic"}), frozenset({"actor", "actor_rollout_ref"}))


def lies_in_copy(block: Block, files: ProjectFiles) -> bool:
    """Whether a whole file lies in such a copy, which may have another name by now.

    Its configs are what that copy accepts, and not settings for a release.
    """
    if not block.whole_file:
        return False
    return any(
        files.is_there(f"{folder}/__init__.py")
        and (
            posixpath.basename(folder) == _PACKAGE
            or all(files.is_there(f"{folder}/{inner}") for inner in _ANY_COPYS)
        )
        for folder in folders_above(files, files.absolute(block.path))
    )


def is_printed(block: Block) -> bool:
    """Whether a whole file is a composed config that verl's script prints, for reference only."""
    return block.whole_file and posixpath.basename(block.path).startswith(_PRINTED)


def is_test_data(block: Block, files: ProjectFiles) -> bool:
    """Whether a whole file is one that a test beside it loads, and holds configs up against.

    Such a config says what the test expects, and nothing starts from it.
    """
    if not block.whole_file:
        return False
    folder, name = posixpath.split(files.absolute(block.path))
    tests = (one for one in sorted(files.programs_in(folder)) if one.startswith(_TEST))
    texts = (files.text(posixpath.join(folder, one)) or "" for one in tests)
    lines = (line for text in texts for line in text.split("\n"))
    return any(_LOADING in line and f"/{name}" in line for line in lines)


class VerlCopy:
    """The copy around a file, or else the nearest one in its project; empty where there is none."""

    def __init__(
        self, folders: Sequence[str], files: ProjectFiles, moves_to: str | None = None
    ) -> None:
        """`folders` are those around the file, and `moves_to` is as for `Project`."""
        self._folders, self._files, self._moves_to = folders, files, moves_to
        self._defaults: dict[str, dict[str, list[Any]]] = {}
        self._added: dict[str, set[str]] = {}
        self._composed: dict[tuple[str, Primary], frozenset[str]] = {}
        self._chosen: dict[tuple[str, Primary, _Options], ComposedConfig] = {}
        self._refused: dict[tuple[str, Primary], str | None] = {}

    @cached_property
    def folder(self) -> str | None:
        """The folder that holds the package."""
        package = f"{_PACKAGE}/__init__.py"
        for folder in self._folders:
            if self._files.is_there(f"{folder}/{package}"):
                return folder
        below = self._files.holding(package, self._folders[-1])
        beside = ([one for one in below if f"{one}/".startswith(f"{f}/")] for f in self._folders)
        return next((ones[0] for ones in beside if ones), None)

    @cached_property
    def stays_behind(self) -> bool:
        """Whether the project moves to a release, and the copy says that it is of another age."""
        return self._moves_to is not None and self._moves_to not in (self._releases or releases())

    @property
    def packages(self) -> list[str]:
        """The folder of the package itself, if there is one."""
        return [f"{self.folder}/{_PACKAGE}"] if self.folder is not None else []

    @cached_property
    def is_whole(self) -> bool:
        """Whether it is all of verl.

        A folder that only bears its name may hold what connects verl with another trainer.
        """
        return self.folder is not None and self._files.is_there(f"{self.folder}/{_ANY_RELEASES}")

    def config_folders(self, release: Release) -> Iterator[str]:
        """Where it has configs; nowhere where it stays behind."""
        if self.folder is not None and not self.stays_behind:
            yield from (posixpath.join(self.folder, path) for path in release.facts.configs)

    def facts_in(
        self, folders: Collection[str], may_tell: Callable[[str], bool]
    ) -> Iterator[CodeFacts]:
        """The facts of its modules in some folders of verl, as far as their texts may tell."""
        is_asked = self.folder is not None and not self.stays_behind
        for folder in sorted(folders) if is_asked else ():
            here = posixpath.join(str(self.folder), folder)
            for name in sorted(self._files.programs_in(here)):
                text = self._files.text(posixpath.join(here, name))
                if text is not None and may_tell(text):
                    yield facts_of(text)

    # Its keys

    def has(self, key: str, release: Release, *, shortened: bool = False) -> bool:
        """Whether its configs have a key that the release has not, or one above without others.

        One that may be `shortened` may be the end of such a key.
        """
        added = self._added_to(release)
        if key in added or (shortened and any(one.endswith(f".{key}") for one in added)):
            return True
        above = (key[:end] for end, letter in enumerate(key) if letter == ".")
        nearest = next((one for one in reversed([*above]) if one in added), None)
        return nearest is not None and not any(one.startswith(f"{nearest}.") for one in added)

    def has_around(self, key: str, release: Release) -> bool:
        """Whether its configs have a key, or a mapping around it, that the release has not."""
        added = self._added_to(release)
        ends = (end for end, letter in enumerate(f"{key}.") if letter == ".")
        return any(key[:end] in added for end in ends)

    def _added_to(self, release: Release) -> set[str]:
        if release.name not in self._added:
            self._added[release.name] = self._given(release).keys() - release.all_keys
        return self._added[release.name]

    def keeps(self, key: str, release: Release) -> bool:
        """Whether a copy about as old as the release has a key that this has not."""
        return self.is_as_old_as(release) and self.has(key, release)

    def has_not_renamed(self, key: str, successor: str, release: Release) -> bool:
        """Whether its configs have a key, and not the one that takes its place in the release."""
        given = self._given(release) if self.is_as_old_as(release) else {}
        return key in given and successor not in given

    def brings(self, key: str, primary: Primary, release: Release) -> bool:
        """Whether a key is in the copy's own form of the config that a command starts from."""
        asked = release.name, primary
        if asked not in self._composed:
            self._composed[asked] = frozenset(self._keys_in(primary, release))
        return key in self._composed[asked] and not self._was_verls(
            release, key, lambda earlier: _composes(earlier, primary, key)
        )

    def _keys_in(self, primary: Primary, release: Release) -> Iterator[str]:
        """The keys that the copy's own config of that name composes."""
        for own in self._forms_of(primary, release):
            for key, _ in defaults_of(own, [primary.config_name], release):
                yield key

    def composes(
        self, key: str, primary: Primary, release: Release, chosen: Mapping[str, str]
    ) -> bool:
        """Whether the copy's own form of a config has a key, where a command has `chosen` options.

        Else the config makes its choices itself. An option that the copy has not leaves it open.
        """
        config = self._chosen_in(primary, release, chosen)
        if chosen and not any(config.dotted_keys()):
            return any(True for _ in self._forms_of(primary, release))
        return config.has(key)

    def lacks(
        self, key: str, primary: Primary, release: Release, chosen: Mapping[str, str]
    ) -> bool:
        """Whether it has a config of that name, and the config has not the key."""
        has_config = any(self._chosen_in(primary, release).dotted_keys())
        return has_config and not self.composes(key, primary, release, chosen)

    def is_run_from(self, release: Release) -> bool:
        """Whether a command runs in a copy around the file that is about as old as the release."""
        return self.folder in self._folders and self.is_as_old_as(release)

    def refuses(self, added: Setting, primary: Primary, release: Release) -> bool:
        """Whether Hydra refuses a plus because the copy's config has a value there."""
        config = self._chosen_in(primary, release)
        return config.has(added.key) and config.copy().apply(added) is Status.PRESENT

    def config_of(self, primary: Primary, release: Release) -> ComposedConfig | None:
        """What a command starts from that runs in a copy about as old as the release."""
        config = self._chosen_in(primary, release) if self.is_run_from(release) else None
        return config.copy() if config is not None and any(config.dotted_keys()) else None

    def refused(self, primary: Primary, release: Release) -> str | None:
        """Why Hydra composes no config for a command that runs in such a copy, if so."""
        asked = release.name, primary
        if asked not in self._refused:
            forms = self._forms_of(primary, release) if self.is_run_from(release) else ()
            errors = (refusal_of(own, primary.config_name, release) for own in forms)
            self._refused[asked] = next(filter(None, errors), None)
        error = self._refused[asked]
        return f"{error}, in this project's copy of verl" if error is not None else None

    def _chosen_in(
        self, primary: Primary, release: Release, chosen: Mapping[str, str] = _NO_CHOICES
    ) -> ComposedConfig:
        """What the copy's own config of that name comes to, by its own choices and the `chosen`."""
        asked = release.name, primary, frozenset(chosen.items())
        if asked not in self._chosen:
            self._chosen[asked] = ComposedConfig({})
            for own in self._forms_of(primary, release):
                choices = GroupChoices(chosen=chosen) if chosen else None
                config = composed(own, primary.config_name, release, choices)
                self._chosen[asked] = ComposedConfig(config)
        return self._chosen[asked]

    def _forms_of(self, primary: Primary, release: Release) -> Iterator[ConfigFolder]:
        """The copy's folders that have a config of that name."""
        for folder in self.config_folders(release):
            own = ConfigFolder(self._files, folder)
            if folder.endswith(primary.config_dir) and primary.config_name in own:
                yield own

    def adds_option(self, group: str, option: str, primary: Primary, release: Release) -> bool:
        """Whether a config group has an option in the copy, and not in the release.

        What an earlier release had is verl's, unless the copy is about as old.
        """
        name = f"{group}/{option}"
        folder = primary.config_dir
        if name in release.facts.configs.get(folder, ()):
            return False
        if not any(name in own for own in self._forms_of(primary, release)):
            return False
        had = (load(one).facts.configs.get(folder, ()) for one in releases())
        return self.is_as_old_as(release) or not any(name in configs for configs in had)

    def has_file(self, path: str, release: Release) -> bool:
        """Whether a copy about as old as the release has a file of the package."""
        return self.is_as_old_as(release) and self._files.is_there(f"{self.folder}/{path}")

    # Its values

    def takes(self, value: Any, keys: Iterable[str], release: Release) -> bool:
        """Whether it declares a kind for one of some keys that a value is of."""
        return self.folder is not None and any(self._takes(value, key, release) for key in keys)

    def gives(self, value: Any, keys: Iterable[str], release: Release) -> bool:
        """Whether its configs give one of some keys a value by default."""
        return self.folder is not None and any(self._gives(value, key, release) for key in keys)

    def _takes(self, value: Any, key: str, release: Release) -> bool:
        return self._declares_kind(value, key, release) and not self._was_verls(
            release, key, lambda earlier: values.takes(earlier, [key], value)
        )

    def _gives(self, value: Any, key: str, release: Release) -> bool:
        return value in self._given(release).get(key, ()) and not self._was_verls(
            release, key, lambda earlier: value in earlier.defaults(key)
        )

    def _declares_kind(self, value: Any, key: str, release: Release) -> bool:
        kinds = [values.kinds_of_annotation(one) for one in self._annotations(key, release)]
        if any(values.fits(value, frozenset(found)) for found in kinds):
            return True
        kind = values.kind_of(value)
        return any(values.kind_of(one) is kind for one in self._given(release).get(key, ()))

    def _annotations(self, key: str, release: Release) -> Iterator[str]:
        """What its classes of the names of verl's declare for a key."""
        leaf = key.rpartition(".")[2]
        declaring = {one for space in release.spaces for one in space.declaring(key).items()}
        for target, file in sorted(declaring):
            name = target.rpartition(".")[2]
            for facts in self.facts_in([posixpath.dirname(file)], having(f"class {name}", leaf)):
                for field in facts.fields:
                    if (field.owner, field.name) == (name, leaf):
                        yield field.annotation

    def _given(self, release: Release) -> dict[str, list[Any]]:
        """The keys of its configs, each with what they give it."""
        if release.name not in self._defaults:
            found = self._defaults[release.name] = defaultdict(list)
            for folder in self.config_folders(release):
                names = primaries_in(folder, self._files)
                for key, value in defaults_of(ConfigFolder(self._files, folder), names, release):
                    found[key].append(value)
        return self._defaults[release.name]

    # Its checks

    def lacks_check(
        self,
        refusal: frozenset[str],
        keys: Sequence[str],
        places: Sequence[str],
        release: Release,
        value: Callable[[str], Any],
    ) -> bool:
        """Whether it has verl's files that hold a check, and does not come to the check.

        `refusal` are the names that stand together in verl's; without any, nothing is known. The
        check is about `keys`. In `places` it is in some release, though perhaps not in this one.
        By the `value` of each key the conditions around the check are answered.
        """
        if not refusal or self.folder is None or self.stays_behind:
            return False
        needed = {_FIRST_HOLDER, *release.facts.files.intersection(places)}
        return needed <= self._refusals.keys() and not self._refuses(refusal, keys, value)

    def reads_in(self, files: Sequence[str], key: str) -> bool:
        """Whether one of its files takes a key out of the mapping that holds it."""
        if self.folder is None or self.stays_behind:
            return False
        above, _, leaf = key.rpartition(".")
        read = (above.rpartition(".")[2], leaf)
        texts = (self._files.text(f"{self.folder}/{file}") for file in files)
        return any(read in facts_of(text).reads for text in texts if text is not None)

    def carries_over(self, module: str | None) -> bool:
        """Whether its program calls what makes the new settings for rewards of the old ones."""
        if self.folder is None or self.stays_behind or module is None:
            return False
        file = f"{self.folder}/{module.replace('.', '/')}.py"
        return f"{_CARRIES_OVER}(" in (self._files.text(file) or "")

    def has_check(
        self,
        refusal: frozenset[str],
        keys: Sequence[str],
        release: Release,
        value: Callable[[str], Any],
    ) -> bool:
        """Whether it comes to a check that the release has not, by the names that stand in it."""
        is_asked = bool(refusal) and self.is_as_old_as(release) and not self.stays_behind
        return is_asked and self._refuses(refusal, keys, value)

    @property
    def releases_around(self) -> frozenset[str]:
        """The releases between which it was made, as its version says."""
        return self._releases

    def _refuses(
        self, refusal: frozenset[str], keys: Sequence[str], value: Callable[[str], Any]
    ) -> bool:
        statements = (one for found in self._refusals.values() for one in found)
        return any(refuses(one, refusal, keys, value) for one in statements)

    @cached_property
    def _refusals(self) -> dict[str, list[Refused]]:
        """The statements that refuse something, by their file, whose name is one of theirs."""
        texts = ((file, self._files.text(f"{self.folder}/{file}")) for file in _HOLDERS)
        return {
            file: [
                replace(one, names=one.names | {posixpath.basename(file).removesuffix(".py")})
                for one in facts.refusals
            ]
            for file, text in texts
            if text is not None
            for facts in [facts_of(text)]
            if facts.is_python
        }

    # Its age

    def _was_verls(self, release: Release, key: str, had: Callable[[Release], bool]) -> bool:
        """Whether an earlier release with a key had the same, of which the copy is not the age."""
        if self.is_as_old_as(release):
            return False
        return any(had(load(name)) for name in key_index.before(key, release.name))

    def is_as_old_as(self, release: Release) -> bool:
        """Whether the release is one of those between which it was made, as its version says."""
        return release.name in self._releases

    @cached_property
    def _releases(self) -> frozenset[str]:
        return _around(self.version) if self.version is not None else frozenset()

    @cached_property
    def version(self) -> str | None:
        """The version that it bears, as far as it says one."""
        path = f"{self.folder}/{_VERSION}"
        said = self._files.text(path) if self.folder is not None else None
        return said.strip() if said is not None else None

    @property
    def nearest_release(self) -> str | None:
        """The release of its version, or the one around that whose configs are most like its own.

        Where none is like its own, it is the last one before its version, or the first there is.
        """
        if not self.version and self.is_whole:
            return self._most_alike
        last = nearest(self.version or "")
        if last is None or last == self.version:
            return last
        likeness = {name: self._likeness(load(name)) for name in self._releases}
        best = max(likeness, key=lambda name: (likeness[name], name == last, Version(name)))
        return best if 2 * likeness[best] > 1 else last

    @cached_property
    def _most_alike(self) -> str | None:
        """The release whose configs are most like those of a copy that lost its version.

        Its own are composed once, from the folders in which the newest release has configs.
        """
        own = self._given(load(newest())).keys()
        likeness = {name: _shared(own, load(name).keys) for name in releases()}
        best = max(likeness, key=lambda name: (likeness[name], Version(name)))
        return best if likeness[best] > _ALIKE else None

    def _likeness(self, release: Release) -> float:
        return _shared(self._given(release).keys(), release.keys)


def _shared(own: AbstractSet[str], theirs: AbstractSet[str]) -> float:
    """The share of keys that both have, of those that one of them has."""
    return len(own & theirs) / len(own | theirs)


def refuses(
    found: Refused,
    refusal: frozenset[str],
    keys: Sequence[str],
    value: Callable[[str], Any],
) -> bool:
    """Whether a statement that refuses has some names, and is about the role of the keys."""
    role, other = _ROLES if any(key.startswith("critic.") for key in keys) else _ROLES[::-1]
    parents = sorted({key.rpartition(".")[0] for key in keys})
    return (
        refusal <= found.names
        and (found.names.isdisjoint(other) or not found.names.isdisjoint(role))
        and not any(_is_unmet(one, parents, value) for one in found.conditions)
    )


def _is_unmet(condition: Condition, parents: Sequence[str], value: Callable[[str], Any]) -> bool:
    """Whether a condition that leads to a check is known to fail, by a key beside those of that.

    `self.config.x` may be a key of any role, `self.config.actor.x` is one of the actor.
    """
    *owners, leaf = condition.names
    beside = [parent for parent in parents if _may_be(owners[-1], parent.rpartition(".")[2])]
    found = [
        one for one in (value(f"{parent}.{leaf}") for parent in beside) if one is not Value.ABSENT
    ]
    return bool(found) and not any(_may_hold(condition, one) for one in found)


def _may_be(owner: str, parent: str) -> bool:
    return owner == "self" or python_reads.may_hold(owner, parent)


def _may_hold(condition: Condition, found: Any) -> bool:
    if found is Value.UNKNOWN:
        return True
    if condition.is_set:
        answer = found is not None
    elif condition.values is not None:
        answer = found in condition.values
    else:
        answer = bool(found)
    return answer is condition.is_met


def _composes(release: Release, primary: Primary, key: str) -> bool:
    """Whether a release has a primary config of that name, and the config a key."""
    return any(
        one.config_name == primary.config_name and release.composed(one).has(key)
        for one in release.primaries
    )


def _around(version: str) -> frozenset[str]:
    """The releases of a version, and those next to it: verl counts up before or after it releases.

    `0.4.1.dev` is what its main branch called itself between 0.4.1 and 0.5.0, and `0.8.0.dev`
    since 0.7.0, from which 0.7.1 had branched off.
    """
    said, parts = numbers(version), numbers_of_releases()
    if said is None:
        return frozenset()
    older = sorted({one for one in parts.values() if one <= said})
    newer = sorted({one for one in parts.values() if one > said})
    before = [one for one in older if one[:2] < said[:2]]
    near = {*older[-2:], *newer[:1], *(one for one in before if one[:2] == before[-1][:2])}
    return frozenset(name for name, one in parts.items() if one in near)
