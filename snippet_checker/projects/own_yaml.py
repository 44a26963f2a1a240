"""Where a YAML file of a project belongs in verl's config: the package that its keys count from.

A file says so itself if its defaults list takes in verl's. Any other one is found by the configs
that take in both: they lie in its folder or in one above, as Hydra counts its groups from there.
"""

from __future__ import annotations

import posixpath
from collections import ChainMap
from contextlib import suppress
from dataclasses import replace

from snippet_checker.hydra.compose import Composer
from snippet_checker.hydra.defaults_list import CompositionError
from snippet_checker.projects.config_folder import ConfigFolder
from snippet_checker.projects.files import ProjectFiles, folders_above
from snippet_checker.snippets.snippet import Fragment
from snippet_checker.verl.release import Release

_SUFFIX = ".yaml"
_MOST_CONFIGS = 50  # of one folder that are looked at
_LEVELS = 4  # of groups in one another


def in_its_package(fragment: Fragment, release: Release, files: ProjectFiles) -> Fragment:
    """A whole config file with its package, where one config takes in verl's and this one."""
    block = fragment.block
    if not (fragment.is_config and block.whole_file and block.path.endswith(_SUFFIX)):
        return fragment
    path = files.absolute(block.path)
    for folder in folders_above(files, path)[:_LEVELS]:
        packages = _packages(path, folder, release, files)
        if packages:
            # In several places its keys mean several things.
            return replace(fragment, package=packages.pop()) if len(packages) == 1 else fragment
    return fragment


def _packages(path: str, folder: str, release: Release, files: ProjectFiles) -> set[str]:
    """The packages that a file has by the configs of a folder that take in verl's."""
    here = posixpath.relpath(path, folder).removesuffix(_SUFFIX)
    named = (name for name in sorted(files.configs_in(folder)) if name.endswith(_SUFFIX))
    texts = [(name.removesuffix(_SUFFIX), files.text(f"{folder}/{name}")) for name in named]
    likely = [name for name, text in texts[:_MOST_CONFIGS] if text and _may_extend(text, release)]
    if not likely:
        return set()
    own = ConfigFolder(files, folder)
    composer = Composer(ChainMap(own, *release.facts.configs.values()))  # type: ignore[arg-type]
    # A copy of verl's config in the project hides verl's.
    verls = {one.config_name for one in release.primaries} - own.keys()
    found: set[str] = set()
    for name in likely:
        with suppress(CompositionError):  # a broken config says so where it is checked itself
            reached = list(composer.reachable(name))
            if not verls.isdisjoint(one.config_path for one in reached):
                found |= {one.package for one in reached if one.config_path == here}
    return found


def _may_extend(text: str, release: Release) -> bool:
    """Whether a config may have a defaults list that takes in one of verl's primary configs."""
    return "defaults:" in text and any(one.config_name in text for one in release.primaries)
