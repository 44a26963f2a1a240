"""Whether a text is about verl's configuration at all, or about something that looks like it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import islice

from snippet_checker.documents.block import DirectiveWord
from snippet_checker.hydra.setting import Setting, Value
from snippet_checker.snippets.snippet import Command, FaultKind, Fragment, Mentions, Snippet
from snippet_checker.suggest import likeness, meanings
from snippet_checker.suggest.key_paths import SHARED_ROOT
from snippet_checker.suggest.weights import WEIGHTS
from snippet_checker.verl import drift, key_index
from snippet_checker.verl.release import Release

_NAME = re.compile(r"(?<![A-Za-z])verl(?![a-z])|actor_rollout_ref", re.IGNORECASE)
_TEMPLATE = "{{"  # of Helm or Jinja, which is YAML only when it is filled in
_YAML_ROOT = re.compile(r"(?m)^([a-z_]\w*):")
_TRAINER, _NEEDED = "trainer", "data"  # sections that all of verl's trainers have
_MODEL = "model"  # a section of the SFT programs alone
_PATHS_OF_MODEL = frozenset({"model.partial_pretrain", "model.path"})  # up to 0.7, and later
_MOST_KEYS = 200  # that are looked at for what a document is about
_RECIPE = re.compile(r"\b(?:bash|sh|sbatch|python3?)[ \t]+(?:\./)?recipe/\w+/\w")
_CODE_PREFIXES = ("self.config.", "self.cfg.", "config.", "cfg.", "self.")


def without_code_prefix(key: str) -> str:
    """`config.actor.lr` as prose cites it from code -> `actor.lr`."""
    for prefix in _CODE_PREFIXES:
        if key.startswith(prefix):
            return key.removeprefix(prefix)
    return key


def are_relevant(texts: Sequence[tuple[Snippet, Release]]) -> list[bool]:
    """Which snippets of one document are about verl, so that each of their settings has to hold.

    A fragment whose roots are nobody's is taken for verl's where the rest of the document is.
    """
    blocks = {id(snippet.block): snippet.block for snippet, _ in texts}  # of many snippets each
    says = any(block.directives or _NAME.search(block.text) for block in blocks.values())
    sure = [_is_about_verl(snippet, release, names_verl=says) for snippet, release in texts]
    telling = any(
        is_sure and _tells(snippet, release)
        for is_sure, (snippet, release) in zip(sure, texts, strict=True)
    )
    shows = telling or _has_mostly_our_keys(texts)
    named = says or shows
    return [
        ((shows if _is_trainers(snippet) else named) if isinstance(snippet, Mentions) else is_sure)
        or (named and _may_be_about_verl(snippet, release, telling))
        for is_sure, (snippet, release) in zip(sure, texts, strict=True)
    ]


def _is_trainers(snippet: Snippet) -> bool:
    """Whether running text has nothing but a trainer's own words: `gradient_checkpointing`.

    Where a document shows nothing of verl's config, its name alone does not make them verl's.
    """
    keys = [setting.key for setting in snippet.settings]
    return keys != [] and all(key in meanings.of_trainers() and "." not in key for key in keys)


def _tells(snippet: Snippet, release: Release) -> bool:
    """Whether a snippet that is taken for verl's says that its document is about verl, too.

    What starts another program says so by its keys only.
    """
    if isinstance(snippet, Mentions) or not snippet.settings:
        return False
    if not isinstance(snippet, Command) or snippet.starts_verl_program:
        return True
    keys = [setting.key for setting in snippet.settings]
    return any(_has_own_root(key, release) for key in keys) or _are_likely(
        keys, release, by_last_name=False
    )


def starts_recipe(text: str) -> bool:
    """Whether a script of verl's recipes is started, which have configs of their own."""
    return _RECIPE.search(text) is not None


def _has_mostly_our_keys(texts: Sequence[tuple[Snippet, Release]]) -> bool:
    """Whether the keys that running text names are mostly verl's.

    A single word, such as `gradient_checkpointing`, is a name of many trainers. The first keys
    decide it.
    """
    keys = (
        (without_code_prefix(setting.key), release)
        for snippet, release in texts
        if isinstance(snippet, Mentions)
        for setting in snippet.settings
        if "." in setting.key
    )
    likely = [
        bool(key_index.releases_with(key)) or _is_likely(key, release)
        for key, release in islice(keys, _MOST_KEYS)
    ]
    return 3 * sum(likely) > 2 * len(likely)


def _is_about_verl(snippet: Snippet, release: Release, *, names_verl: bool) -> bool:
    """Whether a command or fragment is verl's, so that each of its settings has to hold.

    In a document that does not name verl, the last name of a key, which many trainers have, says
    nothing.
    """
    if _is_broken_yaml(snippet):
        return _TEMPLATE not in snippet.block.text and bool(_NAME.search(snippet.block.text))
    if not isinstance(snippet, Fragment) or not snippet.settings:
        return True
    said = {directive.word for directive in snippet.block.directives}
    if said & {DirectiveWord.ENTRY, DirectiveWord.MOUNT} or snippet.package is not None:
        return True
    if any(_takes_in_verls(setting, release) for setting in snippet.settings):
        return True
    keys = [setting.key for setting in snippet.settings]
    if any(_has_own_root(key, release) for key in keys):
        return True
    if _is_of_another_program(snippet, release):
        return False
    return _are_likely(keys, release, by_last_name=names_verl)


def _is_of_another_program(snippet: Fragment, release: Release) -> bool:
    """Whether a trainer's config file lacks what verl's programs need, and has a root of its own.

    They need `data`, and a section `model` has to name a path. A file with `model`, `trainer` and
    `agent` is of somebody's own kind.
    """
    keys = {setting.key for setting in snippet.settings}
    roots = {_root(key) for key in keys}
    is_trainers = snippet.is_config_file and _TRAINER in roots
    is_whole = "defaults" not in roots
    has_no_path = _MODEL in roots and keys.isdisjoint(_PATHS_OF_MODEL)
    is_lacking = _NEEDED not in roots or has_no_path
    return (
        is_trainers
        and is_whole
        and is_lacking
        and any(_is_nobodys(root, release) for root in roots)
    )


def _is_nobodys(root: str, release: Release) -> bool:
    """Whether verl never had a root, nor do people write it for one of verl's."""
    return not (
        root in release.roots
        or drift.is_legacy(root)
        or drift.is_wrong_root(root)
        or key_index.releases_with(root)
        or likeness.nearly(root, release)
        or likeness.name_likeness(root, SHARED_ROOT) >= WEIGHTS.nearly
    )


def _takes_in_verls(setting: Setting, release: Release) -> bool:
    """Whether this is a defaults list that names one of verl's trainers: `ppo_trainer`."""
    if setting.key != "defaults" or not isinstance(setting.value, list):
        return False
    trainers = {one.config_name for one in release.primaries if "trainer" in one.config_name}
    return any(isinstance(one, str) and one in trainers for one in setting.value)


def _are_likely(keys: Sequence[str], release: Release, *, by_last_name: bool) -> bool:
    """Whether more than half of some keys are verl's, one of them not only by a former root.

    One name that verl has too is nothing in another trainer's config. Keys are looked at as long
    as they may decide it.
    """
    has_likely = False
    ours = others = 0
    for key in keys:
        is_likely = _is_likely(key, release, by_last_name=by_last_name)
        has_likely = has_likely or is_likely
        if is_likely or drift.is_legacy(key):
            ours += 1
        else:
            others += 1
        if 2 * others >= len(keys) or (has_likely and 2 * ours > len(keys)):
            break
    return has_likely and 2 * ours > len(keys)


def _is_broken_yaml(snippet: Snippet) -> bool:
    """Whether a config is broken YAML, so that its settings are unknown."""
    is_config = snippet.is_config
    is_broken = any(fault.kind is FaultKind.YAML_SYNTAX for fault in snippet.faults)
    return is_config and not snippet.settings and is_broken


def _may_be_about_verl(snippet: Snippet, release: Release, telling: bool) -> bool:
    """Whether a fragment is verl's if its document names verl, or is `telling`: by its roots."""
    if _is_broken_yaml(snippet):
        roots = _YAML_ROOT.findall(snippet.block.text)
        return _TEMPLATE not in snippet.block.text and any(root in release.keys for root in roots)
    return telling and any(drift.is_wrong_root(_root(setting.key)) for setting in snippet.settings)


def is_meant_as_key(setting: Setting, release: Release) -> bool:
    """Whether a mention that is no key of the release was meant to be one."""
    key = without_code_prefix(setting.key)
    root, dot, rest = key.partition(".")
    leaf = key.rpartition(".")[2]
    if "*" in key:
        return root in release.keys or likeness.nearly(leaf.strip("*_"), release)
    if drift.find(key) is not None:
        # What code reads out of somebody's config may well be called so.
        return bool(dot) or key == setting.key
    if not dot:
        return likeness.nearly(leaf, release, is_set=setting.value is not Value.ABSENT)
    if _was_real(key):
        return True
    if root in release.keys and key_index.releases_with(key):
        return True
    if root in release.keys:
        second = rest.partition(".")[0]
        if setting.value is not Value.ABSENT or (root == SHARED_ROOT and "." in rest):
            return True
        return (
            ("." in rest and f"{root}.{second}" in release.keys)
            or _looks_meant(leaf, release)
            or likeness.nearly_sibling(key, release)
        )
    if likeness.name_likeness(root, SHARED_ROOT) >= WEIGHTS.nearly:
        return True
    return _looks_meant(leaf, release) and setting.value is not Value.ABSENT


def is_distinctive(key: str, release: Release) -> bool:
    """Whether a key in running text is verl's and no one else's: it has parents, or is telling."""
    return "." in key or _is_telling(key, release)


def is_not_verls(name: str, release: Release) -> bool:
    """Whether a name without parents, or a flag, in a list of settings is none of verl's."""
    if "." in name or not name.isidentifier():
        return name.startswith("-")
    known = name in release.by_leaf or name in release.roots or drift.find(name) is not None
    return not known and not likeness.nearly(name, release)


def has_foreign_root(key: str, release: Release) -> bool:
    """Whether a key of several names, no slip, begins with one that no key of verl's has."""
    root = _root(key)
    if "." not in key or root in release.by_leaf or not _is_nobodys(root, release):
        return False
    return not likeness.is_misspelled(key, release)


def _looks_meant(leaf: str, release: Release) -> bool:
    return _is_telling(leaf, release) or likeness.nearly(leaf, release)


def _has_own_root(key: str, release: Release) -> bool:
    """Whether a key begins as only verl's do: `actor_rollout_ref`, `ray_kwargs`."""
    root = _root(key)
    return "." in key and "_" in root and root in release.keys and not drift.is_legacy(key)


def _is_likely(key: str, release: Release, *, by_last_name: bool = True) -> bool:
    """Whether a key is verl's, was verl's, or looks as if it was meant to be.

    Where its last name says nothing, what people write for verl's key has to begin like one:
    `gradient_checkpointing`, and `training.batch_size`, are names of other trainers as well.
    """
    if _is_real(key, release) or _was_real(key):
        return True
    if not by_last_name and not _begins_like_ours(key, release):
        return False
    if drift.find(key) is not None:
        return True
    leaf = key.rpartition(".")[2]
    return (by_last_name and _looks_meant(leaf, release)) or likeness.is_misspelled(key, release)


def _begins_like_ours(key: str, release: Release) -> bool:
    """Whether a dotted key has a root that verl has or had, or nearly the one that only it has."""
    root = _root(key)
    is_ours = root in release.roots or drift.is_legacy(key)
    return "." in key and (is_ours or likeness.name_likeness(root, SHARED_ROOT) >= WEIGHTS.nearly)


def _is_real(key: str, release: Release) -> bool:
    """Whether a dotted key is verl's, and perhaps others' as well: `optim.lr`."""
    return "." in key and (bool(release.expand(key)) or release.accepts_appended(key))


def _was_real(key: str) -> bool:
    """Whether some release has the key; two parts, as in `optim.lr`, are anybody's if short."""
    is_verls = key.count(".") > 1 or ("." in key and key.count("_") > 1)
    return is_verls and bool(key_index.releases_with(key))


def _is_telling(leaf: str, release: Release) -> bool:
    """Whether a name is long and particular enough to be verl's and no one else's."""
    return leaf.count("_") >= 2 and leaf in release.by_leaf


def _root(key: str) -> str:
    return key.partition(".")[0]
